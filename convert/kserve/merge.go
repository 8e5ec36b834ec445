package kserve

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// mergeKeys are the lists of the spec that are merged by a key, of which all belong to pods;
// any other list is replaced (patchMergeKey in k8s.io/api core/v1/types.go).
var mergeKeys = map[string]string{
	"containers": "name", "initContainers": "name", "env": "name", "volumes": "name", "imagePullSecrets": "name",
	"resourceClaims": "name", "volumeMounts": "mountPath", "volumeDevices": "devicePath", "ports": "containerPort",
	"topologySpreadConstraints": "topologyKey", "hostAliases": "ip",
}

// wholes are lists of which an entry that both sides have is the overriding side's alone
// (patchStrategy retainKeys).
var wholes = map[string]bool{"volumes": true, "resourceClaims": true}

// merge puts a spec over another, as the controller does by a strategic merge patch of the
// difference from an empty spec: what is empty in the overriding one changes nothing
// (kserve pkg/controller/v1alpha2/llmisvc/config_merge.go, v0.20.0).
func merge(base, over map[string]any) map[string]any {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]any{}
	}
	for key, value := range over {
		switch v := value.(type) {
		case nil:
		case string:
			if v != "" {
				out[key] = v
			}
		case map[string]any:
			below, _ := out[key].(map[string]any)
			out[key] = merge(below, v)
		case []any:
			if len(v) > 0 {
				below, _ := out[key].([]any)
				out[key] = mergeList(key, below, v)
			} else if _, ok := out[key]; !ok {
				out[key] = v
			}
		default:
			out[key] = v
		}
	}
	return out
}

// mergeList merges a list by its key. Entries that only the overriding side has stand
// first, and the others keep their places.
func mergeList(name string, base, over []any) []any {
	key, ok := mergeKeys[name]
	if !ok {
		return over
	}
	var added []any
	out := slices.Clone(base)
	for _, e := range over {
		entry, _ := e.(map[string]any)
		at := slices.IndexFunc(out, func(b any) bool { return sameKey(b, entry, key) })
		switch {
		case at < 0:
			added = append(added, e)
		case wholes[name]:
			out[at] = e
		case name == "env":
			out[at] = mergeVariable(out[at], entry)
		default:
			below, _ := out[at].(map[string]any)
			out[at] = merge(below, entry)
		}
	}
	return slices.Concat(added, out)
}

func sameKey(e any, entry map[string]any, key string) bool {
	other, _ := e.(map[string]any)
	return fmt.Sprint(other[key]) == fmt.Sprint(entry[key])
}

// mergeVariable lets a value stand in place of a reference, and a reference in place of a
// value: the API refuses a variable with both.
func mergeVariable(base any, over map[string]any) any {
	below, _ := base.(map[string]any)
	out := merge(below, over)
	if _, ok := over["valueFrom"]; ok {
		delete(out, "value")
	} else if v, _ := over["value"].(string); v != "" {
		delete(out, "valueFrom")
	}
	return out
}

// plain is a typed value as maps and lists.
func plain(v any) map[string]any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // Kubernetes structs are plain data
	}
	out := map[string]any{}
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return out
}
