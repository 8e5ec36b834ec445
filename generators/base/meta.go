package base

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/schema"
)

// LabelGatewayName is the label of a Gateway's proxy pods (Gateway API, GEP-1762).
const LabelGatewayName = "gateway.networking.k8s.io/gateway-name"

// ChecksumAnnotation rolls the pods when a configuration changes that they read only at
// their start.
const ChecksumAnnotation = "inferstack.dev/config-checksum"

// Labels of llm-d by which pools select pods and EPP filters tell roles apart
// (llm-d-router pkg/epp/framework/plugins/…/filter, llm-d-modelservice chart 0.4.12).
const (
	LabelServing = "llm-d.ai/inference-serving"
	LabelModel   = "llm-d.ai/model"
	LabelRole    = "llm-d.ai/role"
)

// Recommended labels of Kubernetes.
const (
	labelName      = "app.kubernetes.io/name"
	LabelInstance  = "app.kubernetes.io/instance"
	LabelComponent = "app.kubernetes.io/component"
	labelPartOf    = "app.kubernetes.io/part-of"
	labelManagedBy = "app.kubernetes.io/managed-by"
)

// Selector returns the labels that tell a component's pods from all others. They are
// frozen: a Deployment's selector cannot change, so nothing a user writes gets in, unless the
// Deployment was there before the stack.
func (s *Stack) Selector(component string) map[string]string {
	if own := s.Spec.Scheduler.Selector; component == ComponentEPP && len(own) > 0 {
		return maps.Clone(own)
	}
	return s.Identity(component)
}

// Identity returns the labels that tell a component's objects from all others.
func (s *Stack) Identity(component string) map[string]string {
	return map[string]string{
		LabelInstance:  s.Metadata.Name,
		LabelComponent: component,
	}
}

// Labels returns the labels of a component's objects.
func (s *Stack) Labels(component string) map[string]string {
	labels := s.Identity(component)
	labels[labelName] = "llm-d"
	labels[labelPartOf] = "llm-d"
	labels[labelManagedBy] = "inferstack"
	return labels
}

// Meta returns the metadata of an object of a component in the stack's namespace.
func (s *Stack) Meta(component, name string) metav1.ObjectMeta {
	return s.MetaIn(s.Namespace(), component, name)
}

// MetaIn is meta for another namespace.
func (s *Stack) MetaIn(namespace, component, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: s.Labels(component)}
}

// PoolSelector returns the labels by which the pool selects the server pods. It holds
// no component label: decode and prefill pods are in one pool, helper pods in none.
func (s *Stack) PoolSelector() map[string]string {
	if len(s.Spec.Pool.Selector) > 0 {
		return maps.Clone(s.Spec.Pool.Selector)
	}
	return map[string]string{
		LabelInstance: s.Metadata.Name,
		LabelServing:  "true",
	}
}

// PodLabels returns the labels of a role's pods: what the workload selects by, what
// the pool selects by, and what the EPP's filters read.
func (s Server) PodLabels() map[string]string {
	labels := maps.Clone(s.Spec.Server.PodLabels)
	if labels == nil {
		labels = map[string]string{}
	}
	maps.Copy(labels, s.Own.PodLabels)
	if len(s.Own.Selector) == 0 {
		maps.Copy(labels, s.Labels(s.Role))
		labels[LabelServing] = "true"
		labels[LabelModel] = s.modelLabel()
	}
	maps.Copy(labels, s.OwnSelector())
	if _, said := labels[LabelRole]; len(s.Own.Selector) == 0 || !said && s.Spec.Prefill != nil {
		labels[LabelRole] = s.Role
	}
	if engine, other := s.EngineOf(s.Line); other && s.Line.EPP.EngineLabel != "" {
		labels[s.Line.EPP.EngineLabel] = engine.Type
	}
	maps.Copy(labels, s.PoolSelector())
	return labels
}

var labelSafe = strings.NewReplacer("/", "-", ":", "-")

// modelLabel makes the model's name fit a label value: at most 63 characters and no /.
func (s *Stack) modelLabel() string {
	if s.Spec.Model.Label != "" {
		return s.Spec.Model.Label
	}
	label := labelSafe.Replace(s.Spec.Model.Name)
	if len(label) > MaxLabel {
		label = label[:MaxLabel]
	}
	return strings.Trim(label, "-_.")
}

// Described adds the labels and annotations that sections give a workload, those of a later
// section over those of an earlier one, and the stack's own over all.
func Described(meta metav1.ObjectMeta, sections ...*schema.Pod) metav1.ObjectMeta {
	for _, p := range slices.Backward(sections) {
		meta.Labels = Joined(p.Labels, meta.Labels)
		meta.Annotations = Joined(p.Annotations, meta.Annotations)
	}
	return meta
}
