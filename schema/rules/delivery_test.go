package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

func TestDeliveryAndOperationsRules(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"own labels", `  delivery: {labels: {team: a}, annotations: {owner: b}}`, ""},
		{"selector label", `  delivery: {labels: {app.kubernetes.io/instance: x}}`,
			`spec.delivery.labels[app.kubernetes.io/instance]: is written by inferstack itself; use a label of your own`},
		{"local config", `  delivery: {annotations: {config.kubernetes.io/local-config: "true"}}`,
			`spec.delivery.annotations[config.kubernetes.io/local-config]: is written by inferstack itself; use an annotation of your own`},
		{"wave twice", `  delivery: {syncWaves: true, annotations: {argocd.argoproj.io/sync-wave: "3"}}`,
			`spec.delivery.annotations[argocd.argoproj.io/sync-wave]: is written by spec.delivery.syncWaves; set that to false to write your own`},
		{"own wave", `  delivery: {annotations: {argocd.argoproj.io/sync-wave: "3"}}`, ""},
		{"gateway label", `  gateway: {class: istio, labels: {app.kubernetes.io/name: x}}`,
			`spec.gateway.labels[app.kubernetes.io/name]: is written by inferstack itself; use a label of your own`},
		{"interval", `  monitoring: {interval: 30s1m}`,
			`spec.monitoring.interval: Prometheus wants the units of a duration in the order h, m, s, ms, each once, such as 1m30s`},
		{"own monitor", `  monitoring: {podMonitor: false}`,
			`spec.monitoring.podMonitor: alerts and dashboard find the servers' series by the label inferencestack="demo", which a monitor of your own must add`},
		{"unseen Prometheus", "  monitoring: {}\n  networkPolicy: {}",
			`spec.networkPolicy.monitoringNamespaces: is empty, so a Prometheus in another namespace cannot scrape; name its namespace`},
		{"no download", "  networkPolicy: {allowEgress: false}",
			`spec.networkPolicy.allowEgress: is false, so the servers cannot download the weights; use a pvc:// or oci:// source or model.storage.existingClaim, or allow it`},
		{"weights on a claim", "  networkPolicy: {allowEgress: false}\n  model: {name: m, source: pvc://weights/m}", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			model := "  model: {name: m}\n"
			if strings.Contains(tc.spec, "  model:") {
				model = ""
			}
			docs, _ := document.Read("f", []byte("apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: demo, namespace: prod}\nspec:\n"+model+tc.spec))
			_, problems := parse(docs[0].Node, schema.Source{}, only(deliveryKeys, monitoringSense, networkPolicySense))
			if d := cmp.Diff(tc.want, problems.Error()); d != "" {
				t.Error(d)
			}
		})
	}
}
