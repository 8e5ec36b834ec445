// Package likeness holds two sets of objects against each other by what they say, for tests that keep a reason for
// every difference.
package likeness

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	k8syaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/argv"
)

// Facts are what objects say, by object and path. A list is known by the names of its entries.
type Facts map[string]string

// An Object is one of any kind.
type Object = unstructured.Unstructured

// Read returns the objects of a YAML or JSON stream.
func Read(data []byte) ([]*Object, error) {
	var out []*Object
	decoder := k8syaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		var raw json.RawMessage
		switch err := decoder.Decode(&raw); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("read objects: %w", err)
		case len(raw) == 0 || string(raw) == "null":
			continue
		}
		o := &unstructured.Unstructured{}
		if err := o.UnmarshalJSON(raw); err != nil { // the type's own decoder keeps whole numbers whole
			return nil, fmt.Errorf("read objects: %w", err)
		}
		out = append(out, o)
	}
}

// Of lists what objects say.
func Of(objects []*Object, names Names) Facts {
	r := reader{Facts{}, names}
	for _, o := range objects {
		name := names.Object(o.GetKind(), o.GetName())
		r.facts[name] = "there"
		content := o.DeepCopy().Object
		for _, gone := range []string{"status", "apiVersion", "kind"} {
			delete(content, gone)
		}
		if meta, ok := content["metadata"].(map[string]any); ok {
			for _, gone := range []string{"name", "namespace", "resourceVersion", "uid", "creationTimestamp", "ownerReferences", "managedFields", "generation"} {
				delete(meta, gone)
			}
		}
		r.add(name, r.names.renamed(content))
		r.configuration(o)
	}
	return r.facts
}

// A reader lists what objects say.
type reader struct {
	facts Facts
	names Names
}

// configuration is the EPP's, in a ConfigMap or on its command line.
func (r reader) configuration(o *unstructured.Unstructured) {
	var text string
	switch o.GetKind() {
	case "ConfigMap":
		data, _, _ := unstructured.NestedStringMap(o.Object, "data")
		for _, value := range data {
			text = value
		}
	case "Deployment":
		list, _, _ := unstructured.NestedSlice(o.Object, "spec", "template", "spec", "containers")
		for _, e := range list {
			c, _ := e.(map[string]any)
			words := slices.Concat(texts(c["command"]), texts(c["args"]))
			if i := slices.Index(words, "--config-text"); i >= 0 && i+1 < len(words) {
				text = words[i+1]
			}
		}
	}
	var config map[string]any
	if text != "" && yaml.Unmarshal([]byte(text), &config) == nil && config["plugins"] != nil {
		r.add("EPP configuration", config)
	}
}

func (r reader) add(at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		v = requested(r.commandLine(at, v))
		for key, value := range v {
			r.add(at+" "+key, value)
		}
	case []any:
		for i, e := range v {
			known := r.entry(e, i)
			r.once(e, known)
			r.add(at+"["+known+"]", e)
		}
	case nil:
	default:
		r.facts[at] = fmt.Sprint(v)
	}
}

// once takes out of an entry what it is known by.
func (r reader) once(e any, known string) {
	m, ok := e.(map[string]any)
	if !ok || !r.names.Meaning {
		return
	}
	for _, key := range []string{"name", "mountPath", "containerPort"} {
		if r.known(m[key]) == known || key == "name" && m["containerPort"] != nil {
			delete(m, key)
		}
	}
}

// requested gives resources the requests that the API server takes from their limits.
func requested(resources map[string]any) map[string]any {
	limits, limited := resources["limits"].(map[string]any)
	if !limited {
		return resources
	}
	requests := maps.Clone(limits)
	if written, ok := resources["requests"].(map[string]any); ok {
		maps.Copy(requests, written)
	}
	return map[string]any{"limits": limits, "requests": requests, "claims": resources["claims"]}
}

// entry is what an entry of a list is known by.
func (r reader) entry(e any, i int) string {
	m, ok := e.(map[string]any)
	if !ok {
		return fmt.Sprint(i)
	}
	if port, ok := m["containerPort"]; ok && r.names.Meaning {
		return fmt.Sprint(port)
	}
	for _, key := range []string{"name", "mountPath", "containerPort", "port", "number", "pluginRef", "type"} {
		if v, ok := m[key]; ok {
			return r.known(v)
		}
	}
	return fmt.Sprint(i)
}

// known is the name of an entry, as both sides have it.
func (r reader) known(name any) string {
	return cmp.Or(r.names.Containers[fmt.Sprint(name)], fmt.Sprint(name))
}

// commandLine puts flags in the place of a container's command and arguments, so that a script and a list of words
// that start a program alike say the same.
func (r reader) commandLine(at string, c map[string]any) map[string]any {
	command, args := texts(c["command"]), texts(c["args"])
	if len(command)+len(args) == 0 || c["image"] == nil {
		return c
	}
	words := slices.Concat(command, args)
	if i := slices.IndexFunc(words, func(w string) bool { return strings.Contains(w, "vllm serve") }); i >= 0 {
		_, script, _ := strings.Cut(words[i], "vllm serve")
		words = append(fields(script), words[i+1:]...)
		words = append(words, fields(variable(c, "VLLM_ADDITIONAL_ARGS"))...)
	}
	r.flags(at, words)
	out := map[string]any{}
	for key, value := range c {
		if key != "command" && key != "args" {
			out[key] = value
		}
	}
	return out
}

// flags lists a command line by its flags; a value in JSON by its fields.
func (r reader) flags(at string, words []string) {
	values := map[string]string{}
	name := "program"
	for _, word := range words {
		flag, value, joined := strings.Cut(word, "=")
		if r.names.Meaning {
			flag = argv.Hyphened(flag)
		}
		switch {
		case word == "" || word == "--":
		case strings.HasPrefix(word, "--") && joined:
			name, values[flag] = flag, value
		case strings.HasPrefix(word, "--"):
			name, values[flag] = flag, ""
		default:
			values[name] = strings.TrimSpace(values[name] + " " + word)
		}
	}
	delete(values, "--config-text") // it is listed as a configuration
	for flag, value := range values {
		if value == "" {
			value = "true" // what a flag without a value says
		}
		var fields map[string]any
		if strings.HasPrefix(value, "{") && json.Unmarshal([]byte(value), &fields) == nil {
			r.add(at+" "+flag, fields)
			continue
		}
		r.facts[at+" "+flag] = fmt.Sprint(r.names.renamed(value))
	}
}

// fields are the words of a script, without what the shell puts in its place.
func fields(script string) []string {
	return slices.DeleteFunc(strings.Fields(strings.NewReplacer(`\`, " ", `"`, " ").Replace(script)), func(w string) bool {
		return strings.HasPrefix(w, "$")
	})
}

func texts(v any) (out []string) {
	l, _ := v.([]any)
	for _, e := range l {
		out = append(out, fmt.Sprint(e))
	}
	return out
}

// variable is the value of a container's variable.
func variable(c map[string]any, name string) string {
	env, _ := c["env"].([]any)
	for _, e := range env {
		if m, ok := e.(map[string]any); ok && m["name"] == name {
			return fmt.Sprint(m["value"])
		}
	}
	return ""
}

// Differences are the facts of two sides that are not the same. whose is the name of the first one.
func Differences(theirs, ours Facts, whose string) (out []string) {
	for at, value := range theirs {
		own, ok := ours[at]
		switch {
		case !ok && !absent(at, ours, theirs):
			out = append(out, fmt.Sprintf("%s: only %s's: %s", at, whose, value))
		case ok && own != value:
			out = append(out, fmt.Sprintf("%s: %s of %s, %s of the stack", at, value, whose, own))
		}
	}
	for at, value := range ours {
		if _, ok := theirs[at]; !ok && !absent(at, theirs, ours) {
			out = append(out, fmt.Sprintf("%s: only the stack's: %s", at, value))
		}
	}
	slices.Sort(out)
	return out
}

// absent reports whether the whole object of a fact is not there on the other side, which is a difference by itself.
func absent(at string, other, own Facts) bool {
	kind, rest, _ := strings.Cut(at, " ")
	name, _, field := strings.Cut(rest, " ")
	_, there := other[kind+" "+name]
	return field && !there && own[kind+" "+name] == "there"
}
