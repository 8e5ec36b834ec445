package kserve

import (
	"reflect"
	"slices"
)

// What a preset says of a pod is the stack's own business: probes, volumes for caches and
// certificates, the time to end. What the service or a base configuration says otherwise is
// left once the preset has been taken out of the pod.

// subtract takes a preset's pod out of a merged one.
func subtract(pod, preset map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range pod {
		switch {
		case key == "containers" || key == "initContainers":
			out[key] = subtractContainers(list(value), list(preset[key]))
		case key == "volumes":
			out[key] = without(list(value), list(preset[key]))
		case !reflect.DeepEqual(value, preset[key]):
			out[key] = value
		}
	}
	return out
}

func subtractContainers(containers, presets []any) []any {
	out := make([]any, 0, len(containers))
	for _, e := range containers {
		c, _ := e.(map[string]any)
		i := slices.IndexFunc(presets, func(p any) bool { return at(p, "name") == c["name"] })
		if i >= 0 {
			c = subtractContainer(c, presets[i].(map[string]any))
		}
		out = append(out, c)
	}
	return out
}

// subtractContainer leaves what differs from the preset's container.
func subtractContainer(c, preset map[string]any) map[string]any {
	out := map[string]any{"name": c["name"]}
	for key, value := range c {
		switch {
		case key == "env" || key == "volumeMounts" || key == "ports":
			if rest := without(list(value), list(preset[key])); len(rest) > 0 {
				out[key] = rest
			}
		case key == "securityContext":
			if rest := difference(value, preset[key]); len(rest) > 0 {
				out[key] = rest
			}
		case !reflect.DeepEqual(value, preset[key]):
			out[key] = value
		}
	}
	return out
}

// difference are the fields of a mapping that are not so in the preset.
func difference(value, preset any) map[string]any {
	out := map[string]any{}
	v, _ := value.(map[string]any)
	for key, field := range v {
		if !reflect.DeepEqual(field, at(preset, key)) {
			out[key] = field
		}
	}
	return out
}

// without are the entries of a list that the preset does not have.
func without(entries, preset []any) []any {
	return slices.DeleteFunc(slices.Clone(entries), func(e any) bool {
		return slices.ContainsFunc(preset, func(p any) bool { return reflect.DeepEqual(p, e) })
	})
}

func list(v any) []any {
	out, _ := v.([]any)
	return out
}
