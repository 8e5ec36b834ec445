package document

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

type gadget struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Spec       struct {
		Replicas *int32            `json:"replicas,omitempty"`
		Labels   map[string]string `json:"labels,omitempty"`
	} `json:"spec,omitempty"`
}

func TestDecode(t *testing.T) {
	docs, ps := Read("gadget.yaml", []byte("apiVersion: v1\nkind: Gadget\nspec:\n  replicas: two\n  label: {}\n"))
	if len(ps) > 0 {
		t.Fatal(ps)
	}
	got := Decode(docs[0], new(gadget)).Error()
	want := "gadget.yaml:4:13: spec.replicas: must be an integer (got \"two\")\n" +
		"gadget.yaml:5:3: spec.label: unknown field; did you mean \"labels\"?"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEmptyIsAbsent(t *testing.T) {
	docs, _ := Read("gadget.yaml", []byte("apiVersion: v1\nkind: Gadget\nspec:\n  replicas: 2\n  labels:\n"))
	if ps := Decode(docs[0], new(gadget)); len(ps) > 0 {
		t.Error(ps)
	}
	if docs[0].Has("spec.labels") || !docs[0].Has("spec.replicas") {
		t.Error("an empty value counts as absent, others do not")
	}
}

func TestMinimal(t *testing.T) {
	const in = `kind: InferenceStack
spec:
  decode: {replicas: 1, parallelism: {tensor: 1}}
  kvCache: {redis: {index: false}}
  scheduler: {scorers: [{weight: 1, type: queue-scorer}]}
  model: {name: m, storage: {type: pvc, accessMode: ReadWriteMany}}
apiVersion: inferstack.dev/v1alpha1
`
	const want = `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
spec:
    model: {name: m, storage: {type: pvc}}
    scheduler: {scorers: [{type: queue-scorer}]}
    kvCache: {redis: {}}
`
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(in), &n); err != nil {
		t.Fatal(err)
	}
	Minimal(&n)
	got, err := yaml.Marshal(&n)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}
