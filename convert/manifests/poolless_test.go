package manifests

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/diff"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema/document"
)

// TestPoolless makes a stack of the servers of each guide without its router, as
// kubectl kustomize prints them: one for both roles, in which no server is lost.
func TestPoolless(t *testing.T) {
	decode, both := []string{"decode"}, []string{"decode", "prefill"}
	for i, guide := range []struct {
		name  string
		roles []string
	}{
		{"sglang", decode}, {"optimized-baseline", decode}, {"trtllm", decode}, {"disaggregatedset", both},
		{"tpu", decode}, {"prefill-decode", both}, {"wide-ep", both},
	} {
		if !long.Part(i+2, 7) {
			continue
		}
		t.Run(guide.name, func(t *testing.T) {
			t.Parallel()
			docs, problems := document.Read("objects.yaml", content(t, byhand+guide.name+"/objects.yaml"))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			docs = slices.DeleteFunc(docs, func(d document.Document) bool {
				return !slices.Contains([]string{"Deployment", "LeaderWorkerSet", "DisaggregatedSet", "ServiceAccount"}, d.Kind) || strings.HasSuffix(d.Name, "-epp")
			})
			r := Convert(docs, Options{})
			if len(r.Problems.Errors()) > 0 || len(r.Stacks) != 1 {
				t.Fatalf("%d stacks, %v", len(r.Stacks), r.Problems)
			}
			var stack object
			if err := r.Stacks[0].Node.Decode(&stack); err != nil {
				t.Fatal(err)
			}
			for _, role := range guide.roles {
				if at(stack, "spec", role) == nil {
					t.Errorf("no %s servers", role)
				}
			}
			if at(stack, "spec", "scheduler", "enabled") != false || at(stack, "spec", "delivery", "labels") != nil {
				t.Error("of servers alone there is no EPP, and no label of theirs on all objects")
			}
			for _, d := range r.Stacks[0].Left {
				if d.Risk == diff.Removes && d.ID.Kind != "ServiceAccount" {
					t.Errorf("%s is lost", d.ID)
				}
			}
		})
	}
}

// TestPoollessApart makes a stack of each set of decode servers, with the prefill servers that
// have its labels.
func TestPoollessApart(t *testing.T) {
	server := func(name, guide, role string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name + ", namespace: m}\nspec:\n  selector: {matchLabels: {guide: " + guide + ", llm-d.ai/role: " + role + "}}\n" +
			"  template:\n    metadata: {labels: {guide: " + guide + ", llm-d.ai/role: " + role + "}}\n    spec: {containers: [{name: vllm, image: 'vllm/vllm-openai:v0.26.0', command: [vllm, serve, a/b]}]}\n---\n"
	}
	docs, _ := document.Read("", []byte(server("a-decode", "a", "decode")+server("b-decode", "b", "decode")+server("b-prefill", "b", "prefill")))
	r := Convert(docs, Options{})
	var found []string
	for _, s := range r.Stacks {
		var stack object
		if err := s.Node.Decode(&stack); err != nil {
			t.Fatal(err)
		}
		prefill := ""
		if at(stack, "spec", "prefill") != nil {
			prefill = "with prefill servers"
		}
		found = append(found, text(stack, "metadata", "name")+" "+prefill)
	}
	if !slices.Equal(found, []string{"a ", "b with prefill servers"}) {
		t.Errorf("%q, %v", found, r.Problems)
	}
	if len(r.Alone) > 0 {
		t.Errorf("left alone: %v", r.Alone)
	}
}
