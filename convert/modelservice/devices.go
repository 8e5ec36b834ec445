package modelservice

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
)

// visible are the variables by which the vendors' runtimes hide devices from a process.
var visible = []string{"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HABANA_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"}

// devices lets the number of accelerators follow from the ModelService's parallelism
// where the base configuration asks for fewer, with which the server could not start.
func (m *service) devices(r *pods.Role, spec *PodSpec) {
	if spec.Parallelism == nil || spec.Parallelism.Tensor == nil || *spec.Parallelism.Tensor < 2 {
		return
	}
	need := int64(*spec.Parallelism.Tensor)
	for i := range r.Pod.Containers {
		c := &r.Pod.Containers[i]
		name := serving.DeviceResource(c.Resources)
		q, limited := c.Resources.Limits[name]
		if !limited {
			q = c.Resources.Requests[name]
		}
		if name == "" || q.Value() >= need || ownDevices(spec, c.Name) {
			continue
		}
		m.On(r.From+".parallelism", r.From+".parallelism.tensor").Warn("the base configuration asks for %d accelerators; tensor parallelism of %d gets as many", q.Value(), need)
		q.Set(need)
		c.Resources.Limits = mergeList(c.Resources.Limits, corev1.ResourceList{name: q})
		delete(c.Resources.Requests, name)
		m.seen(r, c, need)
	}
}

// seen leaves out what would hide some of the accelerators from the server.
func (m *service) seen(r *pods.Role, c *corev1.Container, need int64) {
	c.Env = slices.DeleteFunc(c.Env, func(e corev1.EnvVar) bool {
		fewer := slices.Contains(visible, e.Name) && e.ValueFrom == nil && int64(strings.Count(e.Value, ",")+1) < need
		if fewer {
			m.On(r.From, r.From).Dropped().Note("%s of %sDeployment is left out: with the value %q the server would see fewer than its %d accelerators", e.Name, r.Name, e.Value, need)
		}
		return fewer
	})
}

// ownDevices reports whether the ModelService itself asks for accelerators.
func ownDevices(spec *PodSpec, container string) bool {
	return slices.ContainsFunc(spec.Containers, func(c Container) bool {
		return c.Name == container && serving.DeviceResource(c.Resources) != ""
	})
}

// presetDevices are NVIDIA's: the presets are made for them, and leave it to the
// ModelService to ask for them.
func (m *service) presetDevices(r *pods.Role) {
	if c := mainContainer(r); m.gpuPreset && c != nil && serving.DeviceResource(c.Resources) == "" {
		r.Accelerator["type"] = "nvidia"
	}
}

// renamed says that the container that serves has another name from now on.
func (m *service) renamed(r *pods.Role) {
	if c := mainContainer(r); c != nil && c.Name != r.Main {
		m.On(r.From, fromBase).Note("the container %s of %sDeployment is called %s in every stack", c.Name, r.Name, pods.ModelServer)
	}
}
