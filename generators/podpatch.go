package generators

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/internal/podpatch"
)

// patched applies the strategic-merge patches of the server section and of the role. The
// schema has tried them out (rules on podTemplatePatch), so they fit.
func (s server) patched(template corev1.PodTemplateSpec) corev1.PodTemplateSpec {
	for _, patch := range []map[string]any{s.Spec.Server.PodTemplatePatch, s.own.PodTemplatePatch} {
		if len(patch) > 0 {
			template = merged(template, patch)
		}
	}
	return template
}

// merged applies one patch as kubectl patch --type=strategic does.
func merged(template corev1.PodTemplateSpec, patch map[string]any) corev1.PodTemplateSpec {
	out, err := podpatch.Apply(template, patch)
	check(err)
	return out
}

func check(err error) {
	if err != nil {
		panic(err) // a rule of the schema is missing
	}
}
