// Package schedop converts the InferenceScheduler (llm.llm-d.io/v1alpha1) of
// llm-d-inference-scheduler-operator.
package schedop

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// InferenceScheduler is config/crd/bases/llm.llm-d.io_inferenceschedulers.yaml of the
// operator.
type InferenceScheduler struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec           `json:"spec"`
	Status map[string]any `json:"status,omitempty"`
}

// Spec is the spec of an InferenceScheduler.
type Spec struct {
	ModelServer    ModelServer    `json:"modelServer"`
	EndpointPicker EndpointPicker `json:"endpointPicker,omitempty"`
	Gateway        Gateway        `json:"gateway,omitempty"`
}

// ModelServer is the model and its servers.
type ModelServer struct {
	Type                 string                      `json:"type,omitempty"`
	ModelName            string                      `json:"modelName"`
	Replicas             *int32                      `json:"replicas,omitempty"`
	Image                string                      `json:"image,omitempty"`
	Resources            corev1.ResourceRequirements `json:"resources,omitempty"`
	EnablePrefixCaching  *bool                       `json:"enablePrefixCaching,omitempty"`
	GPUMemoryUtilization *float64                    `json:"gpuMemoryUtilization,omitempty"`
	HFTokenSecretName    string                      `json:"hfTokenSecretName"`
	Port                 *int32                      `json:"port,omitempty"`
	Labels               map[string]string           `json:"labels,omitempty"`
}

// EndpointPicker is the EPP.
type EndpointPicker struct {
	Image     string                      `json:"image,omitempty"`
	Replicas  *int32                      `json:"replicas,omitempty"`
	GRPCPort  *int32                      `json:"grpcPort,omitempty"`
	Plugins   *Plugins                    `json:"plugins,omitempty"`
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
}

// Plugins are the EPP's scorers; one that is left out is off.
type Plugins struct {
	LoadAwareScorer          *Scorer `json:"loadAwareScorer,omitempty"`
	PrefixCacheScorer        *Scorer `json:"prefixCacheScorer,omitempty"`
	KVCacheUtilizationScorer *Scorer `json:"kvCacheUtilizationScorer,omitempty"`
}

// Scorer is one scorer; one that is there is on.
type Scorer struct {
	Enabled    *bool             `json:"enabled,omitempty"`
	Weight     *float64          `json:"weight,omitempty"`
	Parameters map[string]string `json:"parameters,omitempty"`
}

// Gateway is the Gateway in front.
type Gateway struct {
	ClassName    string `json:"className,omitempty"`
	ListenerPort *int32 `json:"listenerPort,omitempty"`
	ServiceType  string `json:"serviceType,omitempty"`
	Name         string `json:"name,omitempty"`
}
