package fn

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGraph draws a stack, other manifests, standard input and nothing.
func TestGraph(t *testing.T) {
	dir := t.TempDir()
	good := strings.ReplaceAll(checkedService, "PORT", "http")
	stack := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: qwen}\nspec: {model: {name: Qwen/Qwen3-0.6B}}\n"
	for name, text := range map[string]string{"stack.yaml": stack, "web.yaml": good, "chart.yaml": "kind: {{ .kind }}: [\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "picture.dot")
	for _, test := range []struct {
		args     []string
		in       string
		code     int
		out, err string
	}{
		{args: []string{"graph", dir, "-o", "mermaid"}, code: exitError, err: "chart.yaml:1: not YAML: "},
		{args: []string{"graph", filepath.Join(dir, "stack.yaml"), filepath.Join(dir, "web.yaml"), "-o", "mermaid"}, out: "<b>qwen-decode</b>"},
		{args: []string{"graph", filepath.Join(dir, "stack.yaml"), filepath.Join(dir, "web.yaml"), "-o", "mermaid"}, out: "<b>web</b>"},
		{args: []string{"graph", "-o", "dot"}, in: good, out: "digraph"},
		{args: []string{"graph", "-", "-o", "mermaid", "--all"}, in: stack, out: "<small>RoleBinding</small>"},
		{args: []string{"graph", "-w", file}, in: stack},
		{args: []string{"graph"}, in: stack, out: "<svg"},
		{args: []string{"graph", "-w", "-"}, in: stack, out: "<svg"},
		{args: []string{"graph", "-w", filepath.Join(dir, "picture")}, in: stack},
		{args: []string{"graph", "-w", filepath.Join(dir, "x.pdf"), "-o", "dot"}, in: stack},
		{args: []string{"graph", "-w", "x.pdf"}, in: stack, code: exitUsage, err: "--write x.pdf: no format ends in .pdf; say which with --output: svg, mermaid, dot, html"},
		{args: []string{"graph", "-o", "html"}, in: stack, out: "<!doctype html>"},
		{args: []string{"graph", "-w", filepath.Join(dir, "no", "such.dot")}, in: stack, code: exitError, err: "no such file"},
		{args: []string{"graph", filepath.Join(dir, "chart.yaml")}, code: exitError, err: "chart.yaml"},
		{args: []string{"graph"}, in: "a: 1\n", code: exitError, err: "no Kubernetes objects found in standard input"},
		{args: []string{"graph"}, in: strings.Replace(stack, "model:", "modle:", 1), code: exitError, err: "spec.modle: unknown field"},
		{args: []string{"graph", "-o", "png"}, in: good, code: exitUsage, err: "--output is "},
	} {
		var out, err bytes.Buffer
		code := run(test.args, streams{strings.NewReader(test.in), &out, &err})
		if code != test.code || !strings.Contains(out.String(), test.out) || !strings.Contains(err.String(), test.err) {
			t.Errorf("%v: exit %d\n%s\n%s", test.args, code, out.String(), err.String())
		}
	}
	if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "digraph") {
		t.Errorf("%s: %v\n%s", file, err, text)
	}
}
