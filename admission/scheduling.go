package admission

import (
	"maps"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func (j *judge) toleration(at *field.Path, t *corev1.Toleration) {
	j.optional(at.Child("key"), t.Key, labelKey)
	oneOf(j, at.Child("operator"), t.Operator, corev1.TolerationOpExists, corev1.TolerationOpEqual, corev1.TolerationOpLt, corev1.TolerationOpGt)
	oneOf(j, at.Child("effect"), t.Effect, corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute)
	switch {
	case t.Key == "" && t.Operator != corev1.TolerationOpExists:
		j.bad(at.Child("operator"), "must be Exists where there is no key")
	case t.Operator == corev1.TolerationOpExists && t.Value != "":
		j.bad(at.Child("value"), "must be left out with operator: Exists (got %q)", t.Value)
	case t.Operator == corev1.TolerationOpLt || t.Operator == corev1.TolerationOpGt:
		j.bad(at.Child("operator"), "%s needs a feature of Kubernetes that is off by default, TaintTolerationComparisonOperators", t.Operator)
	default:
		j.optional(at.Child("value"), t.Value, labelValue)
	}
	if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
		j.bad(at.Child("tolerationSeconds"), "needs effect: NoExecute, the only one that removes pods")
	}
}

func (j *judge) spread(at *field.Path, c *corev1.TopologySpreadConstraint) {
	least(j, at.Child("maxSkew"), c.MaxSkew, 1)
	if c.TopologyKey == "" {
		j.missing(at.Child("topologyKey"))
	}
	need(j, at.Child("whenUnsatisfiable"), c.WhenUnsatisfiable, corev1.DoNotSchedule, corev1.ScheduleAnyway)
	if c.MinDomains != nil {
		least(j, at.Child("minDomains"), *c.MinDomains, 1)
		if c.WhenUnsatisfiable == corev1.ScheduleAnyway {
			j.bad(at.Child("minDomains"), "needs whenUnsatisfiable: DoNotSchedule")
		}
	}
	for name, policy := range map[string]*corev1.NodeInclusionPolicy{"nodeAffinityPolicy": c.NodeAffinityPolicy, "nodeTaintsPolicy": c.NodeTaintsPolicy} {
		if policy != nil {
			need(j, at.Child(name), *policy, corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore)
		}
	}
	j.selector(at.Child("labelSelector"), c.LabelSelector)
	j.matchKeys(at.Child("matchLabelKeys"), c.MatchLabelKeys, c.LabelSelector)
}

// repeated refuses two constraints that spread over the same domains in the same way.
func (j *judge) repeated(at *field.Path, list []corev1.TopologySpreadConstraint) {
	seen := map[[2]string]bool{}
	for i, c := range list {
		key := [2]string{c.TopologyKey, string(c.WhenUnsatisfiable)}
		if seen[key] {
			j.bad(at.Index(i).Child("topologyKey"), "%s stands twice with whenUnsatisfiable: %s", c.TopologyKey, c.WhenUnsatisfiable)
		}
		seen[key] = true
	}
}

// matchKeys judges the labels whose values a pod is compared by. The selector that they
// add to has to be there, and must not have them already.
func (j *judge) matchKeys(at *field.Path, keys []string, s *metav1.LabelSelector) {
	if len(keys) > 0 && s == nil {
		j.bad(at, "needs labelSelector beside it")
		return
	}
	for i, key := range keys {
		j.text(at.Index(i), key, labelKey)
		_, there := s.MatchLabels[key]
		for _, e := range s.MatchExpressions {
			there = there || e.Key == key
		}
		if there {
			j.bad(at.Index(i), "%q is in labelSelector as well", key)
		}
	}
}

func (j *judge) selector(at *field.Path, s *metav1.LabelSelector) {
	if s == nil {
		return
	}
	j.labels(at.Child("matchLabels"), s.MatchLabels)
	for i, e := range s.MatchExpressions {
		at := at.Child("matchExpressions").Index(i)
		j.text(at.Child("key"), e.Key, labelKey)
		need(j, at.Child("operator"), e.Operator, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)
		j.values(at.Child("values"), string(e.Operator), e.Values)
	}
}

// values judges the values of an operator that has some, or has none.
func (j *judge) values(at *field.Path, operator string, values []string) {
	switch {
	case (operator == "In" || operator == "NotIn") && len(values) == 0:
		j.bad(at, "required, but missing: the operators In and NotIn have values")
	case (operator == "Exists" || operator == "DoesNotExist") && len(values) > 0:
		j.bad(at, "must be left out: the operators Exists and DoesNotExist have no values")
	}
	for i, v := range values {
		j.optional(at.Index(i), v, labelValue)
	}
}

func (j *judge) labels(at *field.Path, labels map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		j.text(at.Key(key), key, labelKey)
		j.optional(at.Key(key), labels[key], labelValue)
	}
}

func (j *judge) affinity(at *field.Path, a *corev1.Affinity) {
	const required, preferred = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
	if n := a.NodeAffinity; n != nil {
		at := at.Child("nodeAffinity")
		if r := n.RequiredDuringSchedulingIgnoredDuringExecution; r != nil {
			at := at.Child(required).Child("nodeSelectorTerms")
			if len(r.NodeSelectorTerms) == 0 {
				j.bad(at, "must have at least one term")
			}
			for i := range r.NodeSelectorTerms {
				j.nodeTerm(at.Index(i), &r.NodeSelectorTerms[i])
			}
		}
		for i := range n.PreferredDuringSchedulingIgnoredDuringExecution {
			term := &n.PreferredDuringSchedulingIgnoredDuringExecution[i]
			ranged(j, at.Child(preferred).Index(i).Child("weight"), term.Weight, 1, 100)
			j.nodeTerm(at.Child(preferred).Index(i).Child("preference"), &term.Preference)
		}
	}
	if p := a.PodAffinity; p != nil {
		j.podTerms(at.Child("podAffinity").Child(required), p.RequiredDuringSchedulingIgnoredDuringExecution)
		j.weighted(at.Child("podAffinity").Child(preferred), p.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if p := a.PodAntiAffinity; p != nil {
		j.podTerms(at.Child("podAntiAffinity").Child(required), p.RequiredDuringSchedulingIgnoredDuringExecution)
		j.weighted(at.Child("podAntiAffinity").Child(preferred), p.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

func (j *judge) nodeTerm(at *field.Path, t *corev1.NodeSelectorTerm) {
	for i, e := range t.MatchExpressions {
		at := at.Child("matchExpressions").Index(i)
		j.text(at.Child("key"), e.Key, labelKey)
		need(j, at.Child("operator"), e.Operator, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists,
			corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt)
		if e.Operator == corev1.NodeSelectorOpGt || e.Operator == corev1.NodeSelectorOpLt {
			j.bound(at.Child("values"), e.Values)
			continue
		}
		j.values(at.Child("values"), string(e.Operator), e.Values)
	}
	for i, f := range t.MatchFields {
		at := at.Child("matchFields").Index(i)
		need(j, at.Child("key"), f.Key, metav1.ObjectNameField)
		need(j, at.Child("operator"), f.Operator, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn)
		if len(f.Values) != 1 {
			j.bad(at.Child("values"), "must be exactly one name of a node (has %d)", len(f.Values))
		}
		for k, v := range f.Values {
			j.text(at.Child("values").Index(k), v, dnsSubdomain)
		}
	}
}

// bound judges the number that Gt and Lt compare with.
func (j *judge) bound(at *field.Path, values []string) {
	if len(values) != 1 {
		j.bad(at, "must be exactly one number with the operators Gt and Lt (has %d)", len(values))
		return
	}
	if _, err := strconv.ParseInt(values[0], 10, 64); err != nil || labelValue.flaws(values[0]) != nil {
		j.bad(at.Index(0), "must be a whole number with the operators Gt and Lt (got %q)", values[0])
	}
}

func (j *judge) weighted(at *field.Path, terms []corev1.WeightedPodAffinityTerm) {
	for i := range terms {
		ranged(j, at.Index(i).Child("weight"), terms[i].Weight, 1, 100)
		j.podTerm(at.Index(i).Child("podAffinityTerm"), &terms[i].PodAffinityTerm)
	}
}

func (j *judge) podTerms(at *field.Path, terms []corev1.PodAffinityTerm) {
	for i := range terms {
		j.podTerm(at.Index(i), &terms[i])
	}
}

func (j *judge) podTerm(at *field.Path, t *corev1.PodAffinityTerm) {
	j.text(at.Child("topologyKey"), t.TopologyKey, labelKey)
	j.selector(at.Child("labelSelector"), t.LabelSelector)
	j.selector(at.Child("namespaceSelector"), t.NamespaceSelector)
	for i, ns := range t.Namespaces {
		j.text(at.Child("namespaces").Index(i), ns, dnsLabel)
	}
	j.matchKeys(at.Child("matchLabelKeys"), t.MatchLabelKeys, t.LabelSelector)
	j.matchKeys(at.Child("mismatchLabelKeys"), t.MismatchLabelKeys, t.LabelSelector)
	for i, key := range t.MatchLabelKeys {
		if slices.Contains(t.MismatchLabelKeys, key) {
			j.bad(at.Child("matchLabelKeys").Index(i), "%q is in mismatchLabelKeys as well", key)
		}
	}
}
