package admission

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/inferstack/inferstack/internal/near"
)

// Scaling is what KEDA's admission webhook and its scalers look at in a ScaledObject.
type Scaling struct {
	Triggers []Trigger
	// Min is minReplicaCount, which stands at MinAt; Max is maxReplicaCount, 0 where it is judged elsewhere.
	Min, Max int
	MinAt    *field.Path
	// Fallback is where the fallback stands, nil without one.
	Fallback *field.Path
	// Formula of the scaling modifiers, and where it stands; nil without one.
	Formula   string
	FormulaAt *field.Path
	// Target of the formula.
	Target   string
	TargetAt *field.Path
}

// A Trigger of a ScaledObject.
type Trigger struct {
	// At is where it stands; a flaw of a trigger is at one of its fields.
	At                     *field.Path
	Type, Name, MetricType string
	Cached                 bool
	// Metadata are the settings of the scaler; nil is for those that are made right.
	Metadata map[string]string
}

// OfPods reports whether the trigger is a resource metric of the pods, which KEDA hands on to
// the HorizontalPodAutoscaler.
func (t Trigger) OfPods() bool { return t.Type == "cpu" || t.Type == "memory" }

// Flaws are what KEDA refuses (keda v2.18.0 apis/keda/v1alpha1: scaledobject_webhook.go,
// scaledobject_types.go CheckFallbackValid, scaletriggers_types.go ValidateTriggers; pkg/scalers:
// scaler.go GetMetricTargetType, cpu_memory_scaler.go).
func (s Scaling) Flaws() []Flaw {
	j := &judge{}
	names := map[string]bool{}
	others := false
	for _, t := range s.Triggers {
		if t.Name != "" && names[t.Name] {
			j.bad(t.At.Child("name"), "%s is the name of an earlier trigger; each trigger has a name of its own", t.Name)
		}
		names[t.Name] = true
		others = others || !t.OfPods()
		j.trigger(t)
	}
	if s.Fallback != nil && s.FormulaAt == nil && !others {
		j.bad(s.Fallback, "needs a trigger other than cpu and memory, for which KEDA has no fallback")
	}
	if s.Min == 0 && len(s.Triggers) > 0 && !others {
		j.bad(s.MinAt, "must be at least 1: KEDA cannot scale from 0 by CPU or memory alone")
	}
	if s.Max > 0 && s.Min > s.Max {
		j.bad(s.MinAt, "must not be above maxReplicaCount, %d (got %d)", s.Max, s.Min)
	}
	if s.FormulaAt != nil {
		j.formula(s)
	}
	return j.flaws
}

func (j *judge) trigger(t Trigger) {
	if t.Cached && (t.OfPods() || t.Type == "cron") {
		j.bad(t.At.Child("useCachedMetrics"), "is not supported by the scaler %s", t.Type)
	}
	switch at := t.At.Child("metricType"); {
	case t.OfPods():
		need(j, at, t.MetricType, "Utilization", "AverageValue")
	case t.MetricType == "Utilization":
		j.bad(at, "must be AverageValue or Value: only the scalers cpu and memory know Utilization")
	default:
		oneOf(j, at, t.MetricType, "AverageValue", "Value")
	}
	if t.Metadata != nil {
		j.scaler(t)
	}
}

func (j *judge) formula(s Scaling) {
	if target, err := strconv.ParseFloat(s.Target, 64); err != nil || target <= 0 {
		j.bad(s.TargetAt, "must be a number above 0, in quotes (got %q)", s.Target)
	}
	var known []string
	for _, t := range s.Triggers {
		if t.Name != "" && !t.OfPods() {
			known = append(known, t.Name)
		}
	}
	f := readFormula(s.Formula)
	if f.wrong != "" {
		j.bad(s.FormulaAt, "%s", f.wrong)
		return
	}
	for _, name := range f.names {
		if !slices.Contains(known, name) {
			j.bad(s.FormulaAt, "%s names no trigger%s", name, amongTriggers(name, known))
		}
	}
}

func amongTriggers(name string, known []string) string {
	if guess := near.Of(name, known); guess != "" {
		return "; did you mean " + guess + "?"
	}
	if len(known) == 0 {
		return ": no trigger other than cpu and memory has a name"
	}
	return "; those with a name are " + strings.Join(known, ", ")
}

// Idle are the triggers that KEDA reads for nothing.
func (s Scaling) Idle() []Trigger {
	return slices.DeleteFunc(slices.Clone(s.Triggers), s.Follows())
}

// Follows returns what reports whether the pods follow a trigger. With a formula they follow what it
// names, and the resource metrics (keda v2.18.0 pkg/scaling/modifiers/modifiers.go).
func (s Scaling) Follows() func(Trigger) bool {
	if s.FormulaAt == nil {
		return func(Trigger) bool { return true }
	}
	f := readFormula(s.Formula)
	return func(t Trigger) bool {
		return t.OfPods() || f.wrong != "" || f.closed || slices.Contains(f.names, t.Name)
	}
}
