package convert

import (
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"
)

// refused are the values of a library chart: they name no servers, and no chart installs
// with them alone.
const refused = "helm/epplib"

// TestSamples holds that every sample of the existing systems has its golden directory,
// and that none of them is refused.
func TestSamples(t *testing.T) {
	var systems map[string]map[string]string
	if err := yaml.UnmarshalStrict(content(t, "../testdata/convert/samples.yaml"), &systems); err != nil {
		t.Fatal(err)
	}
	for system, samples := range systems {
		for sample, dir := range samples {
			for _, file := range []string{"stack.yaml", "results.txt", "rendered.yaml"} {
				info, err := os.Stat(filepath.Join("../testdata/convert", dir, file))
				if err != nil && dir == refused && file == "rendered.yaml" {
					continue
				}
				if err != nil {
					t.Errorf("%s, %s: %v", system, sample, err)
				} else if info.Size() == 0 && file != "results.txt" && dir != refused {
					t.Errorf("%s, %s: %s/%s is empty", system, sample, dir, file)
				}
			}
		}
	}
	charts, _ := filepath.Glob("../testdata/convert/helm/chart-*")
	for _, dir := range charts {
		name := filepath.Base(dir)
		if _, err := os.Stat(filepath.Join(dir, "chart.yaml")); err != nil && name != "chart-defaults" {
			t.Errorf("%s: what the chart itself renders is not there to compare with", name)
		}
	}
}
