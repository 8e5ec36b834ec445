package fn

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWriteFile has a file replaced whole, through a link too, or left as it was.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "new" {
		t.Errorf("through a link: %q", text)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is none any more")
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if err := writeFile(os.DevNull, []byte("x")); err != nil {
		t.Error(err)
	}
	for _, name := range []string{dir, filepath.Join(dir, "none", "file")} {
		if err := writeFile(name, []byte("x")); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
