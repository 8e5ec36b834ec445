package modelservice

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// A base holds the child objects that a base configuration describes.
type base struct {
	decode, prefill               *appsv1.Deployment
	decodeService, prefillService *corev1.Service
	epp                           *appsv1.Deployment
	eppService                    *corev1.Service
	pool                          *oldPool
	route                         *gwapiv1.HTTPRoute
	model                         *oldModel
}

// oldPool is what an InferencePool of inference.networking.x-k8s.io/v1alpha2 may say
// that a stack can say too.
type oldPool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		TargetPortNumber int32 `json:"targetPortNumber,omitempty"`
	} `json:"spec,omitempty"`
}

// oldModel is what an InferenceModel may say beyond its names.
type oldModel struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Criticality string `json:"criticality,omitempty"`
	} `json:"spec,omitempty"`
}

const fromBase = "spec.baseConfigMapRef"

// base is the configuration that the ModelService refers to: a ConfigMap of the input,
// or a preset of llm-d-deployer.
func (m *service) base() base {
	ref := m.spec.BaseConfigMapRef
	if ref == nil {
		return base{}
	}
	namespace := ref.Namespace
	if namespace == "" {
		namespace = m.Doc.Namespace
	}
	names := lists.Map(m.configs, namesOf)
	i := FindBase(names, ref.Name, namespace)
	operators := i >= 0 && flatOnly(m.configs[i])
	if i >= 0 && !operators {
		return m.fromConfigMap(m.configs[i])
	}
	for _, name := range presetNames {
		if ref.Name == name || strings.HasSuffix(ref.Name, "-"+name) {
			if operators {
				m.On("spec", fromBase).Replaced().Note("the ConfigMap %s is llmd-operator's, whose keys no controller reads (%s); the preset %s takes its place", ref.Name, keysOf(m.configs[i]), name)
			}
			return m.preset(name)
		}
	}
	if operators || m.llmd != nil && slices.Contains(m.llmd.spec.ConfigMapPresets, ref.Name) {
		m.On("spec", fromBase).Warn("the base configuration is empty: llmd-operator's ConfigMap %s has keys that no controller reads, such as vllm-image, routing-proxy-image and endpoint-picker-image", ref.Name)
		return base{}
	}
	m.On("", fromBase+".name").Fail("no ConfigMap %q in the input, and no preset of that name; put it beside the ModelService, or use one of %s", ref.Name, strings.Join(presetNames, ", "))
	return base{}
}

// keysOf lists the keys of a ConfigMap.
func keysOf(doc document.Document) string {
	var keys []string
	data := doc.At("data")
	for i := 0; i+1 < len(data.Content); i += 2 {
		keys = append(keys, data.Content[i].Value)
	}
	return strings.Join(keys, ", ")
}

func (m *service) fromConfigMap(doc document.Document) (b base) {
	data := doc.At("data")
	if data == nil {
		return b
	}
	known := map[string]any{
		"decodeDeployment": &b.decode, "prefillDeployment": &b.prefill,
		"decodeService": &b.decodeService, "prefillService": &b.prefillService,
		"eppDeployment": &b.epp, "eppService": &b.eppService,
		"inferencePool": &b.pool, "inferenceModel": &b.model, "httpRoute": &b.route,
	}
	for i := 0; i+1 < len(data.Content); i += 2 {
		key, text := data.Content[i].Value, data.Content[i+1].Value
		into, ok := known[key]
		if !ok {
			m.Lost(fromBase, "%s of the ConfigMap %s", key, doc.Name)
			continue
		}
		text, err := m.evaluate(text)
		if err == nil {
			err = m.child(key, text, into)
		}
		if err != nil {
			m.Problems = append(m.Problems, doc.Problem(schema.Error, "data."+key, "for the ModelService %s: %v", m.Doc.Name, err))
		}
	}
	return b
}

// child reads a child object. A key that stands twice is the last one's, as it is for
// the controller.
func (m *service) child(key, text string, into any) error {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return err
	}
	unknown, err := kjson.UnmarshalStrict(data, into, kjson.DisallowUnknownFields)
	for _, u := range unknown {
		m.Lost(fromBase, "%s: %v", key, u)
	}
	return err
}
