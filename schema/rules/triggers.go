package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/schema"
)

// triggerFields are those of a trigger of a ScaledObject (kedacore/keda
// apis/keda/v1alpha1/scaletriggers_types.go, ScaleTriggers, v2.18.0).
var triggerFields = []string{"type", "name", "useCachedMetrics", "metadata", "authenticationRef", "metricType"}

// scalingTriggers checks what the API server checks: the schema leaves a trigger open, as
// its metadata is that of one of many scalers.
func (s stack) scalingTriggers(r schema.Workload) (out []schema.Problem) {
	if r.Autoscaling.Type != "keda" {
		return nil // refused as a whole
	}
	for i, trigger := range r.Autoscaling.Triggers {
		at := fmt.Sprintf("%s.autoscaling.triggers[%d]", r.Path, i)
		for _, name := range slices.Sorted(maps.Keys(trigger)) {
			if !slices.Contains(triggerFields, name) {
				out = append(out, s.Problem(schema.Error, at+"."+name, "unknown field; known here: %s", strings.Join(triggerFields, ", ")))
			}
		}
		if kind, ok := trigger["type"].(string); !ok || kind == "" {
			out = append(out, s.Problem(schema.Error, at+".type", "is required: the name of a KEDA scaler, such as prometheus"))
		}
		metadata, ok := trigger["metadata"].(map[string]any)
		if !ok {
			out = append(out, s.Problem(schema.Error, at+".metadata", "is required: the settings of the scaler, all strings"))
		}
		for _, name := range slices.Sorted(maps.Keys(metadata)) {
			if _, ok := metadata[name].(string); !ok {
				out = append(out, s.Problem(schema.Error, at+".metadata."+name, "must be a string; quote it"))
			}
		}
		kind, _ := trigger["type"].(string)
		out = append(out, s.scalerKnown(at, kind)...)
	}
	return out
}

// scalerKnown warns of a trigger whose scaler KEDA does not have.
func (s stack) scalerKnown(at, kind string) []schema.Problem {
	known, meant := admission.KnownScaler(kind)
	if known || kind == "" {
		return nil
	}
	why := "is not a scaler of KEDA"
	if meant != "" {
		why += "; did you mean " + meant + "?"
	}
	return []schema.Problem{s.Problem(schema.Warning, at+".type", "%s (got %q)", why, kind)}
}
