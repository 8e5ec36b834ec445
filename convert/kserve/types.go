// Package kserve converts KServe's LLMInferenceService (serving.kserve.io/v1alpha1 and
// v1alpha2) with the LLMInferenceServiceConfigs that it names. What KServe's controller
// merges into it, presets included, is merged here in the same order; the controller is not
// needed afterwards.
package kserve

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// Service is LLMInferenceService, and LLMInferenceServiceConfig, which has the same spec
// (kserve pkg/apis/serving, v0.20.0; rolloutStrategy, scaling.keda and scheduler.tokenizer
// came after it).
type Service struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec           `json:"spec,omitempty"`
	Status map[string]any `json:"status,omitempty"`
}

// Spec is the spec of both kinds. The names of its Go fields are those that templates use.
type Spec struct {
	Model              Model               `json:"model,omitempty"`
	StorageInitializer *StorageInitializer `json:"storageInitializer,omitempty"`
	WorkloadSpec       `json:",inline"`
	Router             *Router                       `json:"router,omitempty"`
	Prefill            *WorkloadSpec                 `json:"prefill,omitempty"`
	Tracing            *Tracing                      `json:"tracing,omitempty"`
	BaseRefs           []corev1.LocalObjectReference `json:"baseRefs,omitempty"`
}

// WorkloadSpec is one set of servers.
type WorkloadSpec struct {
	Replicas          *int32             `json:"replicas,omitempty"`
	Scaling           *Scaling           `json:"scaling,omitempty"`
	Parallelism       *Parallelism       `json:"parallelism,omitempty"`
	Labels            map[string]string  `json:"labels,omitempty"`
	Annotations       map[string]string  `json:"annotations,omitempty"`
	Template          *PodSpec           `json:"template,omitempty"`
	Worker            *PodSpec           `json:"worker,omitempty"`
	KVCacheOffloading *KVCacheOffloading `json:"kvCacheOffloading,omitempty"`
	RolloutStrategy   *RolloutStrategy   `json:"rolloutStrategy,omitempty"`
}

// PodSpec is a pod of which containers may be left out: a preset has them.
type PodSpec struct {
	corev1.PodSpec `json:",inline"`
	Containers     []corev1.Container `json:"containers,omitempty"`
}

// RolloutStrategy is how servers are replaced.
type RolloutStrategy struct {
	MaxUnavailable any `json:"maxUnavailable,omitempty"`
	MaxSurge       any `json:"maxSurge,omitempty"`
}

// Model is where the weights are.
type Model struct {
	URI          string        `json:"uri,omitempty"`
	Name         *string       `json:"name,omitempty"`
	Criticality  string        `json:"criticality,omitempty"`
	LoRA         *LoRA         `json:"lora,omitempty"`
	Confidential *Confidential `json:"confidential,omitempty"`
}

// LoRA are the adapters of the model.
type LoRA struct {
	Adapters       []Adapter `json:"adapters,omitempty"`
	MaxRank        *int32    `json:"maxRank,omitempty"`
	MaxAdapters    *int32    `json:"maxAdapters,omitempty"`
	MaxCPUAdapters *int32    `json:"maxCpuAdapters,omitempty"`
}

// Adapter is one of them. KServe has the type of a model for it, of which it reads this.
type Adapter struct {
	URI         string  `json:"uri,omitempty"`
	Name        *string `json:"name,omitempty"`
	Criticality string  `json:"criticality,omitempty"`
}

// Confidential is a model that is decrypted on the node.
type Confidential struct {
	Enabled    bool    `json:"enabled,omitempty"`
	ResourceID *string `json:"resourceId,omitempty"`
}

// StorageInitializer turns the download of the weights off.
type StorageInitializer struct {
	Enabled *bool `json:"enabled,omitempty"`
}

// Parallelism is vLLM's.
type Parallelism struct {
	Tensor      *int32 `json:"tensor,omitempty"`
	Pipeline    *int32 `json:"pipeline,omitempty"`
	Data        *int32 `json:"data,omitempty"`
	DataLocal   *int32 `json:"dataLocal,omitempty"`
	DataRPCPort *int32 `json:"dataRPCPort,omitempty"`
	Expert      bool   `json:"expert,omitempty"`
}

// Scaling is the number of servers as something else sets it.
type Scaling struct {
	MinReplicas *int32 `json:"minReplicas,omitempty"`
	MaxReplicas int32  `json:"maxReplicas,omitempty"`
	WVA         *WVA   `json:"wva,omitempty"`
	KEDA        *KEDA  `json:"keda,omitempty"`
}

// WVA is scaling by llm-d's workload variant autoscaler.
type WVA struct {
	VariantCost string  `json:"variantCost,omitempty"`
	HPA         *WVAHPA `json:"hpa,omitempty"`
	KEDA        *KEDA   `json:"keda,omitempty"`
}

// WVAHPA is a HorizontalPodAutoscaler that follows the autoscaler's numbers.
type WVAHPA struct {
	Behavior map[string]any `json:"behavior,omitempty"`
}

// KEDA is scaling by a ScaledObject.
type KEDA struct {
	Triggers              []map[string]any `json:"triggers,omitempty"`
	PollingInterval       *int32           `json:"pollingInterval,omitempty"`
	CooldownPeriod        *int32           `json:"cooldownPeriod,omitempty"`
	InitialCooldownPeriod *int32           `json:"initialCooldownPeriod,omitempty"`
	IdleReplicaCount      *int32           `json:"idleReplicaCount,omitempty"`
	Fallback              map[string]any   `json:"fallback,omitempty"`
	Advanced              map[string]any   `json:"advanced,omitempty"`
}

// KVCacheOffloading keeps evicted blocks.
type KVCacheOffloading struct {
	CPU            resource.Quantity `json:"cpu"`
	EvictionPolicy string            `json:"evictionPolicy,omitempty"`
	Secondary      []SecondaryTier   `json:"secondary,omitempty"`
}

// SecondaryTier is where blocks go that host memory evicts.
type SecondaryTier struct {
	FileSystem *FileSystemTier `json:"fileSystem,omitempty"`
}

// FileSystemTier is a volume.
type FileSystemTier struct {
	EmptyDir *EmptyDirTier `json:"emptyDir,omitempty"`
	PVC      *PVCTier      `json:"pvc,omitempty"`
}

// EmptyDirTier is a volume of the pod.
type EmptyDirTier struct {
	Size resource.Quantity `json:"size"`
}

// PVCTier is a claim.
type PVCTier struct {
	Spec *corev1.PersistentVolumeClaimSpec `json:"spec,omitempty"`
	Ref  *PVCRef                           `json:"ref,omitempty"`
}

// PVCRef is a claim that exists.
type PVCRef struct {
	Name string `json:"name"`
	Path string `json:"path,omitempty"`
}

// Tracing is OpenTelemetry's.
type Tracing struct {
	ExporterEndpoint *string `json:"exporterEndpoint,omitempty"`
	Sampler          *string `json:"sampler,omitempty"`
	SamplerArg       *string `json:"samplerArg,omitempty"`
	Exporter         *string `json:"exporter,omitempty"`
}

// Router is the way in.
type Router struct {
	Route     *Route     `json:"route,omitempty"`
	Gateway   *Gateway   `json:"gateway,omitempty"`
	Ingress   *Ingress   `json:"ingress,omitempty"`
	Scheduler *Scheduler `json:"scheduler,omitempty"`
}

// Route is the HTTPRoute.
type Route struct {
	HTTP   *HTTP   `json:"http,omitempty"`
	Group  *string `json:"group,omitempty"`
	Weight *int32  `json:"weight,omitempty"`
}

// HTTP is a route of the service's own, or others that lead to it.
type HTTP struct {
	Refs []corev1.LocalObjectReference `json:"refs,omitempty"`
	Spec *gwapiv1.HTTPRouteSpec        `json:"spec,omitempty"`
}

// Gateway names Gateways that exist.
type Gateway struct {
	Refs []GatewayRef `json:"refs,omitempty"`
}

// Ingress names Ingresses; no controller reads it.
type Ingress struct {
	Refs []GatewayRef `json:"refs,omitempty"`
}

// GatewayRef is a Gateway or an Ingress.
type GatewayRef struct {
	Name        string  `json:"name,omitempty"`
	Namespace   string  `json:"namespace,omitempty"`
	SectionName *string `json:"sectionName,omitempty"`
}

// Scheduler is the EPP and the pool.
type Scheduler struct {
	Pool        *Pool             `json:"pool,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Template    *PodSpec          `json:"template,omitempty"`
	Config      *SchedulerConfig  `json:"config,omitempty"`
	Replicas    *int32            `json:"replicas,omitempty"`
	Tokenizer   *Tokenizer        `json:"tokenizer,omitempty"`
}

// Tokenizer is the render service that precise prefix caching asks.
type Tokenizer struct {
	Template *PodSpec `json:"template,omitempty"`
}

// SchedulerConfig is the EndpointPickerConfig, here or in a ConfigMap.
type SchedulerConfig struct {
	Inline any        `json:"inline,omitempty"`
	Ref    *ConfigRef `json:"ref,omitempty"`
}

// ConfigRef is a key of a ConfigMap.
type ConfigRef struct {
	Name     string `json:"name,omitempty"`
	Key      string `json:"key,omitempty"`
	Optional *bool  `json:"optional,omitempty"`
}

// Pool is the InferencePool, or the name of one that exists.
type Pool struct {
	Spec *PoolSpec                    `json:"spec,omitempty"`
	Ref  *corev1.LocalObjectReference `json:"ref,omitempty"`
}

// PoolSpec is the spec of an InferencePool: of v1 in a v1alpha2 resource, of the former
// v1alpha2 in a v1alpha1 one, which has targetPortNumber, extensionRef and a plain selector.
type PoolSpec struct {
	Selector          map[string]any `json:"selector,omitempty"`
	TargetPorts       []Port         `json:"targetPorts,omitempty"`
	AppProtocol       string         `json:"appProtocol,omitempty"`
	EndpointPickerRef *PickerRef     `json:"endpointPickerRef,omitempty"`
	TargetPortNumber  int32          `json:"targetPortNumber,omitempty"`
	ExtensionRef      *PickerRef     `json:"extensionRef,omitempty"`
}

// Port is a port of the servers, or of the EPP.
type Port struct {
	Number int32 `json:"number,omitempty"`
}

// PickerRef is the EPP's Service.
type PickerRef struct {
	Group       *string `json:"group,omitempty"`
	Kind        string  `json:"kind,omitempty"`
	Name        string  `json:"name,omitempty"`
	Port        *Port   `json:"port,omitempty"`
	PortNumber  *int32  `json:"portNumber,omitempty"`
	FailureMode string  `json:"failureMode,omitempty"`
}
