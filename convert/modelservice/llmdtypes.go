package modelservice

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// LLMD is the resource of llmd-operator (api/v1alpha1/llmd_types.go).
type LLMD struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   LLMDSpec       `json:"spec,omitempty"`
	Status map[string]any `json:"status,omitempty"`
}

// LLMDSpec is the spec of an LLMD. A part that is not written is not made: the CRD's
// default for enabled, true, applies inside an object that is there.
type LLMDSpec struct {
	ModelServiceController *Controller `json:"modelServiceController,omitempty"`
	Redis                  *Redis      `json:"redis,omitempty"`
	Gateway                *Gateway    `json:"gateway,omitempty"`
	ConfigMapPresets       []string    `json:"configMapPresets,omitempty"`
	Monitoring             *Monitoring `json:"monitoring,omitempty"`
	Namespace              string      `json:"namespace,omitempty"`
}

// A Toggle turns a part on or off.
type Toggle struct {
	Enabled *bool `json:"enabled,omitempty"`
}

// on is a switch that is on unless turned off.
func (t Toggle) on() bool { return t.Enabled == nil || *t.Enabled }

// Controller is the ModelService controller.
type Controller struct {
	Toggle `json:",inline"`

	Image        string                      `json:"image,omitempty"`
	Replicas     *int32                      `json:"replicas,omitempty"`
	Resources    corev1.ResourceRequirements `json:"resources,omitempty"`
	NodeSelector map[string]string           `json:"nodeSelector,omitempty"`
	Tolerations  []corev1.Toleration         `json:"tolerations,omitempty"`
}

// Redis is the Redis of the stack: one that exists elsewhere, or one that is made.
type Redis struct {
	Toggle `json:",inline"`

	External *ExternalRedis `json:"external,omitempty"`
	Internal *InternalRedis `json:"internal,omitempty"`
}

// ExternalRedis is a Redis that exists.
type ExternalRedis struct {
	Host           string                    `json:"host,omitempty"`
	Port           *int32                    `json:"port,omitempty"`
	Password       string                    `json:"password,omitempty"`
	PasswordSecret *corev1.SecretKeySelector `json:"passwordSecret,omitempty"`
}

// InternalRedis is the one that is made.
type InternalRedis struct {
	Image       string                      `json:"image,omitempty"`
	Resources   corev1.ResourceRequirements `json:"resources,omitempty"`
	Persistence *Persistence                `json:"persistence,omitempty"`
}

// Persistence is the claim of the Redis that is made.
type Persistence struct {
	Toggle `json:",inline"`

	Size         *resource.Quantity `json:"size,omitempty"`
	StorageClass string             `json:"storageClass,omitempty"`
}

// Gateway is the Gateway of the stack.
type Gateway struct {
	Toggle `json:",inline"`

	ClassName   string `json:"className,omitempty"`
	Host        string `json:"host,omitempty"`
	ServiceType string `json:"serviceType,omitempty"`
}

// Monitoring is what scrapes the stack.
type Monitoring struct {
	Toggle `json:",inline"`

	ServiceMonitor *ServiceMonitor `json:"serviceMonitor,omitempty"`
}

// ServiceMonitor is that of the EPP.
type ServiceMonitor struct {
	Toggle `json:",inline"`

	Labels   map[string]string `json:"labels,omitempty"`
	Interval string            `json:"interval,omitempty"`
}
