package document

import (
	"regexp"
	"strings"
	"testing"
)

// TestNeighboursLeadToFields asks the schema for each field that a hint names.
func TestNeighboursLeadToFields(t *testing.T) {
	path := regexp.MustCompile(`\b(?:spec\.)?((?:model|server|decode|pool|scheduler|gateway|route|kvTransfer|security|images|delivery|parallelism|accelerator)(?:\.[a-zA-Z]+)+)`)
	for name, hint := range neighbours {
		for _, found := range path.FindAllStringSubmatch(hint, -1) {
			field := found[1]
			if first, _, _ := strings.Cut(field, "."); first == "parallelism" || first == "accelerator" {
				field = "decode." + field
			}
			if _, err := Describe("spec." + field); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if hint == "" || strings.HasSuffix(hint, ".") {
			t.Errorf("%s: a hint continues a sentence (got %q)", name, hint)
		}
	}
}
