// Package product runs the built inferstack over the repository's examples.
package product

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/report"
)

var build = sync.OnceValues(func() (string, error) {
	root, err := repository()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "inferstack")
	if err != nil {
		return "", err
	}
	report.AtExit(func() { os.RemoveAll(dir) })
	binary := filepath.Join(dir, "inferstack")
	cmd := exec.Command("go", "build", "-trimpath", "-o", dir+string(filepath.Separator), "./cmd/inferstack", "./cmd/inferstack-build", "./cmd/inferstack-policy")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return binary, cmd.Run()
})

// Binary returns the path of the program, built from the tree that this module is part of.
func Binary(t testing.TB) string {
	t.Helper()
	binary, err := build()
	if err != nil {
		t.Fatalf("build inferstack: %v", err)
	}
	return binary
}

// Run runs the program and returns what it printed. A run that fails ends the test.
func Run(t testing.TB, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), Binary(t), args...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("inferstack %v: %v\n%s", args, err, stderr.String())
	}
	return out.Bytes()
}

func repository() (string, error) {
	root, err := assets.Root()
	return filepath.Dir(root), err
}
