package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// reservedLabels are the labels by which the objects of a stack are told apart and
// selected. No field for further labels may say something else.
var reservedLabels = []string{
	"app.kubernetes.io/component",
	"app.kubernetes.io/instance",
	"app.kubernetes.io/managed-by",
	"app.kubernetes.io/name",
	"app.kubernetes.io/part-of",
}

// reservedPrefixes are the annotations and labels that this program and the function
// framework (config.kubernetes.io, KRM functions specification v1) keep their books in.
var reservedPrefixes = []string{
	"config.k8s.io/",
	"config.kubernetes.io/",
	"inferstack.dev/",
	"internal.config.kubernetes.io/",
	"kustomize.config.k8s.io/",
}

// deliveryKeys refuses labels and annotations of emitted objects that would break them.
func deliveryKeys(s stack) []schema.Problem {
	out := slices.Concat(
		labelKeys(s, "spec.delivery.labels", s.Spec.Delivery.Labels),
		deliveryAnnotations(s, &s.Spec.Delivery),
	)
	if m := s.Spec.Monitoring; m != nil {
		out = append(out, labelKeys(s, "spec.monitoring.labels", m.Labels)...)
		out = append(out, labelKeys(s, "spec.monitoring.dashboardLabels", m.DashboardLabels)...)
	}
	if g := s.Spec.Gateway; g != nil {
		out = append(out, labelKeys(s, "spec.gateway.labels", g.Labels)...)
	}
	return out
}

func labelKeys(s stack, path string, labels map[string]string) (out []schema.Problem) {
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if slices.Contains(reservedLabels, key) || hasReservedPrefix(key) {
			out = append(out, s.Problem(schema.Error, finding.Join(path, key, -1), "is written by inferstack itself; use a label of your own"))
		}
	}
	return out
}

func deliveryAnnotations(s stack, d *schema.Delivery) (out []schema.Problem) {
	for _, key := range slices.Sorted(maps.Keys(d.Annotations)) {
		path := finding.Join("spec.delivery.annotations", key, -1)
		switch field := writes(d, key); {
		case field != "":
			out = append(out, s.Problem(schema.Error, path, "is written by %s; set that to false to write your own", schema.Path("spec.delivery."+field)))
		case hasReservedPrefix(key):
			out = append(out, s.Problem(schema.Error, path, "is written by inferstack itself; use an annotation of your own"))
		}
	}
	return out
}

// writes names the field that makes inferstack write the annotation.
func writes(d *schema.Delivery, annotation string) string {
	switch {
	case d.SyncWaves && annotation == "argocd.argoproj.io/sync-wave":
		return "syncWaves"
	case d.FluxSubstitutionGuard && annotation == "kustomize.toolkit.fluxcd.io/substitute":
		return "fluxSubstitutionGuard"
	default:
		return ""
	}
}

func hasReservedPrefix(key string) bool {
	return slices.ContainsFunc(reservedPrefixes, func(p string) bool { return strings.HasPrefix(key, p) })
}
