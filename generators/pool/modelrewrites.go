package pool

import (
	"sigs.k8s.io/gateway-api-inference-extension/apix/v1alpha2"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/schema"
)

// ModelRewrites makes an InferenceModelRewrite of each alias or rollout. It is served in the
// group and version of the line's InferenceObjective.
func ModelRewrites(s *base.Stack) (objects []base.Object) {
	if !hasPool(s) {
		return nil
	}
	for _, r := range s.Spec.ModelRewrites {
		objects = append(objects, &v1alpha2.InferenceModelRewrite{
			TypeMeta:   metav1.TypeMeta{APIVersion: s.Line.APIs.Objective, Kind: "InferenceModelRewrite"},
			ObjectMeta: s.Meta(base.ComponentEPP, r.Name),
			Spec: v1alpha2.InferenceModelRewriteSpec{
				PoolRef: &v1alpha2.PoolObjectReference{Group: Group, Kind: "InferencePool", Name: v1alpha2.ObjectName(s.PoolName())},
				Rules:   []v1alpha2.InferenceModelRewriteRule{rewriteRule(r)},
			},
		})
	}
	return objects
}

// rewriteRule shares requests out evenly where no target has a weight: the CRD has none that
// stands for a missing one.
func rewriteRule(r schema.ModelRewrite) (rule v1alpha2.InferenceModelRewriteRule) {
	for _, name := range r.Models {
		rule.Matches = append(rule.Matches, v1alpha2.Match{Model: &v1alpha2.ModelMatch{
			Type: new(v1alpha2.MatchExact), Value: name,
		}})
	}
	for _, t := range r.Targets {
		weight := int32(1)
		if t.Weight != nil {
			weight = *t.Weight
		}
		rule.Targets = append(rule.Targets, v1alpha2.TargetModel{ModelRewrite: t.Model, Weight: weight})
	}
	return rule
}
