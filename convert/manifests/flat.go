package manifests

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// flat holds the scalars of objects by their paths, entries of lists by their names.
type flat map[string]string

// flatten takes objects apart.
func flatten(objects []object) flat {
	f := flat{}
	for _, o := range objects {
		group, _, _ := strings.Cut(text(o, "apiVersion"), "/")
		f.value(group+" "+text(o, "kind")+" "+text(o, "metadata", "namespace")+"/"+text(o, "metadata", "name"), o)
	}
	return f
}

func (f flat) value(path string, v any) {
	switch v := v.(type) {
	case object:
		for key, e := range v {
			f.value(path+"."+key, e)
		}
		if len(v) == 0 {
			f[path] = "{}"
		}
	case []any:
		for i, e := range v {
			f.value(path+"["+entryAt(path, i, e)+"]", e)
		}
		if len(v) == 0 {
			f[path] = "[]"
		}
	case string:
		f.words(path, v)
	default:
		f[path] = fmt.Sprint(v)
	}
}

// words takes a text that is YAML apart too, so that a configuration that is nearly right
// is nearer than one that is not.
func (f flat) words(path, s string) {
	f[path] = s
	if !strings.Contains(s, "\n") {
		return
	}
	var tree any
	if yaml.Unmarshal([]byte(s), &tree) == nil {
		if _, plain := tree.(string); !plain {
			f.value(path+"|", tree)
		}
	}
}

// entryAt names an entry of the list at a path: a port by its number, which is what others know it by
// first, and anything else as entry does.
func entryAt(path string, i int, e any) string {
	if strings.HasSuffix(path, ".ports") {
		for _, key := range []string{"port", "containerPort"} {
			if number := text(e, key); number != "" {
				return number
			}
		}
	}
	return entry(i, e)
}

// entry names an entry of a list.
func entry(i int, e any) string {
	switch e := e.(type) {
	case object:
		for _, key := range []string{"name", "mountPath", "containerPort", "type", "pluginRef", "key"} {
			if name, ok := e[key].(string); ok {
				return name
			}
		}
	case string:
		return e
	}
	return strconv.Itoa(i)
}

// lost is how much more it counts that something is missing than that there is more.
const lost = 3

// apart counts what is wanted and not, or otherwise, there, and what is there beside it.
func apart(want, have flat) int {
	n := 0
	for path, v := range want {
		if other, ok := have[path]; !ok || other != v {
			n += lost
		}
	}
	for path := range have {
		if _, ok := want[path]; !ok {
			n++
		}
	}
	return n
}
