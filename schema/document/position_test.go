package document_test

import (
	"testing"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

const positioned = `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata:
  name: demo
  namespace: ns
  labels: {a.b/c: x}
spec:
  model: {name: m}
  decode: &role
    replicas: 2
    env:
      - name: A
        value: "1"
  prefill: *role
`

func TestHasAndProblem(t *testing.T) {
	s := parseText(t, positioned)
	for _, tc := range []struct {
		path string
		has  bool
		want string
	}{
		{"spec.decode.replicas", true, "f:10:15"},
		{"spec.decode", true, "f:9:11"},
		{"spec.decode.env[0].name", true, "f:12:15"},
		{"spec.decode.env[1].name", false, "f:11:5"},
		{"spec.prefill.replicas", true, "f:10:15"},
		{"spec.decode.parallelism.tensor", false, "f:9:11"},
		{"spec.gateway.class", false, "f:7:1"},
		{"metadata.labels[a.b/c]", true, "f:6:19"},
		{"", true, "f:1:1"},
	} {
		if got := s.Has(tc.path); got != tc.has {
			t.Errorf("Has(%q) = %v", tc.path, got)
		}
		want := tc.want + ": " + tc.path + ": x"
		if tc.path == "" {
			want = tc.want + ": x"
		}
		if got := s.Problem(schema.Warning, tc.path, "x").String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestNoLines reads a document whose positions are not those of its file: the
// file may be named, a line never.
func TestNoLines(t *testing.T) {
	docs, _ := document.Read("list", []byte(positioned+"  port: 1\n"))
	_, ps := rules.Parse(docs[0].Node, schema.Source{File: "stack.yaml"})
	want := `stack.yaml: spec.port: unknown field; there is spec.server.port, spec.scheduler.port`
	if got := ps.Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	_, ps = rules.Parse(docs[0].Node, schema.Source{})
	if got := ps.Error(); got != want[len("stack.yaml: "):] {
		t.Errorf("got %q", got)
	}
}

// TestWithoutOrigin: a stack that no file describes has no positions.
func TestWithoutOrigin(t *testing.T) {
	s := &schema.Stack{}
	if s.Has("spec") || s.Problem(schema.Error, "spec.model", "x").String() != "spec.model: x" || s.Source().File != "" || s.Source().Lines {
		t.Error("a position out of nothing")
	}
}
