package assets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// TestPickersShareModules holds the pickers and the routing sidecar to one version of each module that several of
// them need: what they have in common is compiled once, and not for minutes in each.
func TestPickersShareModules(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	version, where := map[string]string{}, map[string]string{}
	for _, c := range Components {
		// The oldest of llm-d needs an older Kubernetes.
		if !strings.HasPrefix(c.Name, "epp-") && c.Name != "pd-sidecar" || c.Name == "epp-llmd-0.4" {
			continue
		}
		file := filepath.Join(root, "build", c.Name, "go.mod")
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		mod, err := modfile.Parse(file, content, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range mod.Require {
			path := r.Mod.Path
			switch have := version[path]; {
			case path == "sigs.k8s.io/gateway-api-inference-extension": // what they are made of
			case have == "":
				version[path], where[path] = r.Mod.Version, c.Name
			case have != r.Mod.Version:
				t.Errorf("%s: %s has %s, and %s has %s", path, where[path], have, c.Name, r.Mod.Version)
			}
		}
	}
	if len(version) < 50 {
		t.Errorf("only %d modules", len(version))
	}
}
