package manifests

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/internal/serverside"
)

// An object is one as decoded from YAML.
type object = map[string]any

// written is an object without what the cluster and tools write into it.
func written(n *yaml.Node) (o object) {
	if n.Decode(&o) != nil {
		return object{}
	}
	o = serverside.Owned(o)
	meta := mapping(o["metadata"])
	notes := mapping(meta["annotations"])
	for key := range notes {
		if draft.ToolAnnotation(key) {
			delete(notes, key)
		}
	}
	if notes != nil && len(notes) == 0 {
		delete(meta, "annotations")
	}
	return o
}

func mapping(v any) object { m, _ := v.(object); return m }

func list(v any) []any { l, _ := v.([]any); return l }

// at is the value at a path of keys, "" for the first entry of a list, or nil.
func at(v any, path ...string) any {
	for _, key := range path {
		if l := list(v); key == "" && len(l) > 0 {
			v = l[0]
			continue
		}
		if n, found := strings.CutPrefix(key, "#"); found {
			if i, err := strconv.Atoi(n); err == nil && i < len(list(v)) {
				v = list(v)[i]
				continue
			}
		}
		v = mapping(v)[key]
	}
	return v
}

// text is the scalar at a path, or "".
func text(v any, path ...string) string {
	if s := at(v, path...); s != nil {
		return fmt.Sprint(s)
	}
	return ""
}

// templates are the pod templates of a workload, that of the pods that serve first.
func templates(o object) (out []object) {
	for _, path := range [][]string{
		{"spec", "template"}, {"spec", "leaderWorkerTemplate", "leaderTemplate"}, {"spec", "leaderWorkerTemplate", "workerTemplate"},
	} {
		if t := mapping(at(o, path...)); t != nil && at(t, "spec", "containers") != nil {
			out = append(out, t)
		}
	}
	return out
}

// main is the container that serves: the one that takes an accelerator or is called as a
// stack calls it, or else the first.
func main(template object) object {
	all := list(at(template, "spec", "containers"))
	i := slices.IndexFunc(all, func(c any) bool { return text(c, "name") == "modelserver" || text(c, "name") == "epp" })
	if i < 0 {
		i = slices.IndexFunc(all, func(c any) bool {
			for name := range mapping(at(c, "resources", "limits")) {
				if strings.Contains(name, "/") {
					return true
				}
			}
			return false
		})
	}
	if len(all) == 0 {
		return nil
	}
	return mapping(all[max(i, 0)])
}

// sorted goes through a mapping in the order of its keys.
func sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}
