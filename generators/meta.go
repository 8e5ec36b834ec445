package generators

import (
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Labels of llm-d by which pools select pods and EPP filters tell roles apart
// (llm-d-router pkg/epp/framework/plugins/…/filter, llm-d-modelservice chart 0.4.12).
const (
	labelServing = "llm-d.ai/inference-serving"
	labelModel   = "llm-d.ai/model"
	labelRole    = "llm-d.ai/role"
)

// Recommended labels of Kubernetes.
const (
	labelName      = "app.kubernetes.io/name"
	labelInstance  = "app.kubernetes.io/instance"
	labelComponent = "app.kubernetes.io/component"
	labelPartOf    = "app.kubernetes.io/part-of"
	labelManagedBy = "app.kubernetes.io/managed-by"
)

// selector returns the labels that tell a component's pods from all others. They are
// frozen: a Deployment's selector cannot change, so nothing a user writes gets in.
func (s *Stack) selector(component string) map[string]string {
	return map[string]string{
		labelInstance:  s.Metadata.Name,
		labelComponent: component,
	}
}

// labels returns the labels of a component's objects.
func (s *Stack) labels(component string) map[string]string {
	labels := s.selector(component)
	labels[labelName] = "llm-d"
	labels[labelPartOf] = "llm-d"
	labels[labelManagedBy] = "inferstack"
	return labels
}

// meta returns the metadata of an object of a component in the stack's namespace.
func (s *Stack) meta(component, name string) metav1.ObjectMeta {
	return s.metaIn(s.namespace(), component, name)
}

// metaIn is meta for another namespace.
func (s *Stack) metaIn(namespace, component, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: s.labels(component)}
}

// poolSelector returns the labels by which the pool selects the server pods. It holds
// no component label: decode and prefill pods are in one pool, helper pods in none.
func (s *Stack) poolSelector() map[string]string {
	if len(s.Spec.Pool.Selector) > 0 {
		return maps.Clone(s.Spec.Pool.Selector)
	}
	return map[string]string{
		labelInstance: s.Metadata.Name,
		labelServing:  "true",
	}
}

// serverLabels returns the labels of a role's pods: what the workload selects by, what
// the pool selects by, and what the EPP's filters read.
func (s server) serverLabels() map[string]string {
	labels := maps.Clone(s.Spec.Server.PodLabels)
	if labels == nil {
		labels = map[string]string{}
	}
	maps.Copy(labels, s.own.PodLabels)
	maps.Copy(labels, s.labels(s.role))
	labels[labelServing] = "true"
	labels[labelModel] = s.modelLabel()
	labels[labelRole] = s.role
	maps.Copy(labels, s.poolSelector())
	return labels
}

var labelSafe = strings.NewReplacer("/", "-", ":", "-")

// modelLabel makes the model's name fit a label value: at most 63 characters and no /.
func (s *Stack) modelLabel() string {
	if s.Spec.Model.Label != "" {
		return s.Spec.Model.Label
	}
	label := labelSafe.Replace(s.Spec.Model.Name)
	if len(label) > maxLabel {
		label = label[:maxLabel]
	}
	return strings.Trim(label, "-_.")
}
