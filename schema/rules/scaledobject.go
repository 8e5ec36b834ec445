package rules

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/schema"
)

// scaledObject checks what KEDA does of all triggers together, the generated ones first.
func (s stack) scaledObject(r schema.Workload) []schema.Problem {
	if r.Autoscaling.Type != "keda" {
		return nil
	}
	at, scaling := r.Path+".autoscaling", scalingOf(r.Autoscaling)
	out := s.flaws(at, scaling.Flaws())
	for _, t := range scaling.Idle() {
		out = append(out, s.Problem(schema.Warning, at+"."+t.At.String(), "has no effect: the servers follow %s, which does not name it", schema.Path(at+".modifiers.formula")))
	}
	return out
}

// scalingOf is what the generated ScaledObject will say (generators/scaling, triggers).
func scalingOf(a *schema.Autoscaling) admission.Scaling {
	out := admission.Scaling{Min: int(a.Min), MinAt: field.NewPath("min")}
	for _, own := range []struct {
		trigger admission.Trigger
		set     bool
	}{
		{admission.Trigger{At: field.NewPath("wva"), Type: "prometheus", Name: "wva-desired-replicas"}, a.WVA != nil},
		{admission.Trigger{At: field.NewPath("targetRunningRequests"), Type: "prometheus", Name: "runningRequests"}, a.TargetRunningRequests != nil},
		{admission.Trigger{At: field.NewPath("targetQueueSize"), Type: "prometheus", Name: "queueSize"}, a.TargetQueueSize != nil},
		{admission.Trigger{At: field.NewPath("targetCPUUtilization"), Type: "cpu", MetricType: "Utilization"}, a.TargetCPUUtilization != nil},
	} {
		if own.set {
			out.Triggers = append(out.Triggers, own.trigger)
		}
	}
	for i, t := range a.Triggers {
		out.Triggers = append(out.Triggers, triggerOf(i, t))
	}
	if a.Fallback != nil {
		out.Fallback = field.NewPath("fallback")
	}
	if m := a.Modifiers; m != nil {
		out.Formula, out.Target = m.Formula, m.Target
		out.FormulaAt, out.TargetAt = field.NewPath("modifiers", "formula"), field.NewPath("modifiers", "target")
	}
	return out
}

func triggerOf(i int, written map[string]any) admission.Trigger {
	out := admission.Trigger{At: field.NewPath("triggers").Index(i)}
	out.Type, _ = written["type"].(string)
	out.Name, _ = written["name"].(string)
	out.MetricType, _ = written["metricType"].(string)
	out.Cached, _ = written["useCachedMetrics"].(bool)
	if metadata, ok := written["metadata"].(map[string]any); ok {
		out.Metadata = map[string]string{}
		for name, value := range metadata {
			out.Metadata[name], _ = value.(string)
		}
	}
	return out
}

// wakes reports whether a trigger of the user's can start the first server: one that is not about
// the servers' own CPU or memory, and that a formula, if there is one, looks at.
func wakes(a *schema.Autoscaling) bool {
	follows := scalingOf(a).Follows()
	for i, written := range a.Triggers {
		if t := triggerOf(i, written); !t.OfPods() && follows(t) {
			return true
		}
	}
	return false
}
