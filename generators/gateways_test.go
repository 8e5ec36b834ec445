package generators

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/envoyproxy"
	"github.com/inferstack/inferstack/generators/gateway"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/generators/istio"
	"github.com/inferstack/inferstack/internal/conform"
)

// gatewayGenerators are the generators of everything between the clients and the pool.
var gatewayGenerators = []generator{gateway.Objects, envoyproxy.Objects, gateway.Route, gateway.ReferenceGrants, istio.EnvoyFilters, istio.DestinationRules}

// TestGateways reads testdata/gateways: the first document of a file is a stack, the
// others are what the generators of the gateway make of it. Each object is judged as its
// consumers would, since some are written with types of our own. UPDATE_GOLDEN=1 (make
// golden) writes the files.
func TestGoldenGateways(t *testing.T) {
	files, err := filepath.Glob("testdata/gateways/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases, %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			stack, want, _ := strings.Cut(string(data), "---\n")
			var got []string
			for _, o := range gatewayObjects(stacktest.ParseDocument(t, stack)) {
				got = append(got, stacktest.TextOf(t, o))
				judge(t, got[len(got)-1])
			}
			text := strings.Join(got, "---\n")
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(file, []byte(stack+"---\n"+text), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, text); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func gatewayObjects(s *base.Stack) []base.Object {
	var objects []base.Object
	for _, generate := range gatewayGenerators {
		objects = append(objects, generate(s)...)
	}
	return objects
}

// judge checks a manifest as the API server, Envoy and Pod Security admission would.
func judge(t *testing.T, text string) {
	t.Helper()
	objects, err := conform.Documents([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		if err := conform.Check(o); err != nil {
			t.Error(err)
		}
		if err := conform.PodSecurity(o, "restricted"); o.GetKind() == "Deployment" && err != nil {
			t.Error(err)
		}
	}
}
