package provenance_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/internal/provenance"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

const stack = `
apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: qw, namespace: ns}
spec:
  model: {name: a/b}
  server:
    env: [{name: A, value: x}]
    volumes: [{name: data, emptyDir: {}}]
    podLabels: {team: a}
  decode:
    rollout: {maxSurge: 1}
    tolerations: [{key: a, operator: Exists}]
    containers: [{name: log, image: a:1, env: [{name: B, value: x}]}]
    podTemplatePatch: {spec: {containers: [{name: modelserver, tty: true}]}}
`

// TestField goes back from the fields of the decode Deployment to what was written.
func TestField(t *testing.T) {
	docs, _ := document.Read("f", []byte(stack))
	s, problems := rules.Parse(docs[0].Node, docs[0].Source)
	if s == nil {
		t.Fatal(problems)
	}
	line, err := release.Load(s.Spec.Release)
	if err != nil {
		t.Fatal(err)
	}
	var decode *appsv1.Deployment
	for _, o := range generators.Generate(s, line) {
		if d, ok := o.(*appsv1.Deployment); ok && d.Name == "qw-decode" {
			decode = d
		}
	}
	if decode == nil {
		t.Fatal("no Deployment")
	}
	pod := decode.Spec.Template.Spec
	env, volume, toleration := len(pod.Containers[0].Env)-1, len(pod.Volumes)-1, len(pod.Tolerations)-1
	const at = "spec.template.spec."
	for path, want := range map[string]string{
		at + "containers[0].tty":                             "spec.decode.podTemplatePatch.spec.containers[0].tty",
		at + "containers[1].env[0].value":                    "spec.decode.containers[0].env[0].value",
		at + "volumes[" + digit(volume) + "].emptyDir":       "spec.server.volumes[0].emptyDir",
		at + "tolerations[" + digit(toleration) + "].key":    "spec.decode.tolerations[0].key",
		"spec.template.metadata.labels[team]":                "spec.server.podLabels.team",
		"spec.strategy.rollingUpdate.maxSurge":               "spec.decode.rollout.maxSurge",
		at + "containers[0].env[" + digit(env) + "].nothing": "",
	} {
		got, exact := provenance.Field(s, decode, path)
		if want != "" && (got != want || !exact) {
			t.Errorf("%s comes from %s (exactly: %v), want %s", path, got, exact, want)
		}
		if want == "" && exact {
			t.Errorf("%s comes from %s, which is not there", path, got)
		}
	}
}

func digit(n int) string { return string(rune('0' + n)) }
