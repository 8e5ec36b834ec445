// Package provenance finds the field of a stack that a field of one of its objects was
// made from. It is asked when something is wrong with an object, so that the person who
// wrote the stack reads of a field that is theirs.
package provenance

import (
	"encoding/json"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// An Object is what was made.
type Object interface {
	metav1.Object
	runtime.Object
}

// Field returns the field of the stack behind the field at path of one of its objects, and
// whether that very value was written there, rather than something it follows from.
func Field(s *schema.Stack, o Object, path string) (string, bool) {
	spec, object := generic(map[string]any{"spec": s.Spec}), generic(o)
	way := trace(object, path)
	best := candidate{path: "spec"}
	for _, c := range candidates(s, o, way) {
		at, n := follow(spec, trace(spec, c.path), c.rest)
		c.path, c.rest, c.length = at, c.rest[n:], c.length+n
		if written := s.Has(at); written && (!best.written || c.better(best)) || best.path == "spec" {
			c.written = written
			best = c
		}
	}
	return best.path, len(best.rest) == 0 && s.Has(best.path)
}

// A candidate is a field of the stack that a part of the way leads to, and what is left of
// the way from there.
type candidate struct {
	path   string
	length int // of the way that is explained
	rest   []step
	patch  bool
	// written reports whether the user wrote the field.
	written bool
}

// better prefers what explains the whole way; else what a patch may have changed, since
// all the rest is checked where it is written; else what explains more of it.
func (c candidate) better(than candidate) bool {
	switch whole, other := len(c.rest) == 0 && c.length > 0, len(than.rest) == 0 && than.length > 0; {
	case whole != other:
		return whole
	case c.patch != than.patch && !whole:
		return c.patch
	}
	return c.length > than.length || than.path == "spec" && c.path != "spec"
}

// A step goes to a field of a mapping or to an item of a list, which is known by its keys
// as well.
type step struct {
	name  string
	index bool
	keys  map[string]string
}

// mergeKeys tell the items of the lists of a pod apart (k8s.io/api, patchMergeKey).
var mergeKeys = []string{"name", "mountPath", "devicePath", "containerPort", "key", "topologyKey", "ip", "conditionType"}

// trace splits a path, and looks up the keys of the items that it passes.
func trace(root any, path string) (out []step) {
	at := root
	for _, name := range finding.Steps(path) {
		list, isList := at.([]any)
		if m, isMap := at.(map[string]any); isMap {
			at = m[name]
		}
		st := step{name: name}
		if i, err := strconv.Atoi(name); isList && err == nil && i < len(list) {
			at, st.index = list[i], true
			st.keys = keysOf(list[i])
		} else if isList {
			at = nil
		}
		out = append(out, st)
	}
	return out
}

func keysOf(item any) map[string]string {
	m, _ := item.(map[string]any)
	out := map[string]string{}
	for _, key := range mergeKeys {
		if v, ok := m[key]; ok {
			out[key] = text(v)
		}
	}
	return out
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}

// follow goes from a field along the way as far as the values lead, and returns where it
// came to and how many steps that were.
func follow(root any, start, way []step) (string, int) {
	at, path := root, ""
	for _, s := range start {
		m, _ := at.(map[string]any)
		at, path = m[s.name], join(path, s.name)
	}
	for n, s := range way {
		switch v := at.(type) {
		case map[string]any:
			next, ok := v[s.name]
			if !ok {
				return path, n
			}
			at, path = next, join(path, s.name)
		case []any:
			i := match(v, s)
			if i < 0 {
				return path, n
			}
			at, path = v[i], path+"["+strconv.Itoa(i)+"]"
		default:
			return path, n
		}
	}
	return path, len(way)
}

// match finds the item of a list with the same key, of those that both have.
func match(list []any, s step) int {
	for i, item := range list {
		own := keysOf(item)
		for _, key := range mergeKeys {
			if own[key] != "" && s.keys[key] != "" {
				if own[key] == s.keys[key] {
					return i
				}
				break
			}
		}
	}
	return -1
}

func join(path, name string) string {
	switch {
	case path == "":
		return name
	case strings.ContainsAny(name, "./"):
		return path + "[" + name + "]"
	}
	return path + "." + name
}

func generic(v any) (out any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // it came from JSON, or will become it
	}
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return out
}
