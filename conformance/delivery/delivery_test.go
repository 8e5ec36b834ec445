package delivery

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
)

var table = report.New("delivery", "manifests", "program", "version", "objects")

func TestMain(m *testing.M) { report.Main(m, table) }

// TestFlux builds every example with Flux and substitution on: not one $(VAR) or ${VAR} of the emitted arguments,
// scripts or Envoy configurations may be eaten.
func TestFlux(t *testing.T) {
	for _, example := range product.Examples(t) {
		t.Run(example.Name, func(t *testing.T) {
			out := Flux(t, product.Run(t, append([]string{"render"}, example.Inputs...)...))
			same(t, example.Objects, manifests.Parse(t, out))
			row(t, example, "flux-build")
		})
	}
}

func row(t *testing.T, example product.Example, program string) {
	t.Helper()
	table.Row(t, "examples/"+example.Name, program, version(t, program), len(example.Objects))
}

func version(t *testing.T, program string) string {
	t.Helper()
	version, err := assets.Version(program)
	if err != nil {
		t.Fatal(err)
	}
	return version
}

// same compares two sets of objects by name; a tool may order them as it likes.
func same(t *testing.T, want, got []*unstructured.Unstructured) {
	t.Helper()
	index := map[string]*unstructured.Unstructured{}
	for _, object := range got {
		index[key(object)] = object
	}
	if len(got) != len(want) {
		t.Errorf("%d objects came back of %d", len(got), len(want))
	}
	for _, object := range want {
		other, ok := index[key(object)]
		if !ok {
			t.Errorf("%s did not come back", manifests.Name(object))
			continue
		}
		if diff := cmp.Diff(object.Object, other.Object); diff != "" {
			t.Errorf("%s came back changed (-emitted +returned):\n%s", manifests.Name(object), diff)
		}
	}
}

func key(object *unstructured.Unstructured) string {
	return strings.Join([]string{object.GetAPIVersion(), manifests.Name(object)}, " ")
}
