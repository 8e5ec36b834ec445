package modelservice

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/near"
)

// role merges what the ModelService says over the base configuration's Deployment.
func (m *service) role(name string, spec *PodSpec, deployment *appsv1.Deployment) *pods.Role {
	from := "spec." + name
	r := &pods.Role{Name: name, From: from, Main: "vllm", Accelerator: map[string]any{}}
	if deployment != nil {
		r.Pod = *deployment.Spec.Template.Spec.DeepCopy()
		m.deployment(name, deployment)
	}
	if spec == nil {
		m.presetDevices(r)
		m.renamed(r)
		return r
	}
	if spec.Parallelism != nil && spec.Parallelism.Tensor != nil {
		m.Set(from+".parallelism.tensor", max(1, *spec.Parallelism.Tensor), from+".parallelism.tensor")
	}
	m.Copy(from+".replicas", from+".replicas")
	if a := spec.AcceleratorTypes; a != nil {
		r.Accelerator["nodeLabel"] = map[string]any{"key": a.LabelKey, "values": a.LabelValues}
	}
	r.Pod.Containers = m.merge(r.Pod.Containers, spec.Containers, from+".containers")
	r.Pod.InitContainers = m.merge(r.Pod.InitContainers, spec.InitContainers, from+".initContainers")
	m.devices(r, spec)
	m.presetDevices(r)
	m.renamed(r)
	return r
}

// deployment takes over what the base says beside the pod's spec.
func (m *service) deployment(role string, d *appsv1.Deployment) {
	to := "spec." + role
	if labels := d.Spec.Template.Labels; len(labels) > 0 {
		m.Set(to+".podLabels", labels, fromBase)
	}
	if annotations := d.Spec.Template.Annotations; len(annotations) > 0 {
		m.Set(to+".podAnnotations", annotations, fromBase)
	}
	if d.Spec.Replicas != nil {
		m.Set(to+".replicas", *d.Spec.Replicas, fromBase)
	}
	m.deploymentRest(to, role+"Deployment", d)
}

// deploymentRest is what a Deployment says beside its pods and their number.
func (m *service) deploymentRest(to, name string, d *appsv1.Deployment) {
	rest := d.Spec.DeepCopy()
	if rest.Selector != nil {
		m.On(to, fromBase).Dropped().Note("the selector of %s is left out: the stack selects its pods by its own labels", name)
	}
	rest.Selector, rest.Replicas, rest.Template = nil, nil, corev1.PodTemplateSpec{}
	fields := written(rest)
	delete(fields, "template") // creationTimestamp: null is never left out
	if len(fields) > 0 {
		m.Lost(fromBase, "%s of %s", strings.Join(slices.Sorted(maps.Keys(fields)), ", "), name)
	}
}

// merge puts containers over those of the base by name: arguments before the base's,
// variables by name, a command instead of the base's
// (llm-d-model-service internal/controller/merge_transformers.go).
func (m *service) merge(into []corev1.Container, own []Container, from string) []corev1.Container {
	out := slices.Clone(into)
	for i := range own {
		c := m.container(&own[i], from+"["+strconv.Itoa(i)+"]")
		at := slices.IndexFunc(out, func(o corev1.Container) bool { return o.Name == c.Name })
		if at < 0 {
			m.unmatched(into, &c, from+"["+strconv.Itoa(i)+"]")
			out = append(out, c)
			continue
		}
		b := &out[at]
		if len(c.Command) > 0 {
			b.Command = c.Command
		}
		if c.Image != "" {
			b.Image = c.Image
		}
		b.Args = slices.Concat(c.Args, b.Args)
		b.Env = mergeEnv(b.Env, c.Env)
		b.EnvFrom = slices.Concat(b.EnvFrom, c.EnvFrom)
		b.VolumeMounts = slices.Concat(b.VolumeMounts, c.VolumeMounts)
		b.Resources.Limits = mergeList(b.Resources.Limits, c.Resources.Limits)
		b.Resources.Requests = mergeList(b.Resources.Requests, c.Resources.Requests)
	}
	return out
}

// unmatched refuses a container that the base has none of and that can be no container
// beside the others: one without an image, with which no pod starts, or a second server.
// Without a base, the image is the release catalogue's.
func (m *service) unmatched(base []corev1.Container, c *corev1.Container, from string) {
	initial := strings.Contains(from, ".initContainers")
	if len(base) == 0 || c.Image != "" && (initial || !serves(base, c)) {
		return
	}
	names := make([]string, len(base))
	for i := range base {
		names[i] = base[i].Name
	}
	what := "without an image"
	if c.Image != "" {
		what = "beside the one that serves, and it is a server too"
	}
	hint := "the base configuration has " + strings.Join(names, ", ")
	if near := nearest(c.Name, names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	m.On("", from+".name").Fail("a container %q %s; %s", c.Name, what, hint)
}

// nearest is the name that was most likely meant: one that resembles the other, or that is
// the beginning of it, as vllm is of vllm-decode.
func nearest(name string, names []string) string {
	for _, n := range names {
		if strings.HasPrefix(name, n+"-") || strings.HasSuffix(name, "-"+n) {
			return n
		}
	}
	return near.Of(name, names)
}

// serverImages are parts of the names of images that serve models or pick servers.
var serverImages = []string{"vllm", "sglang", "/llm-d:", "/llm-d-cuda", "/llm-d-inference-sim", "llm-d-inference-scheduler", "endpoint-picker"}

// serves reports whether a container is a server like the base's: it asks for
// accelerators, starts vLLM, or has the image of a server or of an EPP.
func serves(base []corev1.Container, c *corev1.Container) bool {
	if serving.DeviceResource(c.Resources) != "" {
		return true
	}
	for _, word := range append(slices.Clone(c.Command), c.Image) {
		if slices.ContainsFunc(serverImages, func(part string) bool { return strings.Contains(word, part) }) {
			return true
		}
	}
	return slices.ContainsFunc(base, func(b corev1.Container) bool { return b.Image == c.Image })
}

// phantom are flags that samples of llmd-operator have and vLLM has never had: it does not
// start with them.
var phantom = []string{"--prefill-only", "--decode-only"}

// container is a ModelService's container with its templates evaluated.
func (m *service) container(c *Container, from string) corev1.Container {
	out := corev1.Container{Name: c.Name, Image: c.Image, Command: c.Command, Env: c.Env, EnvFrom: c.EnvFrom, Resources: c.Resources}
	for i, arg := range c.Args {
		if slices.Contains(phantom, arg) {
			m.On("spec", from+".args["+strconv.Itoa(i)+"]").Dropped().Warn("%s is left out: vLLM has never had this flag, and does not start with it", arg)
			continue
		}
		text, err := m.evaluate(arg)
		if err != nil {
			m.On("", from+".args["+strconv.Itoa(i)+"]").Fail("%v", err)
		}
		out.Args = append(out.Args, text)
	}
	if c.MountModelVolume {
		out.VolumeMounts = []corev1.VolumeMount{{Name: "model-storage", MountPath: modelRoot}}
	}
	return out
}

func mergeEnv(base, own []corev1.EnvVar) []corev1.EnvVar {
	out := slices.Clone(base)
	for _, e := range own {
		if i := slices.IndexFunc(out, func(b corev1.EnvVar) bool { return b.Name == e.Name }); i >= 0 {
			out[i] = e
		} else {
			out = append(out, e)
		}
	}
	return out
}

func mergeList(base, own corev1.ResourceList) corev1.ResourceList {
	out := maps.Clone(base)
	if out == nil {
		out = corev1.ResourceList{}
	}
	maps.Copy(out, own)
	return out
}
