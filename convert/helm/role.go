package helm

import (
	corev1 "k8s.io/api/core/v1"
)

// Role is the decode or prefill section of llm-d-modelservice.
type Role struct {
	Create                        *bool                         `json:"create,omitempty"`
	Autoscaling                   map[string]any                `json:"autoscaling,omitempty"`
	Replicas                      *int32                        `json:"replicas,omitempty"`
	Strategy                      map[string]any                `json:"strategy,omitempty"`
	Annotations                   map[string]string             `json:"annotations,omitempty"`
	PodAnnotations                map[string]string             `json:"podAnnotations,omitempty"`
	NodeSelector                  map[string]string             `json:"nodeSelector,omitempty"`
	Tolerations                   []corev1.Toleration           `json:"tolerations,omitempty"`
	Affinity                      *corev1.Affinity              `json:"affinity,omitempty"`
	SchedulerName                 string                        `json:"schedulerName,omitempty"`
	PriorityClassName             string                        `json:"priorityClassName,omitempty"`
	RuntimeClassName              *string                       `json:"runtimeClassName,omitempty"` // of charts after 0.4.12
	Parallelism                   Parallelism                   `json:"parallelism,omitempty"`
	Accelerator                   *Accelerator                  `json:"accelerator,omitempty"`
	ResourceClaims                []corev1.PodResourceClaim     `json:"resourceClaims,omitempty"`
	Containers                    []Container                   `json:"containers,omitempty"`
	Volumes                       []corev1.Volume               `json:"volumes,omitempty"`
	InitContainers                []corev1.Container            `json:"initContainers,omitempty"`
	ImagePullSecrets              []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`
	PodSecurityContext            *corev1.PodSecurityContext    `json:"podSecurityContext,omitempty"`
	ExtraConfig                   map[string]any                `json:"extraConfig,omitempty"`
	HostIPC                       bool                          `json:"hostIPC,omitempty"`
	HostPID                       bool                          `json:"hostPID,omitempty"`
	EnableServiceLinks            *bool                         `json:"enableServiceLinks,omitempty"`
	TerminationGracePeriodSeconds *int64                        `json:"terminationGracePeriodSeconds,omitempty"`
	SubGroupPolicy                map[string]any                `json:"subGroupPolicy,omitempty"`
	SubGroupExclusiveTopology     bool                          `json:"subGroupExclusiveTopology,omitempty"`
	AcceleratorTypes              AcceleratorTypes              `json:"acceleratorTypes,omitempty"`
	Monitoring                    RoleMonitoring                `json:"monitoring,omitempty"`
}

// Parallelism is how a server spreads.
type Parallelism struct {
	Tensor    *int32 `json:"tensor,omitempty"`
	Data      *int32 `json:"data,omitempty"`
	DataLocal *int32 `json:"dataLocal,omitempty"`
	Workers   *int32 `json:"workers,omitempty"`
}

// Container is a container with the chart's own fields.
type Container struct {
	corev1.Container `json:",inline"`

	ModelCommand     string         `json:"modelCommand,omitempty"`
	MountModelVolume bool           `json:"mountModelVolume,omitempty"`
	ExtraConfig      map[string]any `json:"extraConfig,omitempty"`
}

// AcceleratorTypes is a node label and the values that will do.
type AcceleratorTypes struct {
	LabelKey    string   `json:"labelKey,omitempty"`
	LabelValues []string `json:"labelValues,omitempty"`
}

// RoleMonitoring is the PodMonitor of a role.
type RoleMonitoring struct {
	PodMonitor struct {
		Enabled           bool              `json:"enabled,omitempty"`
		PortName          string            `json:"portName,omitempty"`
		Path              string            `json:"path,omitempty"`
		Interval          string            `json:"interval,omitempty"`
		ScrapeTimeout     string            `json:"scrapeTimeout,omitempty"`
		Labels            map[string]string `json:"labels,omitempty"`
		Annotations       map[string]string `json:"annotations,omitempty"`
		Relabelings       []any             `json:"relabelings,omitempty"`
		MetricRelabelings []any             `json:"metricRelabelings,omitempty"`
		NamespaceSelector map[string]any    `json:"namespaceSelector,omitempty"`
	} `json:"podmonitor,omitempty"`
}
