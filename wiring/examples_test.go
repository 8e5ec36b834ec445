package wiring

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema/document"
	stackrules "github.com/inferstack/inferstack/schema/rules"
)

// TestExamples renders every example and finds nothing to warn of.
func TestExamples(t *testing.T) {
	stacks, err := filepath.Glob("../examples/*/stack.yaml")
	if err != nil || len(stacks) == 0 {
		t.Fatal("no examples", err)
	}
	for _, stack := range stacks {
		folder := filepath.Dir(stack)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			objects := rendered(t, folder)
			for _, f := range Check(objects, Options{}) {
				if f.Severity != Info {
					t.Error(f)
				}
			}
		})
	}
}

// rendered is what the stacks of a folder are made into, read again as a user would.
func rendered(t *testing.T, folder string) []*Object {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		docs, _ := document.Read(file, data)
		for _, d := range docs {
			if d.IsStack() {
				render(t, &out, d)
			}
		}
	}
	objects, err := Read("rendered.yaml", out.Bytes())
	if err != nil || len(objects) == 0 {
		t.Fatal(len(objects), err)
	}
	return objects
}

func render(t *testing.T, out *bytes.Buffer, d document.Document) {
	t.Helper()
	stack, problems := stackrules.Parse(d.Node, d.Source)
	if stack == nil {
		t.Fatal(problems)
	}
	line, err := release.Load(stack.Spec.Release)
	if err != nil {
		t.Fatal(err)
	}
	out.WriteString("---\n")
	if err := manifest.WriteYAML(out, manifest.List(generators.Generate(stack, line))); err != nil {
		t.Fatal(err)
	}
}

// TestServersThatSpeakTLS finds nothing wrong with what each class is told of their certificate.
func TestServersThatSpeakTLS(t *testing.T) {
	for class, more := range map[string]string{
		"istio": "", "envoy": "", "agentgateway": "",
		"agentgateway with a Service": ", route: {backend: service}", "kgateway": ", route: {backend: service}",
	} {
		t.Run(class, func(t *testing.T) {
			name, _, _ := strings.Cut(class, " ")
			stack := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a, namespace: b}\n" +
				"spec: {model: {name: o/m}, prefill: {}, monitoring: {}, server: {certSecret: tls}, gateway: {class: " + name + "}" + more + "}\n"
			docs, _ := document.Read("stack.yaml", []byte(stack))
			var out bytes.Buffer
			render(t, &out, docs[0])
			objects, err := Read("rendered.yaml", out.Bytes())
			if err != nil || len(objects) == 0 {
				t.Fatal(len(objects), err)
			}
			for _, f := range Check(objects, Options{}) {
				if f.Severity == Error {
					t.Error(f)
				}
			}
		})
	}
}
