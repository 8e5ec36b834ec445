// Package delivery hands what Inferstack emits to the tools that people deploy with.
package delivery

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/inferstack/inferstack/conformance/assets"
)

// Flux builds a folder with the rendered manifests as Flux's kustomize-controller does, with post-build substitution on.
func Flux(t testing.TB, rendered []byte) []byte {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"rendered.yaml":      rendered,
		"kustomization.yaml": []byte("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [rendered.yaml]\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), assets.Binary(t, "flux-build"), dir, "cluster_name=conformance", "NAMESPACE=eaten", "POD_IP=eaten")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("flux build: %v\n%s", err, stderr.String())
	}
	return out.Bytes()
}
