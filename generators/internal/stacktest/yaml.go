package stacktest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// AsYAML compares a value with the YAML it should be.
func AsYAML(t *testing.T, want string, value any) {
	t.Helper()
	data, err := yaml.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(string(data))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
