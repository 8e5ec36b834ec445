package convert

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/convert/helm"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// cpuPrefill is wrong with the base of the table of base configurations as soon as it has
// prefill servers.
const cpuPrefill = "is required for spec.prefill on cpu"

// TestLossy holds that what an error offers to leave out with --lossy is left out then,
// with a warning and nothing else in the way. It takes the cases of the field tables.
func TestLossy(t *testing.T) {
	for _, system := range fieldSystems {
		table := readTable(t, system.name)
		for i, c := range table.Cases {
			if c.Error == "" || c.Test != "" || !long.Part(i, 4) {
				continue
			}
			data := text(t, c.document(t, table.Base))
			if !strings.Contains(string(results(system.lossy(t, data, false).Problems)), "convert with --lossy") {
				continue
			}
			t.Run(system.name+"/"+c.Field, func(t *testing.T) {
				r := checked(system.lossy(t, data, true))
				r.Problems = slices.DeleteFunc(r.Problems, func(p schema.Problem) bool { return strings.Contains(p.Message, cpuPrefill) })
				if len(r.Problems.Errors()) > 0 || !strings.Contains(string(results(r.Problems)), "is lost: ") {
					t.Errorf("%d stacks, and said:\n%s", len(r.Stacks), results(r.Problems))
				}
			})
		}
	}
}

// lossy converts a document or a values file with losses or without.
func (s *fieldSystem) lossy(t *testing.T, data []byte, lossy bool) Result {
	t.Helper()
	if s.values != nil {
		v := HelmValues{Postfix: "p", Namespace: "ns", Lossy: lossy}
		*s.values(&v) = helm.File{Name: "values.yaml", Data: data}
		return Helm(v)
	}
	docs, problems := document.Read("input.yaml", data)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return Convert(docs, Options{Lossy: lossy, NoEffect: true})
}

// TestSaidOnce holds that what is so for two roles is said once.
func TestSaidOnce(t *testing.T) {
	const role = "{containers: [{name: vllm, resources: {limits: {nvidia.com/gpu: 1}}}]}"
	said := string(results(documentsInput(t, []byte(`apiVersion: llm-d.ai/v1alpha1
kind: ModelService
metadata: {name: model, namespace: llm}
spec:
  routing: {modelName: org/model}
  modelArtifacts: {uri: "hf://org/model"}
  baseConfigMapRef: {name: basic-gpu-with-nixl-and-redis-lookup-preset}
  decode: `+role+"\n  prefill: "+role+"\n")).result.Problems))
	if n := strings.Count(said, "this preset looks keys up in a Redis"); n != 1 {
		t.Errorf("said %d times in\n%s", n, said)
	}
}
