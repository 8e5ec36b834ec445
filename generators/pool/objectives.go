package pool

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/gateway-api-inference-extension/apix/v1alpha2"

	"github.com/inferstack/inferstack/generators/base"
)

// Objectives makes an InferenceObjective of each named priority. The kind moved from one
// API group to another without a change of its fields.
func Objectives(s *base.Stack) (objects []base.Object) {
	if !hasPool(s) {
		return nil
	}
	for _, o := range s.Spec.Objectives {
		objects = append(objects, &v1alpha2.InferenceObjective{
			TypeMeta:   metav1.TypeMeta{APIVersion: s.Line.APIs.Objective, Kind: "InferenceObjective"},
			ObjectMeta: s.Meta(base.ComponentEPP, o.Name),
			Spec: v1alpha2.InferenceObjectiveSpec{
				Priority: new(int(o.Priority)),
				PoolRef:  v1alpha2.PoolObjectReference{Group: Group, Kind: "InferencePool", Name: v1alpha2.ObjectName(s.PoolName())},
			},
		})
	}
	return objects
}
