package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// A program is a yardstick that is built from its module.
type program struct{ name, module, pkg string }

// The yardsticks, and the module that holds a chart.
var (
	helm        = program{"helm", "helm.sh/helm/v4@v4.2.0", "./cmd/helm"}
	helmfile    = program{"helmfile", "github.com/helmfile/helmfile@v1.8.0", "."}
	kustomize   = program{"kustomize", "sigs.k8s.io/kustomize/kustomize/v5@v5.8.2", "."}
	cue         = program{"cue", "cuelang.org/go@v0.17.1", "./cmd/cue"}
	jsonnet     = program{"jsonnet", "github.com/google/go-jsonnet@v0.22.0", "./cmd/jsonnet"}
	kubeconform = program{"kubeconform", "github.com/yannh/kubeconform@v0.8.0", "./cmd/kubeconform"}
)

const chartModule = "sigs.k8s.io/gateway-api-inference-extension"

// build compiles a package as a release does, once. What is timed is a copy: a file that the linker
// has just written took up to a fifth more to start than the same bytes copied.
func (b *bench) build(name, module, pkg string) (string, error) {
	out, linked := b.path("bin", name), b.path(name+".linked")
	if _, err := os.Stat(out); err == nil {
		return out, nil
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", linked, pkg)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", name, err, msg)
	}
	return out, errors.Join(copyFile(linked, out), os.Remove(linked))
}

// copyAgain puts copies in the place of the programs of some commands, and of those that they start.
func (b *bench) copyAgain(commands []command) error {
	names := map[string]bool{}
	for _, c := range commands {
		switch c.args[0] {
		case b.ours:
			names[b.ours], names[b.ours+"-build"] = true, true
		default:
			if filepath.Dir(c.args[0]) == filepath.Dir(b.ours) {
				names[c.args[0]] = true
			}
		}
	}
	var wrong []error
	for name := range names {
		copied := name + ".copy"
		wrong = append(wrong, copyFile(name, copied), os.Rename(copied, name))
	}
	return errors.Join(wrong...)
}

// copyFile copies a program without keeping it in memory: what this process takes counts into
// what is measured of those that it starts.
func copyFile(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close()) // nothing of it is written while something is measured
}

// yardstick builds a program of another module.
func (b *bench) yardstick(p program) (string, error) {
	out, err := exec.Command("go", "mod", "download", "-json", p.module).Output()
	if err != nil {
		return "", fmt.Errorf("%s cannot be downloaded: %w", p.module, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", err
	}
	return b.build(p.name, found.Dir, p.pkg)
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
	if _, err := os.Stat(chart); err == nil {
		return chart, nil
	}
	if err := os.CopyFS(chart, os.DirFS(filepath.Join(charts, "inferencepool"))); err != nil {
		return "", err
	}
	return chart, os.CopyFS(filepath.Join(chart, "charts", "epplib"), os.DirFS(filepath.Join(charts, "epplib")))
}
