package assets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumented holds docs/conformance.md to the versions that are built.
func TestDocumented(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(filepath.Dir(root), "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Components {
		version, err := c.version()
		if err != nil {
			t.Error(err)
			continue
		}
		// Of a version that is a commit the page names the commit.
		shown := version[strings.LastIndex(version, "-")+1:]
		if !strings.Contains(string(page), shown) {
			t.Errorf("%s: docs/conformance.md does not name %s", c.Name, shown)
		}
	}
}
