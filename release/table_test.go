package release

import (
	"os"
	"strings"
	"testing"
)

// TestReferenceTable holds the table of docs/versions.md to the lines; UPDATE_GOLDEN=1 writes
// it anew.
func TestReferenceTable(t *testing.T) {
	const file, begin, end = "../docs/versions.md", "<!-- Written by the release catalogue: make golden -->\n\n", "\n<!-- end of the release lines -->"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), begin)
	have, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("docs/versions.md has lost its marks")
	}
	want := Table()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		have = want
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have != want {
		t.Errorf("docs/versions.md is not what the lines say, run make golden: have\n%s\nwant\n%s", have, want)
	}
}
