package wiring

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpstream asks about the manifests that llm-d-inference-scheduler v0.4.0 is developed
// with: what works there is no error here. It runs where the module was fetched.
func TestUpstream(t *testing.T) {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Skip(err)
	}
	deploy := filepath.Join(strings.TrimSpace(string(out)), "github.com/llm-d/llm-d-inference-scheduler@v0.4.0", "deploy")
	if _, err := os.Stat(deploy); err != nil {
		t.Skip("llm-d-inference-scheduler v0.4.0 is not in the module cache")
	}
	for _, folders := range [][]string{
		{"components/inference-gateway", "components/vllm-sim", "environments/dev/base-kind-istio"},
		{"components/inference-gateway", "components/vllm-sim-pd"},
		{"components/istio-control-plane", "components/crds-istio"},
		{"environments/dev/kubernetes-kgateway", "components/inference-gateway"},
		{"environments/openshift-base/common", "environments/openshift-base/openshift"},
	} {
		t.Run(strings.Join(folders, "+"), func(t *testing.T) {
			var objects []*Object
			for _, folder := range folders {
				objects = append(objects, readFolder(t, filepath.Join(deploy, folder))...)
			}
			if len(objects) == 0 {
				t.Fatal("no objects")
			}
			for _, f := range Check(objects, Options{}) {
				if f.Severity == Error && f.Rule != mistaken[folders[0]] {
					t.Error(f)
				}
			}
		})
	}
}

// mistaken are rules that rightly find something. This environment starts the EPP with
// --pool-group=inference.networking.x-k8s.io, while its pool is inference.networking.k8s.io/v1:
// GIE v1.2 (cmd/epp/runner) then watches the pools of the old group, of which there is none.
var mistaken = map[string]string{"environments/dev/kubernetes-kgateway": "pool-group"}

// readFolder reads the manifests of a folder, as far as they are YAML before kustomize has
// been over them.
func readFolder(t *testing.T, folder string) []*Object {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var objects []*Object
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Read(file, data)
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, found...)
	}
	return objects
}
