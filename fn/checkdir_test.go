package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRenderCheck has a directory that is up to date, and each way in which it is not.
func TestRenderCheck(t *testing.T) {
	check := func(t *testing.T, dir string) outcome {
		t.Helper()
		return call(t, small, "render", "-", "--check", dir)
	}
	for name, step := range map[string]struct {
		change func(t *testing.T, dir string)
		code   int
		says   string
	}{
		"up to date": {func(*testing.T, string) {}, exitOK, ""},
		"of others":  {func(t *testing.T, dir string) { put(t, dir, "own.yaml", "a: b\n") }, exitOK, ""},
		"edited": {func(t *testing.T, dir string) {
			put(t, dir, "service_llama-epp.yaml", ownHeader+"a: b\n")
		}, exitError, "service_llama-epp.yaml: differs"},
		"left over": {func(t *testing.T, dir string) { put(t, dir, "old.yaml", ownHeader+"a: b\n") }, exitError, "old.yaml: no longer generated"},
		"missing": {func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "service_llama-epp.yaml")); err != nil {
				t.Fatal(err)
			}
		}, exitError, "service_llama-epp.yaml: missing"},
		"no directory": {func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}, exitError, "kustomization.yaml: missing"},
		"taken": {func(t *testing.T, dir string) { put(t, dir, "service_llama-epp.yaml", "a: b\n") }, exitError, "inferstack did not write it"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "deploy")
			if got := call(t, small, "render", "-", "-o", dir); got.code != exitOK {
				t.Fatal(got.errors)
			}
			step.change(t, dir)
			before := contentOf(t, dir)
			got := check(t, dir)
			if got.code != step.code || !strings.Contains(got.errors, step.says) || got.out != "" {
				t.Errorf("exit %d: %s%s", got.code, got.out, got.errors)
			}
			if after := contentOf(t, dir); after != before {
				t.Errorf("the directory changed:\n%s\n%s", before, after)
			}
		})
	}
	if got := call(t, small, "render", "-", "--check", "a", "-o", "b"); got.code != exitUsage {
		t.Errorf("--check with -o: exit %d", got.code)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// contentOf is what a directory holds, with the contents.
func contentOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	entries, _ := os.ReadDir(dir) // one that is not there is empty
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(e.Name() + "\n" + string(text))
	}
	return b.String()
}
