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
	"github.com/inferstack/inferstack/schema"
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
		m.On(to, fromBase).Note("the selector of %s is left out: the stack selects its pods by its own labels", name)
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
			m.imageless(into, &c, from+"["+strconv.Itoa(i)+"]")
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

// imageless refuses a container that the base has none of and that names no image: no
// pod starts with it. Without a base, the image is the release catalogue's.
func (m *service) imageless(base []corev1.Container, c *corev1.Container, from string) {
	if c.Image != "" || len(base) == 0 {
		return
	}
	names := make([]string, len(base))
	for i := range base {
		names[i] = base[i].Name
	}
	hint := "the base configuration has " + strings.Join(names, ", ")
	if near := schema.Near(c.Name, names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	m.On("", from+".name").Fail("a container %q without an image; %s", c.Name, hint)
}

// container is a ModelService's container with its templates evaluated.
func (m *service) container(c *Container, from string) corev1.Container {
	out := corev1.Container{Name: c.Name, Image: c.Image, Command: c.Command, Env: c.Env, EnvFrom: c.EnvFrom, Resources: c.Resources}
	for i, arg := range c.Args {
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
