package server

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
)

// tolerations joins the accelerator's, the server section's and the role's. Equal
// ones are written once.
func (s server) tolerations() (out []corev1.Toleration) {
	all := slices.Concat(s.acceleratorTolerations(), base.Clones(s.Spec.Server.Tolerations), base.Clones(s.Own.Tolerations))
	for _, t := range all {
		if !slices.ContainsFunc(out, func(o corev1.Toleration) bool { return o.MatchToleration(&t) }) {
			out = append(out, t)
		}
	}
	return out
}

// spread lets a constraint that selects no pods count those of its own role.
func (s server) spread() []corev1.TopologySpreadConstraint {
	all := append(base.Clones(s.Spec.Server.TopologySpreadConstraints), base.Clones(s.Own.TopologySpreadConstraints)...)
	for i := range all {
		if all[i].LabelSelector == nil {
			all[i].LabelSelector = &metav1.LabelSelector{MatchLabels: s.OwnSelector()}
		}
	}
	return all
}

// affinity is the role's affinity, or else the server section's, with the models of
// accelerator that will do added to every node selector term: terms are alternatives.
func (s server) affinity() *corev1.Affinity {
	affinity := s.Own.Affinity
	if affinity == nil {
		affinity = s.Spec.Server.Affinity
	}
	affinity = affinity.DeepCopy()
	label := s.AcceleratorOf(s.Own).NodeLabel
	if label == nil || s.Simulated() {
		return affinity
	}
	if affinity == nil {
		affinity = &corev1.Affinity{}
	}
	if affinity.NodeAffinity == nil {
		affinity.NodeAffinity = &corev1.NodeAffinity{}
	}
	required := affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil || len(required.NodeSelectorTerms) == 0 {
		required = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{}}}
		affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = required
	}
	for i := range required.NodeSelectorTerms {
		term := &required.NodeSelectorTerms[i]
		term.MatchExpressions = append(term.MatchExpressions, corev1.NodeSelectorRequirement{
			Key:      label.Key,
			Operator: corev1.NodeSelectorOpIn,
			Values:   slices.Clone(label.Values),
		})
	}
	return affinity
}
