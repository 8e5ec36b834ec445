package pool

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	igwv1 "sigs.k8s.io/gateway-api-inference-extension/api/v1"
	"sigs.k8s.io/gateway-api-inference-extension/apix/v1alpha2"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

func TestInferencePool(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
server: {engine: simulator}
decode: {parallelism: {data: 2}}
pool: {name: p, selector: {llm-d.ai/inference-serving: "true", team: a}}
scheduler: {name: picker, port: 9100, failureMode: FailOpen}`)
	want := igwv1.InferencePoolSpec{
		Selector:    igwv1.LabelSelector{MatchLabels: map[igwv1.LabelKey]igwv1.LabelValue{"llm-d.ai/inference-serving": "true", "team": "a"}},
		TargetPorts: []igwv1.Port{{Number: 8000}, {Number: 8001}},
		EndpointPickerRef: igwv1.EndpointPickerRef{
			Group: new(igwv1.Group("")), Kind: "Service", Name: "picker",
			Port: &igwv1.Port{Number: 9100}, FailureMode: igwv1.EndpointPickerFailOpen,
		},
	}
	if d := cmp.Diff(want, inferencePool(s).Spec); d != "" {
		t.Error(d)
	}
}

func TestObjectivesFollowTheLine(t *testing.T) {
	for line, want := range map[string]string{"0.4": "inference.networking.x-k8s.io/v1alpha2", "0.10": "llm-d.ai/v1alpha2"} {
		s := stacktest.Parse(t, `
release: "`+line+`"
model: {name: m}
objectives: [{name: batch, priority: -10}]`)
		o := Objectives(s)[0].(*v1alpha2.InferenceObjective)
		if o.APIVersion != want || *o.Spec.Priority != -10 || o.Spec.PoolRef.Name != "demo" {
			t.Errorf("%s: %+v", line, o)
		}
	}
}
