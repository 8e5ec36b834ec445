package pilot

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/report"
)

var table = report.New("Istio pilot", "manifests", "objects", "conditions", "routes with a picker", "clusters")

func TestMain(m *testing.M) { report.Main(m, table) }

// TestHandWritten holds the checks themselves to manifests that are known to be right.
func TestHandWritten(t *testing.T) {
	for _, name := range []string{"native", "envoyfilter"} {
		t.Run(name, func(t *testing.T) {
			accept(t, "testdata/"+name, manifests.Parse(t, []byte(handWritten(t, name))))
		})
	}
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
	result := Run(t, objects, f.env()...)
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
	table.Row(t, name, len(objects), conditions, routes, clusters)
}
