package generators

import (
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// disruptionBudgets bounds how many servers of a role may be down for maintenance. It
// counts pods, also those of one group.
func disruptionBudgets(s *Stack) []Object {
	var objects []Object
	for _, server := range s.servers() {
		spec := server.own.DisruptionBudget
		if spec == nil {
			continue
		}
		objects = append(objects, &policyv1.PodDisruptionBudget{
			TypeMeta:   metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"},
			ObjectMeta: s.meta(server.role, server.roleName()),
			Spec: policyv1.PodDisruptionBudgetSpec{
				MinAvailable:   clone(spec.MinAvailable),
				Selector:       server.guarded(),
				MaxUnavailable: clone(spec.MaxUnavailable),
			},
		})
	}
	return objects
}

// guarded selects the role's pods, with those that only lend their accelerators to a
// leader: without one of them its group does not serve.
func (s server) guarded() *metav1.LabelSelector {
	if !s.own.Parallelism.SpansNodes() {
		return &metav1.LabelSelector{MatchLabels: s.selector(s.role)}
	}
	return &metav1.LabelSelector{
		MatchLabels: map[string]string{labelInstance: s.Metadata.Name},
		MatchExpressions: []metav1.LabelSelectorRequirement{{
			Key:      labelComponent,
			Operator: metav1.LabelSelectorOpIn,
			Values:   []string{s.role, s.role + workerSuffix},
		}},
	}
}

// clone copies what a pointer points at.
func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
