// Package modelservice converts the ModelService (llm-d.ai/v1alpha1) of
// llm-d-model-service and the LLMD (llmd.opendatahub.io/v1alpha1) of llmd-operator
// that surrounds it. A ModelService is merged over its base configuration as its
// controller does; the controller is not needed afterwards.
package modelservice

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ModelService is config/crd/bases/llm-d.ai_modelservices.yaml of the controller.
type ModelService struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec           `json:"spec"`
	Status map[string]any `json:"status,omitempty"`
}

// Spec is the spec of a ModelService.
type Spec struct {
	BaseConfigMapRef *corev1.ObjectReference `json:"baseConfigMapRef,omitempty"`
	Routing          Routing                 `json:"routing"`
	ModelArtifacts   Artifacts               `json:"modelArtifacts"`
	DecoupleScaling  bool                    `json:"decoupleScaling,omitempty"`
	Decode           *PodSpec                `json:"decode,omitempty"`
	Prefill          *PodSpec                `json:"prefill,omitempty"`
	EndpointPicker   *Picker                 `json:"endpointPicker,omitempty"`
}

// Routing is how clients reach the model.
type Routing struct {
	ModelName   string       `json:"modelName"`
	Ports       []Port       `json:"ports,omitempty"`
	GatewayRefs []GatewayRef `json:"gatewayRefs,omitempty"`
}

// Port is a number that templates know by name.
type Port struct {
	Name string `json:"name"`
	Port int32  `json:"port"`
}

// GatewayRef is a parent of the HTTPRoute.
type GatewayRef struct {
	Group       string `json:"group,omitempty"`
	Kind        string `json:"kind,omitempty"`
	Name        string `json:"name"`
	Namespace   string `json:"namespace,omitempty"`
	Port        *int32 `json:"port,omitempty"`
	SectionName string `json:"sectionName,omitempty"`
}

// Artifacts is where the weights are.
type Artifacts struct {
	URI            string             `json:"uri"`
	AuthSecretName string             `json:"authSecretName,omitempty"`
	Size           *resource.Quantity `json:"size,omitempty"`
}

// PodSpec is what a ModelService says about decode or prefill pods.
type PodSpec struct {
	Replicas         *int32            `json:"replicas,omitempty"`
	Parallelism      *Parallelism      `json:"parallelism,omitempty"`
	AcceleratorTypes *AcceleratorTypes `json:"acceleratorTypes,omitempty"`
	Containers       []Container       `json:"containers,omitempty"`
	InitContainers   []Container       `json:"initContainers,omitempty"`
}

// Picker is what a ModelService says about the EPP's pods.
type Picker struct {
	Replicas       *int32      `json:"replicas,omitempty"`
	Containers     []Container `json:"containers,omitempty"`
	InitContainers []Container `json:"initContainers,omitempty"`
}

// Parallelism is vLLM's.
type Parallelism struct {
	Tensor *int32 `json:"tensor,omitempty"`
}

// AcceleratorTypes is a node label and the values that will do.
type AcceleratorTypes struct {
	LabelKey    string   `json:"labelKey"`
	LabelValues []string `json:"labelValues"`
}

// Container is merged over the container of that name.
type Container struct {
	Name             string                      `json:"name"`
	Image            string                      `json:"image,omitempty"`
	Command          []string                    `json:"command,omitempty"`
	Args             []string                    `json:"args,omitempty"`
	Env              []corev1.EnvVar             `json:"env,omitempty"`
	EnvFrom          []corev1.EnvFromSource      `json:"envFrom,omitempty"`
	Resources        corev1.ResourceRequirements `json:"resources,omitempty"`
	MountModelVolume bool                        `json:"mountModelVolume,omitempty"`
}
