package generators

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// gatewayGenerators are the generators of everything between the clients and the pool.
var gatewayGenerators = []generator{gateway, envoyProxy, route, referenceGrants, envoyFilter, destinationRules}

// TestGateways reads testdata/gateways: the first document of a file is a stack, the
// others are what the generators of the gateway make of it. Whatever is Envoy's or
// Istio's in it is decoded into the upstream types as well.
func TestGateways(t *testing.T) {
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
			for _, o := range gatewayObjects(parseDocument(t, stack)) {
				got = append(got, manifest(t, o))
				checkUpstream(t, o)
			}
			if diff := cmp.Diff(want, strings.Join(got, "---\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func gatewayObjects(s *Stack) []Object {
	var objects []Object
	for _, generate := range gatewayGenerators {
		objects = append(objects, generate(s)...)
	}
	return objects
}

// checkBootstrap decodes the configuration of a standalone proxy.
func checkBootstrap(t *testing.T, config *corev1.ConfigMap) {
	t.Helper()
	if text, ok := config.Data[envoyConfigKey]; ok {
		bootstrap(t, text)
	}
}
