// Package admission judges Kubernetes objects, and the parts of them that a user may
// write, as the API server of Kubernetes 1.36 does when they are created: by upstream's own
// checks where those are in a library, else by the same rules, which the tests of
// conformance/oracle hold against upstream's validation. It sees one object at a time: what
// else there is in a cluster, and what its policies forbid, is not known to it.
package admission

import (
	"fmt"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/internal/near"
)

// A Flaw is something that an API server refuses.
type Flaw struct {
	// Path of the field, relative to what was judged.
	Path    string
	Message string
}

// Value judges a part of an object, a pointer to one of upstream's types, as it would be
// in the list or field of that name. Types that it does not know have no flaws.
func Value(v any, name string) []Flaw {
	j := &judge{}
	switch v := v.(type) {
	case *corev1.EnvVar:
		j.envVar(nil, v)
	case *corev1.EnvFromSource:
		j.envFrom(nil, v)
	case *corev1.Toleration:
		j.toleration(nil, v)
	case *corev1.Affinity:
		j.affinity(nil, v)
	case *corev1.TopologySpreadConstraint:
		j.spread(nil, v)
	case *corev1.Volume:
		j.volume(nil, v)
	case *corev1.VolumeMount:
		j.mount(nil, v)
	case *corev1.Container:
		j.container(nil, v)
		j.lives(nil, v, name == "initContainers")
	case *autoscalingv2.MetricSpec:
		j.metric(nil, v)
	case *autoscalingv2.HPAScalingRules:
		j.scalingRules(nil, v)
	case *gwapiv1.HTTPRouteMatch:
		j.routeMatch(nil, v)
	case *gwapiv1.HTTPRouteFilter:
		j.routeFilter(nil, v)
	}
	return j.flaws
}

// A judge collects flaws.
type judge struct{ flaws []Flaw }

func (j *judge) bad(at *field.Path, format string, args ...any) {
	path := ""
	if at != nil {
		path = at.String()
	}
	j.flaws = append(j.flaws, Flaw{path, fmt.Sprintf(format, args...)})
}

func (j *judge) missing(at *field.Path) { j.bad(at, "required, but missing") }

// oneOf refuses what is not among the allowed values; an empty one has a default.
func oneOf[T ~string](j *judge, at *field.Path, value T, allowed ...T) {
	if value == "" {
		return
	}
	words := make([]string, len(allowed))
	for i, a := range allowed {
		if a == value {
			return
		}
		words[i] = string(a)
	}
	hint := ""
	if guess := near.Of(string(value), words); guess != "" {
		hint = fmt.Sprintf("; did you mean %q?", guess)
	}
	j.bad(at, "must be one of %s (got %q)%s", strings.Join(words, ", "), value, hint)
}

// need is oneOf for a value without a default.
func need[T ~string](j *judge, at *field.Path, value T, allowed ...T) {
	if value == "" {
		j.missing(at)
		return
	}
	oneOf(j, at, value, allowed...)
}

// ranged refuses a number outside of the range.
func ranged[T ~int32 | ~int64 | ~int](j *judge, at *field.Path, value, low, high T) {
	if value < low || value > high {
		j.bad(at, "must be from %d to %d (got %d)", low, high, value)
	}
}

// least refuses a number below the bound.
func least[T ~int32 | ~int64](j *judge, at *field.Path, value, low T) {
	if value < low {
		j.bad(at, "must be at least %d (got %d)", low, value)
	}
}

// members is how many of a union's members are there; it refuses more than one, and none.
func (j *judge) members(at *field.Path, names []string, set ...bool) {
	var there []string
	for i, on := range set {
		if on {
			there = append(there, names[i])
		}
	}
	switch {
	case len(there) == 0:
		j.bad(at, "needs exactly one of %s", strings.Join(names, ", "))
	case len(there) > 1:
		j.bad(at, "must have one of %s, not several", strings.Join(there, ", "))
	}
}
