package wiring

import (
	"os"
	"regexp"
	"testing"
)

func TestReference(t *testing.T) {
	const file = "../docs/checks.md"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != Markdown() {
		t.Errorf("%s is not what the rule table says: UPDATE_GOLDEN=1 go test ./wiring -run Reference", file)
	}
}

// TestRules holds the table to what people rely on: ids are unique and stay as they are
// written, and each rule says what it is about.
func TestRules(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$|^prerequisite$`)
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || !kebab.MatchString(r.ID) {
			t.Errorf("%s: not unique, or not kebab-case", r.ID)
		}
		seen[r.ID] = true
		if len(r.Doc) < 60 || r.Severity == "" || (r.find == nil) == (r.each == nil) {
			t.Errorf("%s: has no documentation, severity or search", r.ID)
		}
	}
}
