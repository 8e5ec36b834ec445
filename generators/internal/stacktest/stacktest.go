// Package stacktest reads stacks and compares objects for the tests of the generators.
package stacktest

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// Parse reads a stack whose spec is given as YAML, indented as if it stood alone.
func Parse(t *testing.T, spec string) *base.Stack {
	t.Helper()
	return ParseDocument(t, `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: demo, namespace: llm}
spec:
  `+strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ")+"\n")
}

// ParseDocument reads a whole document.
func ParseDocument(t *testing.T, text string) *base.Stack {
	t.Helper()
	docs, problems := document.Read("stack.yaml", []byte(text))
	if len(problems.Errors()) > 0 || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), problems)
	}
	stack, problems := rules.Parse(docs[0].Node, docs[0].Source)
	if stack == nil {
		t.Fatalf("%v in\n%s", problems, text)
	}
	line, err := release.Load(stack.Spec.Release)
	if err != nil {
		t.Fatal(err)
	}
	return &base.Stack{Stack: stack, Line: line}
}

// Server returns the servers of a role that the stack has.
func Server(t *testing.T, s *base.Stack, role string) base.Server {
	t.Helper()
	for _, server := range s.Servers() {
		if server.Role == role {
			return server
		}
	}
	t.Fatalf("no servers of role %q", role)
	return base.Server{}
}
