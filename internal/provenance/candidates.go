package provenance

import (
	"slices"

	"github.com/inferstack/inferstack/schema"
)

// components maps the component label of an object to the sections that make its pods;
// the first of them wins over the others.
var components = map[string][]string{
	"decode":         {"spec.decode", "spec.server"},
	"decode-worker":  {"spec.decode", "spec.server"},
	"prefill":        {"spec.prefill", "spec.server"},
	"prefill-worker": {"spec.prefill", "spec.server"},
	"encode":         {"spec.encode", "spec.server"},
	"servers":        {"spec.disaggregatedSet", "spec.server"},
	"epp":            {"spec.scheduler"},
	"proxy":          {"spec.gateway"},
	"gateway":        {"spec.gateway"},
	"render":         {"spec.scheduler.tokenizer"},
	"redis":          {"spec.kvCache.redis"},
}

// kinds maps kinds to the fields of the stack that make them, where a component has
// several; a name that begins with a dot is in each of the component's sections.
var kinds = map[string][]string{
	"PersistentVolumeClaim":   {"spec.model.storage"},
	"PodDisruptionBudget":     {".disruptionBudget"},
	"HorizontalPodAutoscaler": {".autoscaling"},
	"ScaledObject":            {".autoscaling"},
	"ResourceClaimTemplate":   {".accelerator.dra"},
	"HTTPRoute":               {"spec.route"},
	"Gateway":                 {"spec.gateway"},
	"InferencePool":           {"spec.pool"},
	"InferenceObjective":      {"spec.objectives"},
	"Service":                 {".service"},
	"DestinationRule":         {"spec.loadBalancing"},
	"EnvoyFilter":             {"spec.gateway.envoyFilter"},
	"PodMonitor":              {"spec.monitoring"},
	"ServiceMonitor":          {"spec.monitoring"},
	"PrometheusRule":          {"spec.monitoring"},
	"NetworkPolicy":           {"spec.networkPolicy"},
}

// own are the containers by which a section's fields for its main container are known.
var own = []string{"modelserver", "epp", "envoy", "render", "redis"}

// candidates lists the fields that a field of an object may have been made from.
func candidates(s *schema.Stack, o Object, way []step) []candidate {
	sections := components[o.GetLabels()["app.kubernetes.io/component"]]
	if len(way) > 3 && way[1].name == "roles" && way[2].index { // of a DisaggregatedSet
		sections, way = components[unquoted(way[2].keys["name"])], way[3:]
	}
	out := delivered(way)
	for _, field := range kinds[o.GetObjectKind().GroupVersionKind().Kind] {
		for _, section := range sections {
			if field[0] == '.' {
				out = append(out, candidate{path: section + field, rest: after(way, "spec")})
			}
		}
		if field[0] != '.' {
			out = append(out, candidate{path: field, rest: after(way, "spec")})
		}
	}
	i := slices.IndexFunc(way, func(st step) bool {
		return st.name == "template" || st.name == "leaderTemplate" || st.name == "workerTemplate"
	})
	rollout := slices.IndexFunc(way, func(st step) bool { return st.name == "rollingUpdate" || st.name == "rollingUpdateConfiguration" })
	for _, section := range sections {
		if rollout >= 0 {
			out = append(out, candidate{path: section + ".rollout", rest: way[rollout+1:]})
		}
		out = append(out, candidate{path: section, rest: way})
		if i >= 0 {
			out = append(out, ofTemplate(s, section, way[i+1:])...)
		}
	}
	return out
}

// delivered are the labels and annotations that every object gets.
func delivered(way []step) []candidate {
	if len(way) > 1 && way[0].name == "metadata" {
		return []candidate{{path: "spec.delivery." + way[1].name, length: 2, rest: way[2:]}}
	}
	return nil
}

func after(way []step, first string) []step {
	if len(way) > 0 && way[0].name == first {
		return way[1:]
	}
	return way
}

// podFields are the fields of a section that pod metadata is made from.
var podFields = map[string]string{"labels": "podLabels", "annotations": "podAnnotations"}

// ofTemplate maps the rest of a way in a pod template.
func ofTemplate(s *schema.Stack, section string, way []step) (out []candidate) {
	if s.Has(section + ".podTemplatePatch") {
		out = append(out, candidate{path: section + ".podTemplatePatch", rest: way, patch: true})
	}
	switch {
	case len(way) < 2:
	case way[0].name == "metadata":
		out = append(out, candidate{path: section + "." + podFields[way[1].name], length: 2, rest: way[2:]},
			candidate{path: "spec.delivery." + way[1].name, length: 2, rest: way[2:]})
	case way[0].name == "spec" && way[1].name == "containers" && len(way) > 3 && slices.Contains(own, unquoted(way[2].keys["name"])):
		out = append(out, candidate{path: section, length: 3, rest: way[3:]})
	case way[0].name == "spec":
		out = append(out, candidate{path: section, length: 1, rest: way[1:]})
	}
	return out
}

func unquoted(text string) string {
	if len(text) > 1 && text[0] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}
