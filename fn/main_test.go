package fn

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// built is the program, as kustomize and kpt start it, with those that it starts beside it.
var built string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

// buildAndRun builds the programs, or takes those that make has built: INFERSTACK_BIN is their directory.
func buildAndRun(m *testing.M) int {
	dir := os.Getenv("INFERSTACK_BIN")
	if dir == "" {
		temp, err := os.MkdirTemp("", "inferstack-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(temp)
		dir = temp
		if text, err := compiled("-s -w", dir+string(filepath.Separator), "../cmd/..."); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, text)
			return 1
		}
	}
	built = filepath.Join(dir, "inferstack")
	self = func() (string, error) { return built, nil }
	return m.Run()
}

// compiled builds programs as they are released, static.
func compiled(flags, to string, programs ...string) ([]byte, error) {
	cmd := exec.Command("go", append([]string{"build", "-trimpath", "-ldflags=" + flags, "-o", to}, programs...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd.CombinedOutput()
}
