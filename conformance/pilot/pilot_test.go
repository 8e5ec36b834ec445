package pilot

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
)

var (
	table    = report.New("Istio pilot", "manifests", "objects", "conditions", "routes with a picker", "clusters", "version")
	verdicts = report.New("mistakes: inferstack check, and pilot after it", "mistake", "inferstack check", "pilot")
)

func TestMain(m *testing.M) { report.Main(m, table, verdicts) }

// TestHandWritten holds the checks themselves to manifests that are known to be right.
func TestHandWritten(t *testing.T) {
	for _, name := range []string{"native", "envoyfilter"} {
		t.Run(name, func(t *testing.T) {
			accept(t, "testdata/"+name, manifests.Parse(t, []byte(handWritten(t, name))))
		})
	}
}

// TestExamples shows every example with a Gateway of class istio to pilot.
func TestExamples(t *testing.T) {
	shown := 0
	for _, example := range append(product.Overlays(t), product.Examples(t)...) {
		if !istio(example.Objects) {
			continue
		}
		shown++
		t.Run(example.Name, func(t *testing.T) { accept(t, "examples/"+example.Name, example.Objects) })
	}
	if shown == 0 {
		t.Error("no example has a Gateway of class istio")
	}
}

func istio(objects []*unstructured.Unstructured) bool {
	for _, gateway := range manifests.Of(objects, "Gateway") {
		if class, _, _ := unstructured.NestedString(gateway.Object, "spec", "gatewayClassName"); class == "istio" {
			return true
		}
	}
	return false
}

// handWritten returns the shared objects and one way to wire them.
func handWritten(t *testing.T, name string) string {
	t.Helper()
	text := ""
	for _, file := range []string{"base", name} {
		content, err := os.ReadFile(filepath.Join("testdata", file+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		text += "---\n" + string(content)
	}
	return text
}

// accept fails unless Istio does with the manifests exactly what they are meant to say.
func accept(t *testing.T, name string, objects []*unstructured.Unstructured) {
	t.Helper()
	f := read(objects)
	result := Run(t, append(prerequisites(t, objects), objects...), f.env()...)
	for _, refusal := range result.Refused {
		t.Errorf("Istio's webhook refuses %s: %s", refusal.Object, refusal.Error)
	}
	conditions := f.conditions(t, result)
	routes, clusters := 0, 0
	for i := range result.Proxies {
		proxy := &result.Proxies[i]
		for _, message := range proxy.Invalid {
			t.Errorf("%s: Envoy would refuse %s", proxy.Gateway, message)
		}
		routes += f.routes(t, proxy)
		clusters += len(proxy.Clusters)
	}
	if routes < len(slices.Compact(slices.Sorted(slices.Values(f.pickers)))) {
		t.Errorf("%d routes pass an endpoint picker, fewer than the %d pickers", routes, len(f.pickers))
	}
	table.Row(t, name, len(objects), conditions, routes, clusters, version(t))
}

func version(t *testing.T) string {
	t.Helper()
	version, err := assets.Version("istio-pilot")
	if err != nil {
		t.Fatal(err)
	}
	return version
}
