package fn

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// built is the program, as kustomize and kpt start it.
var built string

// linked is what the linker put into it, and why.
var linked []byte

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "inferstack-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	built = filepath.Join(dir, "inferstack")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-dumpdep", "-o", built, "../cmd/inferstack")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // static, as it is released
	if linked, err = build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, linked)
		return 1
	}
	self = func() (string, error) { return built, nil }
	build = exec.Command("go", "build", "-trimpath", "-o", dir+string(filepath.Separator), "../cmd/inferstack-build", "../cmd/inferstack-policy")
	if text, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, text)
		return 1
	}
	return m.Run()
}
