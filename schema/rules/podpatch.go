package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"

	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/internal/podpatch"
	"github.com/inferstack/inferstack/schema"
)

// serverPatches tries the servers' pod template patches out, so that generation cannot
// fail on them.
func serverPatches(s stack) (out []schema.Problem) {
	names := map[string]bool{serverContainer: true}
	for _, list := range [][]corev1.Container{s.Spec.Server.InitContainers, s.Spec.Server.Containers} {
		for _, c := range list {
			names[c.Name] = true
		}
	}
	all := maps.Clone(names)
	if s.Disaggregated() {
		all[sidecarContainer] = true
	}
	out = append(out, s.patchFits("spec.server.podTemplatePatch", s.Spec.Server.PodTemplatePatch, patchTarget{serverContainer, all})...)
	for _, r := range s.Workloads() {
		own := maps.Clone(names)
		if s.Disaggregated() && r.RoleName == schema.RoleDecode {
			own[sidecarContainer] = true
		}
		for _, c := range slices.Concat(r.InitContainers, r.Containers) {
			own[c.Name] = true
		}
		out = append(out, s.patchFits(r.Path+".podTemplatePatch", r.PodTemplatePatch, patchTarget{serverContainer, own})...)
	}
	return out
}

// A patchTarget is a pod template that is patched: the container that must stay, and all
// that are there.
type patchTarget struct {
	main       string
	containers map[string]bool
}

// patchFits checks one patch: it is made of a pod template's fields, it can be merged,
// and what finds the pods still finds them afterwards.
func (s stack) patchFits(at string, patch map[string]any, target patchTarget) []schema.Problem {
	if len(patch) == 0 {
		return nil
	}
	data, err := json.Marshal(withoutDirectives(patch))
	if err != nil {
		return []schema.Problem{s.Problem(schema.Error, at, "%v", err)}
	}
	strict, err := kjson.UnmarshalStrict(data, &corev1.PodTemplateSpec{})
	if err != nil {
		return []schema.Problem{s.Problem(schema.Error, at, "does not fit a pod template: %s", strings.TrimPrefix(err.Error(), "json: "))}
	}
	var out []schema.Problem
	for _, err := range strict {
		out = append(out, s.Problem(schema.Error, at, "does not fit a pod template: %v", err))
	}
	if len(out) > 0 {
		return out
	}
	return s.patchMerges(at, patch, target)
}

// patchMerges applies the patch to a template that has what every server's has.
func (s stack) patchMerges(at string, patch map[string]any, target patchTarget) []schema.Problem {
	before := s.sampleTemplate(target.containers)
	after, err := podpatch.Apply(before, patch)
	if err != nil {
		return []schema.Problem{s.Problem(schema.Error, at, "cannot be merged: %v", err)}
	}
	var out []schema.Problem
	for _, key := range slices.Sorted(maps.Keys(before.Labels)) {
		if after.Labels[key] != before.Labels[key] {
			out = append(out, s.Problem(schema.Error, at, "must not change the label %s, on which selectors rely", key))
		}
	}
	if !slices.ContainsFunc(after.Spec.Containers, func(c corev1.Container) bool { return c.Name == target.main }) {
		out = append(out, s.Problem(schema.Error, at, "must not remove the container %s", target.main))
	}
	for _, c := range slices.Concat(after.Spec.InitContainers, after.Spec.Containers) {
		names := slices.Sorted(maps.Keys(target.containers))
		if c.Image == "" && !target.containers[c.Name] {
			out = append(out, s.Problem(schema.Error, at, "adds a container %q without an image; %s", c.Name, meant(c.Name, names)))
		}
	}
	if len(out) > 0 {
		return out
	}
	out = append(out, s.patchArgs(at, slices.DeleteFunc(slices.Concat(after.Spec.InitContainers, after.Spec.Containers),
		func(c corev1.Container) bool { return !target.containers[c.Name] }))...)
	return append(out, s.patchSecurity(at, &after.Spec)...)
}

// meant says which of the containers there are may be the one.
func meant(name string, names []string) string {
	if guess := near.Of(name, names); guess != "" {
		return fmt.Sprintf("did you mean %q?", guess)
	}
	return "the ones to change are " + strings.Join(names, ", ")
}

// sampleTemplate is a pod template with the labels and lists that patches meet.
func (s stack) sampleTemplate(containers map[string]bool) corev1.PodTemplateSpec {
	labels := maps.Clone(s.Spec.Pool.Selector)
	if labels == nil {
		labels = map[string]string{}
	}
	for _, key := range ownLabels {
		if labels[key] == "" {
			labels[key] = "sample"
		}
	}
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: *restrictedPod()}
	for _, name := range slices.Sorted(maps.Keys(containers)) {
		c := corev1.Container{
			Name:         name,
			Args:         slices.Clone(sampleArgs),
			Ports:        []corev1.ContainerPort{{ContainerPort: 1}},
			Env:          []corev1.EnvVar{{Name: "SAMPLE"}},
			VolumeMounts: []corev1.VolumeMount{{MountPath: "/sample"}},
			SecurityContext: &corev1.SecurityContext{
				AllowPrivilegeEscalation: new(false),
				Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			},
		}
		if name == sidecarContainer {
			template.Spec.InitContainers = append(template.Spec.InitContainers, c)
		} else {
			template.Spec.Containers = append(template.Spec.Containers, c)
		}
	}
	template.Spec.Volumes = []corev1.Volume{{Name: "sample"}}
	return template
}

// withoutDirectives drops the keys that steer a strategic merge, such as $patch, and the
// nulls that delete: they are no fields of the template.
func withoutDirectives(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range v {
			if !strings.HasPrefix(key, "$") && inner != nil {
				out[key] = withoutDirectives(inner)
			}
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, inner := range v {
			out = append(out, withoutDirectives(inner))
		}
		return out
	default:
		return value
	}
}
