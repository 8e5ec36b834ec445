package generators

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// parse reads a stack whose spec is given as YAML, indented as if it stood alone.
func parse(t *testing.T, spec string) *Stack {
	t.Helper()
	return parseDocument(t, `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: demo, namespace: llm}
spec:
  `+strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ")+"\n")
}

// parseDocument reads a whole document.
func parseDocument(t *testing.T, document string) *Stack {
	t.Helper()
	docs, problems := schema.Read("stack.yaml", []byte(document))
	if len(problems.Errors()) > 0 || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), problems)
	}
	stack, problems := schema.Parse(docs[0].Node, docs[0].Source)
	if stack == nil {
		t.Fatalf("%v in\n%s", problems, document)
	}
	line, err := release.Load(stack.Spec.Release)
	if err != nil {
		t.Fatal(err)
	}
	return &Stack{Stack: stack, Line: line}
}

// serverOf returns the servers of a role that the stack has.
func serverOf(t *testing.T, s *Stack, role string) server {
	t.Helper()
	for _, server := range s.servers() {
		if server.role == role {
			return server
		}
	}
	t.Fatalf("no servers of role %q", role)
	return server{}
}
