package server

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// An accelerator is what Kubernetes knows a vendor's devices by.
type accelerator struct {
	// taint is the key of the taint that the vendor's nodes usually carry.
	taint string
	// deviceClass is the DRA driver's DeviceClass.
	deviceClass string
	// root says that the container has to run as root: the device files belong to root
	// or to a group whose number differs from node to node, so that a pod with one of
	// them cannot hold the restricted Pod Security Standard.
	root bool
}

// accelerators is the table of vendors. Device classes are those of the
// vendors' drivers, as in the llm-d-modelservice chart 0.4.12
// (values.yaml, accelerator and dra).
var accelerators = map[string]accelerator{
	"nvidia":      {taint: "nvidia.com/gpu", deviceClass: "gpu.nvidia.com"},
	"amd":         {taint: "amd.com/gpu", deviceClass: "gpu.amd.com", root: true},
	"intel-gaudi": {taint: "habana.ai/gaudi", deviceClass: "gaudi.intel.com"},
	"intel-xpu":   {taint: "gpu.intel.com/xe", deviceClass: "gpu.intel.com", root: true},
	"google-tpu":  {taint: "google.com/tpu", deviceClass: "tpu.google.com", root: true},
	"cpu":         {},
}

// GKE's node labels of a TPU slice.
const (
	labelTPUAccelerator = "cloud.google.com/gke-tpu-accelerator"
	labelTPUTopology    = "cloud.google.com/gke-tpu-topology"
)

// claimName is the pod's name for its DRA claim.
const claimName = "accelerator"

// accelerator returns the vendor's entry for the role. The simulator uses none.
func (s server) accelerator() accelerator {
	if s.Simulated() {
		return accelerator{}
	}
	return accelerators[s.AcceleratorOf(s.Own).Type]
}

// acceleratorCount returns the accelerators of one pod.
func (s server) acceleratorCount() int32 {
	if s.accelerator().deviceClass == "" {
		return 0
	}
	return s.AcceleratorCount(s.Own)
}

// usesClaim reports whether the role's accelerators come by Dynamic Resource Allocation.
func (s server) usesClaim() bool {
	return s.AcceleratorOf(s.Own).DRA != nil && s.acceleratorCount() > 0
}

// acceleratorResources adds the accelerators to the container's resources, unless the
// user wrote their number there.
func (s server) acceleratorResources(r corev1.ResourceRequirements) corev1.ResourceRequirements {
	count := s.acceleratorCount()
	if s.usesClaim() {
		r.Claims = []corev1.ResourceClaim{{Name: claimName}}
		return r
	}
	name := corev1.ResourceName(s.AcceleratorResource(s.Own))
	if _, written := r.Limits[name]; written || count == 0 {
		return r
	}
	r.Requests = withQuantity(r.Requests, name, count)
	r.Limits = withQuantity(r.Limits, name, count)
	return r
}

func withQuantity(list corev1.ResourceList, name corev1.ResourceName, count int32) corev1.ResourceList {
	if list == nil {
		list = corev1.ResourceList{}
	}
	list[name] = *resource.NewQuantity(int64(count), resource.DecimalSI)
	return list
}

// acceleratorTolerations tolerates the vendor's usual taint.
func (s server) acceleratorTolerations() []corev1.Toleration {
	taint := s.accelerator().taint
	if taint == "" || !s.AcceleratorOf(s.Own).Tolerate {
		return nil
	}
	return []corev1.Toleration{{
		Key:      taint,
		Operator: corev1.TolerationOpExists,
		Effect:   corev1.TaintEffectNoSchedule,
	}}
}

// acceleratorNodes returns the node labels of a TPU slice.
func (s server) acceleratorNodes() map[string]string {
	tpu := s.AcceleratorOf(s.Own).TPU
	if tpu == nil || s.Simulated() {
		return nil
	}
	return map[string]string{labelTPUAccelerator: tpu.Accelerator, labelTPUTopology: tpu.Topology}
}
