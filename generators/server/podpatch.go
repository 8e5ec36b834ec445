package server

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/base"
)

// patched applies the strategic-merge patches of the server section and of the role. The
// schema has tried them out (rules on podTemplatePatch), so they fit.
func (s server) patched(template corev1.PodTemplateSpec) corev1.PodTemplateSpec {
	for _, patch := range []map[string]any{s.Spec.Server.PodTemplatePatch, s.Own.PodTemplatePatch} {
		if len(patch) > 0 {
			template = base.Merged(template, patch)
		}
	}
	return template
}
