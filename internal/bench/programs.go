package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The yardsticks that are built from their modules, and the module that holds the chart.
const (
	helmModule      = "helm.sh/helm/v4@v4.2.0"
	kustomizeModule = "sigs.k8s.io/kustomize/kustomize/v5@v5.8.2"
	chartModule     = "sigs.k8s.io/gateway-api-inference-extension"
)

// build compiles a package as a release does. What is timed is a copy: a file that the linker
// has just written took up to a fifth more to start than the same bytes copied.
func (b *bench) build(name, module, pkg string) (string, error) {
	out, linked := b.path(name), b.path(name+".linked")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", linked, pkg)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", name, err, msg)
	}
	text, err := os.ReadFile(linked)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(out, text, 0o700); err != nil {
		return "", err
	}
	return out, os.Remove(linked)
}

// buildModule builds a program of another module.
func (b *bench) buildModule(name, module, pkg string) (string, error) {
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", err
	}
	return b.build(name, found.Dir, pkg)
}

// chart copies upstream's inferencepool chart, and beside it the one it depends on to
// where Helm looks for it.
func (b *bench) chart() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", chartModule).Output()
	if err != nil {
		return "", fmt.Errorf("find %s: %w", chartModule, err)
	}
	charts := filepath.Join(string(bytes.TrimSpace(out)), "config", "charts")
	chart := b.path("inferencepool")
	if err := os.CopyFS(chart, os.DirFS(filepath.Join(charts, "inferencepool"))); err != nil {
		return "", err
	}
	return chart, os.CopyFS(filepath.Join(chart, "charts", "epplib"), os.DirFS(filepath.Join(charts, "epplib")))
}
