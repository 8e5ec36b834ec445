package scaling

import (
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
)

// DisruptionBudgets bounds how many servers of a role may be down for maintenance. It
// counts pods, also those of one group.
func DisruptionBudgets(s *base.Stack) (objects []base.Object) {
	for _, server := range s.Servers() {
		spec := server.Own.DisruptionBudget
		if spec == nil {
			continue
		}
		objects = append(objects, &policyv1.PodDisruptionBudget{
			TypeMeta:   metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"},
			ObjectMeta: server.OwnMeta(server.WorkloadName()),
			Spec: policyv1.PodDisruptionBudgetSpec{
				MinAvailable:   base.Clone(spec.MinAvailable),
				Selector:       guarded(server),
				MaxUnavailable: base.Clone(spec.MaxUnavailable),
			},
		})
	}
	return objects
}

// guarded selects the role's pods, with those that only lend their accelerators to a
// leader: without one of them its group does not serve.
func guarded(s base.Server) *metav1.LabelSelector {
	if !s.Own.Parallelism.SpansNodes() {
		return &metav1.LabelSelector{MatchLabels: s.OwnSelector()}
	}
	labels := s.OwnSelector()
	delete(labels, base.LabelComponent)
	return &metav1.LabelSelector{
		MatchLabels: labels,
		MatchExpressions: []metav1.LabelSelectorRequirement{{
			Key:      base.LabelComponent,
			Operator: metav1.LabelSelectorOpIn,
			Values:   []string{s.Role, s.Role + base.WorkerSuffix},
		}},
	}
}
