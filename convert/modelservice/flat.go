package modelservice

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema/document"
)

// flat is what llmd-operator writes into the ConfigMap of a preset (createConfigMapPreset
// in internal/controller/llmd_controller.go): keys that the ModelService controller does
// not read. A name that it does not know gets the three images alone.
func flat(name string) map[string]string {
	data := map[string]string{
		"vllm-image":            release.DefaultImage("llmd-operator/vllm"),
		"routing-proxy-image":   release.DefaultImage("llmd-operator/sidecar"),
		"endpoint-picker-image": release.DefaultImage("llmd-operator/epp"),
	}
	if !slices.Contains(presetNames, name) {
		return data
	}
	data["inference-sim-image"] = release.DefaultImage("llmd-operator/simulator")
	data["gpu-resources"] = "nvidia.com/gpu: 1"
	data["tensor-parallel-size"] = "1"
	if name != presetBasic {
		data["nixl-enabled"] = "true"
	}
	if name == presetRedis {
		data["redis-lookup-enabled"] = "true"
	}
	return data
}

// flatOnly reports whether a ConfigMap holds nothing but such keys.
func flatOnly(doc document.Document) bool {
	data := doc.At("data")
	if data == nil || len(data.Content) == 0 {
		return false
	}
	known := flat(presetRedis)
	for i := 0; i+1 < len(data.Content); i += 2 {
		if _, ok := known[data.Content[i].Value]; !ok {
			return false
		}
	}
	return true
}

// mounted are the ConfigMaps that the containers of a ModelService and of its base
// configuration take variables or files from.
func (m *service) mounted(b *base) []string {
	var out []string
	for _, c := range m.ownContainers() {
		out = append(out, fromEnv(c.Env, c.EnvFrom)...)
	}
	pods := []*corev1.PodSpec{}
	if b.decode != nil {
		pods = append(pods, &b.decode.Spec.Template.Spec)
	}
	if b.prefill != nil && m.spec.Prefill != nil {
		pods = append(pods, &b.prefill.Spec.Template.Spec)
	}
	if b.epp != nil {
		pods = append(pods, &b.epp.Spec.Template.Spec)
	}
	for _, pod := range pods {
		for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
			out = append(out, fromEnv(c.Env, c.EnvFrom)...)
		}
		for i := range pod.Volumes {
			if v := pod.Volumes[i].ConfigMap; v != nil {
				out = append(out, v.Name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (m *service) ownContainers() (out []Container) {
	for _, role := range []*PodSpec{m.spec.Decode, m.spec.Prefill} {
		if role != nil {
			out = append(out, slices.Concat(role.Containers, role.InitContainers)...)
		}
	}
	if e := m.spec.EndpointPicker; e != nil {
		out = append(out, slices.Concat(e.Containers, e.InitContainers)...)
	}
	return out
}

func fromEnv(env []corev1.EnvVar, from []corev1.EnvFromSource) (out []string) {
	for _, e := range env {
		if v := e.ValueFrom; v != nil && v.ConfigMapKeyRef != nil {
			out = append(out, v.ConfigMapKeyRef.Name)
		}
	}
	for _, f := range from {
		if f.ConfigMapRef != nil {
			out = append(out, f.ConfigMapRef.Name)
		}
	}
	return out
}

// presetMaps makes the ConfigMaps of presets that the ModelService's containers take
// variables from, where the LLMD lists them and the input has none of that name.
func (m *service) presetMaps(b *base) (out []*yaml.Node) {
	for _, name := range m.mounted(b) {
		given := slices.ContainsFunc(m.configs, func(doc document.Document) bool {
			return doc.Name == name && (doc.Namespace == m.Doc.Namespace || doc.Namespace == "" || m.Doc.Namespace == "")
		})
		listed := m.llmd != nil && slices.Contains(m.llmd.spec.ConfigMapPresets, name)
		switch {
		case given:
		case listed:
			m.llmd.mounted = append(m.llmd.mounted, name)
			out = append(out, draft.Node(&corev1.ConfigMap{
				TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
				ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: m.Doc.Namespace},
				Data:       flat(name),
			}))
		case slices.Contains(presetNames, name):
			m.On("spec", "spec").Warn("nothing here makes the ConfigMap %s, from which containers take variables: they start only where it exists; an LLMD beside the ModelService that lists it in configMapPresets makes it", name)
		}
	}
	return out
}

// idlePresets says which presets of the LLMD nothing takes variables from.
func (l *llmd) idlePresets() {
	idle := slices.DeleteFunc(slices.Clone(l.spec.ConfigMapPresets), func(name string) bool { return slices.Contains(l.mounted, name) })
	if len(idle) > 0 && len(l.serves) > 0 {
		l.draft.Part(l.doc).On("", "spec.configMapPresets").Note("no ConfigMap %s is made: nothing here takes variables from it, and a ModelService that refers to one has what it stands for", strings.Join(idle, " or "))
	}
}
