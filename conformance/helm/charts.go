// Package helm holds what convert helm says of a value to the charts themselves: Helm, linked as a library, renders
// each chart with the value and without it. It is a module of its own because Helm fixes the versions of what it
// shares with others.
package helm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/convert/helm"
)

// module has the charts inferencepool and standalone.
const module = "sigs.k8s.io/gateway-api-inference-extension"

// A Chart is one that values can be of.
type Chart struct {
	// Name is the chart's own, Version that of its release.
	Name, Version string
	// Values are values.yaml, those of the charts that it depends on included.
	Values map[string]any

	dir    string
	loaded *chart.Chart
}

// A kind is what convert helm has for a chart.
type kind struct {
	file     func(*convert.HelmValues) *convert.HelmFile
	named    bool           // by --pool-chart
	values   any            // a type of convert helm
	required map[string]any // by the chart
}

var kinds = map[string]kind{
	"inferencepool": {
		func(v *convert.HelmValues) *convert.HelmFile { return &v.Pool }, true, helm.Pool{},
		map[string]any{"inferencePool": servers},
	},
	"standalone": {
		func(v *convert.HelmValues) *convert.HelmFile { return &v.Pool }, true, helm.Pool{},
		map[string]any{"inferencePool": servers},
	},
	"llm-d-router-gateway": {
		func(v *convert.HelmValues) *convert.HelmFile { return &v.Pool }, true, helm.RouterValues{},
		map[string]any{"router": map[string]any{"modelServers": map[string]any{"matchLabels": map[string]any{"app": "servers"}}}},
	},
	"llm-d-router-standalone": {
		func(v *convert.HelmValues) *convert.HelmFile { return &v.Pool }, true, helm.RouterValues{},
		map[string]any{"router": map[string]any{"modelServers": map[string]any{"matchLabels": map[string]any{"app": "servers"}}}},
	},
	"llm-d-modelservice": {
		func(v *convert.HelmValues) *convert.HelmFile { return &v.Model }, false, helm.Model{},
		map[string]any{
			"modelArtifacts": map[string]any{"name": "a/b", "uri": "hf://a/b"},
			"decode":         map[string]any{"containers": []any{map[string]any{"name": "vllm", "image": "registry.example/vllm:v1", "modelCommand": "vllmServe", "mountModelVolume": true}}},
		},
	},
	"llm-d-infra": {func(v *convert.HelmValues) *convert.HelmFile { return &v.Infra }, false, helm.Infra{}, map[string]any{}},
}

var servers = map[string]any{"modelServers": map[string]any{"matchLabels": map[string]any{"app": "servers"}}}

// Charts are those of the Inference Extension's releases, and those in the folders that CHARTS lists, which no Go
// module carries (llm-d-router-gateway, llm-d-router-standalone, llm-d-modelservice, llm-d-infra).
func Charts(t testing.TB) []Chart {
	t.Helper()
	var out []Chart
	for _, version := range []string{"v1.0.0", "v1.1.0", "v1.2.0", "v1.3.0", "v1.4.0", "v1.5.0"} {
		dir := filepath.Join(moduleDir(t, module+"@"+version), "config/charts")
		for _, name := range []string{"inferencepool", "standalone"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil { // standalone begins with 1.4
				out = append(out, open(t, filepath.Join(dir, name), version))
			}
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv("CHARTS")) {
		out = append(out, open(t, dir, filepath.Base(dir)))
	}
	return out
}

// released is the chart's release, where its version is that.
func (c *Chart) released() (version string, known bool) { return strings.CutPrefix(c.Version, "v") }

func open(t testing.TB, dir, version string) Chart {
	t.Helper()
	loaded, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := Chart{Name: loaded.Name(), Version: version, dir: dir, loaded: loaded}
	if _, ok := kinds[c.Name]; !ok {
		t.Fatalf("%s: the chart %s is none that convert helm takes", dir, c.Name)
	}
	values, err := chartutil.CoalesceValues(loaded, map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	c.Values = values
	return c
}

// load reads a chart. Charts that it depends on by their folder are put into it, as helm dependency build does.
func load(dir string) (*chart.Chart, error) {
	out, err := loader.Load(dir)
	if err != nil {
		return nil, err
	}
	for _, d := range out.Metadata.Dependencies {
		folder, beside := strings.CutPrefix(d.Repository, "file://")
		if !beside {
			continue
		}
		below, err := loader.Load(filepath.Join(dir, folder))
		if err != nil {
			return nil, err
		}
		out.AddDependency(below)
	}
	return out, chartutil.ProcessDependencies(out, chartutil.Values{})
}

// Render returns the chart's objects as JSON, in a fixed order; what the chart refuses is an error.
func (c *Chart) Render(values map[string]any) (string, error) {
	all, err := chartutil.ToRenderValues(c.loaded, values, chartutil.ReleaseOptions{Name: "release", Namespace: "ns", Revision: 1, IsInstall: true}, nil)
	if err != nil {
		return "", err
	}
	files, err := engine.Render(c.loaded, all)
	if err != nil {
		return "", err
	}
	var objects []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Base(name) == "NOTES.txt" {
			continue
		}
		found, err := objectsIn(files[name])
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		objects = append(objects, found...)
	}
	slices.Sort(objects)
	return strings.Join(objects, "\n"), nil
}

func objectsIn(text string) ([]string, error) {
	var out []string
	documents := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var object map[string]any
		switch err := documents.Decode(&object); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		case len(object) == 0:
			continue
		}
		data, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		out = append(out, string(data))
	}
}

// moduleDir returns the folder of a Go module at exactly that version (path@version), fetched when missing.
func moduleDir(t testing.TB, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // outside any module, so that nothing here decides the version
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	runErr := cmd.Run()
	var result struct{ Dir, Error string }
	if err := json.Unmarshal(out.Bytes(), &result); runErr != nil || err != nil || result.Dir == "" {
		t.Fatalf("module %s: %v %s %s", module, runErr, result.Error, said.String())
	}
	return result.Dir
}
