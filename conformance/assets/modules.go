package assets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// ModuleDir returns the folder of a Go module at exactly that version (path@version), fetched when missing: the
// upstream projects ship their CRDs as files in their modules, and no two modules' requirements should meet.
func ModuleDir(t testing.TB, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	// Outside any module, so that nothing here decides the version.
	cmd.Dir = os.TempDir()
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	runErr := cmd.Run()
	var result struct{ Dir, Error string }
	err := json.Unmarshal(out.Bytes(), &result)
	if runErr != nil || err != nil || result.Dir == "" {
		t.Fatalf("module %s: %s", module, fmt.Sprint(runErr, " ", result.Error, " ", stderr.String()))
	}
	return result.Dir
}
