package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const checkedService = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: web, image: web, ports: [{name: PORT, containerPort: 80}]}]}
`

// TestCheck runs the command over a set in two files, from standard input, and wrongly.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	service, pod, _ := strings.Cut(strings.ReplaceAll(checkedService, "PORT", "web"), "---\n")
	for name, text := range map[string]string{"service.yaml": service, "pod.yaml": pod, "values.yaml": "a: 1\n", "broken.yaml": "{{ if }}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	good := strings.ReplaceAll(checkedService, "PORT", "http")
	for _, test := range []struct {
		args     []string
		in       string
		code     int
		out, err string
	}{
		{args: []string{"check", dir}, code: exitError, out: "service.yaml:4: error: Service web: targetPort http is no port of the pods of Pod web [service-target-port]", err: "2 objects: 1 error, 0 warnings"},
		{args: []string{"check", "-o", "github", dir}, code: exitError, out: "::error file="},
		{args: []string{"check"}, in: good, err: "2 objects: 0 errors, 0 warnings"},
		{args: []string{"check", "-", "-o", "json"}, in: good, out: "[]"},
		{args: []string{"check", filepath.Join(dir, "broken.yaml")}, code: exitError, err: "broken.yaml"},
		{args: []string{"check", filepath.Join(dir, "values.yaml")}, code: exitError, err: "no Kubernetes objects"},
		{args: []string{"check", "--platform", "kubernetes=1.20"}, in: "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n", code: exitError, out: "policy/v1 PodDisruptionBudget is not served before kubernetes 1.21, and 1.20 is declared"},
		{args: []string{"check", "--platform", "kube=1.20"}, in: good, code: exitUsage, err: "--platform knows"},
		{args: []string{"check", "-o", "xml"}, in: good, code: exitUsage, err: "--output is text, json, sarif, github"},
	} {
		var out, err bytes.Buffer
		code := run(test.args, streams{strings.NewReader(test.in), &out, &err})
		if code != test.code || !strings.Contains(out.String(), test.out) || !strings.Contains(err.String(), test.err) {
			t.Errorf("%v: exit %d\n%s\n%s", test.args, code, out.String(), err.String())
		}
	}
}
