package helm

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
)

// GKE's node labels of a TPU slice.
const (
	tpuAccelerator = "cloud.google.com/gke-tpu-accelerator"
	tpuTopology    = "cloud.google.com/gke-tpu-topology"
)

// tpu moves GKE's node labels of a TPU slice to where a stack has them, from wherever
// the values of a role have them.
func (r *release) tpu(role *pods.Role, values *Role) {
	if role.Accelerator["type"] != "google-tpu" || role.Accelerator["dra"] != nil || serving.Simulated(role.Pod.Containers[0].Image) {
		return
	}
	slice := map[string]any{}
	var absent []string
	for _, l := range []struct{ field, label, example string }{
		{"accelerator", tpuAccelerator, "tpu-v6e-slice"}, {"topology", tpuTopology, "2x4"},
	} {
		value := cmp.Or(role.Pod.NodeSelector[l.label], required(role.Pod.Affinity, l.label))
		if t := &values.AcceleratorTypes; value == "" && t.LabelKey == l.label && len(t.LabelValues) == 1 {
			value = t.LabelValues[0]
			delete(role.Accelerator, "nodeLabel")
		}
		if value == "" {
			absent = append(absent, l.label+" as in "+l.example)
		}
		slice[l.field] = value
		for _, place := range []string{role.Name + ".nodeSelector", role.Name + ".extraConfig.nodeSelector"} {
			if from := within(place, l.label); r.msPart.Doc.Has(from) {
				r.msPart.From("spec.server.accelerator.tpu."+l.field, from)
				r.msPart.From("spec."+role.Name+".accelerator.tpu."+l.field, from)
			}
		}
	}
	if len(absent) > 0 {
		from := "accelerator.type"
		if values.Accelerator != nil && values.Accelerator.Type != "" {
			from = role.Name + "." + from
		}
		r.msPart.On("", from).Fail("google needs the node labels by which GKE picks a slice of TPUs; add to %s.nodeSelector: %s", role.Name, strings.Join(absent, ", "))
		return
	}
	role.Accelerator["tpu"] = slice
	delete(role.Pod.NodeSelector, tpuAccelerator)
	delete(role.Pod.NodeSelector, tpuTopology)
}

// required is the only value that an affinity lets a node label have.
func required(affinity *corev1.Affinity, label string) string {
	if affinity == nil || affinity.NodeAffinity == nil {
		return ""
	}
	terms := draft.Unless(affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution, &corev1.NodeSelector{}).NodeSelectorTerms
	if len(terms) != 1 {
		return ""
	}
	for _, e := range terms[0].MatchExpressions {
		if e.Key == label && e.Operator == corev1.NodeSelectorOpIn && len(e.Values) == 1 {
			return e.Values[0]
		}
	}
	return ""
}
