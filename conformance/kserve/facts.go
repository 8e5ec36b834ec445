// Package kserve holds what Inferstack renders of an LLMInferenceService against what KServe's own controller makes
// of it.
package kserve

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// Facts are what objects say, by object and path. The name of the service is N in them, and a list is known by the
// names of its entries.
type Facts map[string]string

// renamed are names of a stack that KServe has others for.
var renamed = strings.NewReplacer(
	"Deployment N-epp-service", "Deployment N-kserve-router-scheduler",
	"ServiceAccount N-epp-service", "ServiceAccount N-epp-sa",
	"RoleBinding N-epp-service", "RoleBinding N-epp-rb",
	"Role N-epp-service", "Role N-epp-role",
)

// containers are names of a stack's containers that KServe has others for.
var containers = map[string]string{"modelserver": "main", "epp": "main", "routing-proxy": "llm-d-routing-sidecar"}

// Of lists what objects say.
func Of(objects []*unstructured.Unstructured, service string) Facts {
	out := Facts{}
	for _, o := range objects {
		name := renamed.Replace(o.GetKind() + " " + strings.Replace(o.GetName(), service, "N", 1))
		out[name] = "there"
		content := o.DeepCopy().Object
		for _, gone := range []string{"status", "apiVersion", "kind"} {
			delete(content, gone)
		}
		if meta, ok := content["metadata"].(map[string]any); ok {
			for _, gone := range []string{"name", "namespace", "resourceVersion", "uid", "creationTimestamp", "ownerReferences", "managedFields", "generation"} {
				delete(meta, gone)
			}
		}
		out.add(name, content)
		out.configuration(o)
	}
	return out
}

// configuration is the EPP's, in a ConfigMap or on its command line.
func (f Facts) configuration(o *unstructured.Unstructured) {
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
	if text != "" && yaml.Unmarshal([]byte(text), &config) == nil {
		f.add("EPP configuration", config)
	}
}

func (f Facts) add(at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		v = requested(f.commandLine(at, v))
		for key, value := range v {
			f.add(at+" "+key, value)
		}
	case []any:
		for i, e := range v {
			f.add(at+"["+entry(e, i)+"]", e)
		}
	case nil:
	default:
		f[at] = fmt.Sprint(v)
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
func entry(e any, i int) string {
	m, ok := e.(map[string]any)
	if !ok {
		return fmt.Sprint(i)
	}
	for _, key := range []string{"name", "mountPath", "containerPort", "port", "number", "pluginRef", "type"} {
		if v, ok := m[key]; ok {
			if own, ok := containers[fmt.Sprint(v)]; ok {
				return own
			}
			return fmt.Sprint(v)
		}
	}
	return fmt.Sprint(i)
}

// commandLine puts flags in the place of a container's command and arguments, so that a script and a list of words
// that start a program alike say the same.
func (f Facts) commandLine(at string, c map[string]any) map[string]any {
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
	f.flags(at, words)
	out := map[string]any{}
	for key, value := range c {
		if key != "command" && key != "args" {
			out[key] = value
		}
	}
	return out
}

// flags lists a command line by its flags.
func (f Facts) flags(at string, words []string) {
	name := "program"
	for _, word := range words {
		flag, value, joined := strings.Cut(word, "=")
		switch {
		case word == "" || word == "--":
		case strings.HasPrefix(word, "--") && joined:
			name = flag
			f[at+" "+flag] = value
		case strings.HasPrefix(word, "--"):
			name = word
			f[at+" "+word] = ""
		default:
			f[at+" "+name] = strings.TrimSpace(f[at+" "+name] + " " + word)
		}
	}
}

// fields are the words of a script, without what the shell puts in its place.
func fields(script string) []string {
	return slices.DeleteFunc(strings.Fields(strings.NewReplacer(`\`, " ", `"`, " ").Replace(script)), func(w string) bool {
		return strings.HasPrefix(w, "$")
	})
}

func texts(v any) []string {
	var out []string
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

// Differences are the facts of two sides that are not the same.
func Differences(theirs, ours Facts) []string {
	var out []string
	for at, value := range theirs {
		own, ok := ours[at]
		switch {
		case !ok && !absent(at, ours, theirs):
			out = append(out, fmt.Sprintf("%s: only KServe's: %s", at, value))
		case ok && own != value:
			out = append(out, fmt.Sprintf("%s: %s of KServe, %s of the stack", at, value, own))
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
