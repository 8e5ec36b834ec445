package admission

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Bounds of scaling rules, in seconds (kubernetes pkg/apis/autoscaling/validation,
// MaxStabilizationWindowSeconds and MaxPeriodSeconds).
const (
	mostStabilization = 3600
	mostPeriod        = 1800
)

// scalingRules judges one direction of a HorizontalPodAutoscaler's behavior (kubernetes
// pkg/apis/autoscaling/validation, validateScalingRules). Policies that are left out have
// defaults, and an empty list has not.
func (j *judge) scalingRules(at *field.Path, r *autoscalingv2.HPAScalingRules) {
	if r == nil {
		return
	}
	if s := r.StabilizationWindowSeconds; s != nil {
		ranged(j, at.Child("stabilizationWindowSeconds"), *s, 0, mostStabilization)
	}
	if p := r.SelectPolicy; p != nil {
		need(j, at.Child("selectPolicy"), *p, autoscalingv2.MaxChangePolicySelect, autoscalingv2.MinChangePolicySelect, autoscalingv2.DisabledPolicySelect)
	}
	if t := r.Tolerance; t != nil && t.Sign() < 0 {
		j.bad(at.Child("tolerance"), "must not be negative (got %s)", t)
	}
	if r.Policies != nil && len(r.Policies) == 0 {
		j.bad(at.Child("policies"), "must have an entry, or be left out")
	}
	for i, p := range r.Policies {
		at := at.Child("policies").Index(i)
		need(j, at.Child("type"), p.Type, autoscalingv2.PodsScalingPolicy, autoscalingv2.PercentScalingPolicy)
		if p.Value <= 0 {
			j.bad(at.Child("value"), "must be greater than 0 (got %d)", p.Value)
		}
		ranged(j, at.Child("periodSeconds"), p.PeriodSeconds, 1, mostPeriod)
	}
}
