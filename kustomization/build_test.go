package kustomization

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain makes a function of the test's own program: one that generates a ConfigMap.
func TestMain(m *testing.M) {
	if os.Getenv("AS_FUNCTION") == "" {
		os.Exit(m.Run())
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	fmt.Print("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: made}}\n")
}

// configured is the configuration of a function, with some annotations.
func configured(annotations string) string {
	return "apiVersion: example.com/v1\nkind: Config\nmetadata:\n  name: c\n  annotations:\n" + annotations
}

const (
	named     = "    config.kubernetes.io/function: 'exec: {path: ../bin/inferstack}'\n"
	imaged    = "    config.kubernetes.io/function: 'container: {image: \"ghcr.io/inferstack/inferstack:v1\"}'\n"
	evil      = "    config.kubernetes.io/function: 'exec: {path: ./evil}'\n"
	container = "    config.kubernetes.io/function: 'container: {image: example.com/evil}'\n"
	kept      = "    config.kubernetes.io/local-config: 'true'\n"
	generate  = "generators:\n- c.yaml\n"
)

// built builds a tree, whose function would leave a file behind if it were evil's.
func built(t *testing.T, tree map[string]string) (string, error) {
	t.Helper()
	function, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("AS_FUNCTION", "1")
	dir := t.TempDir()
	tree["evil"] = "#!/bin/sh\ntouch " + filepath.Join(dir, "ran") + "\n"
	for name, text := range tree {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out, err := Build(dir, Options{Function: function})
	for _, where := range []string{dir, filepath.Join(dir, "in")} {
		if _, err := os.Stat(filepath.Join(where, "ran")); err == nil {
			t.Error("a program of others was run")
		}
	}
	return out.Text, err
}

func TestFunctionsRun(t *testing.T) {
	for name, tree := range map[string]map[string]string{
		"a program":   {"kustomization.yaml": generate, "c.yaml": configured(named)},
		"an image":    {"kustomization.yaml": generate, "c.yaml": configured(imaged)},
		"inline":      {"kustomization.yaml": "generators:\n- |\n  " + strings.ReplaceAll(configured(named), "\n", "\n  ") + "\n"},
		"a list":      {"kustomization.yaml": generate, "c.yaml": listed(configured(named))},
		"a directory": {"kustomization.yaml": "generators:\n- in\n", "in/kustomization.yaml": "resources:\n- c.yaml\n", "in/c.yaml": configured(named)},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := built(t, tree)
			if err != nil || !strings.Contains(got, "name: made") {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
}

// listed is an object in a list in a list.
func listed(object string) string {
	for range 2 {
		object = "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(object), "\n", "\n  ") + "\n"
	}
	return object
}

// TestPrintedAsWritten: what is not run is printed with the annotation that the user wrote.
func TestPrintedAsWritten(t *testing.T) {
	for _, text := range []string{configured(named), listed(configured(named))} {
		got, err := built(t, map[string]string{"kustomization.yaml": "resources:\n- c.yaml\n", "c.yaml": text})
		if err != nil || !strings.Contains(got, "config.kubernetes.io/function: 'exec: {path: ../bin/inferstack}'") {
			t.Errorf("%v\n%s", err, got)
		}
	}
}

// TestRefused tries the ways by which a function of others could come to run.
func TestRefused(t *testing.T) {
	patch := func(field, value string) string {
		return "resources:\n- c.yaml\npatches:\n- target: {kind: Config}\n  patch: |\n    [{\"op\": \"add\", \"path\": \"/metadata/annotations/" + field + "\", \"value\": \"" + value + "\"}]\n"
	}
	for name, c := range map[string]struct {
		tree map[string]string
		want string
	}{
		"a program":       {map[string]string{"kustomization.yaml": generate, "c.yaml": configured(evil)}, "c.yaml:6:36: Config c: runs the program ./evil"},
		"in a list":       {map[string]string{"kustomization.yaml": generate, "c.yaml": listed(configured(evil))}, "c.yaml:12:40: Config c: runs the program ./evil"},
		"an image":        {map[string]string{"kustomization.yaml": generate, "c.yaml": configured(container)}, "runs the image example.com/evil"},
		"a transformer":   {map[string]string{"kustomization.yaml": "transformers:\n- c.yaml\n", "c.yaml": configured(evil)}, "runs the program"},
		"a validator":     {map[string]string{"kustomization.yaml": "validators:\n- c.yaml\n", "c.yaml": configured(evil)}, "runs the program"},
		"one not printed": {map[string]string{"kustomization.yaml": generate, "c.yaml": configured(evil + kept)}, "runs the program"},
		"inline":          {map[string]string{"kustomization.yaml": "generators:\n- |\n  " + strings.ReplaceAll(configured(evil), "\n", "\n  ") + "\n"}, "kustomization.yaml:2:3: Config c: runs the program"},
		"by a patch": {map[string]string{
			"kustomization.yaml": "generators:\n- in\n", "in/c.yaml": configured(named),
			"in/kustomization.yaml": patch("config.kubernetes.io~1function", "exec: {path: ./evil}"),
		}, "runs the program"},
		"by an annotation of all": {map[string]string{
			"kustomization.yaml": "generators:\n- in\n", "in/c.yaml": configured(kept),
			"in/kustomization.yaml": "resources:\n- c.yaml\ncommonAnnotations:\n  \"config.kubernetes.io/f\\u0075nction\": \"exec: {path: ./evil}\"\n",
		}, "runs the program"},
		"of a generator's generator": {map[string]string{
			"kustomization.yaml": "generators:\n- in\n", "in/kustomization.yaml": generate, "in/c.yaml": configured(evil),
		}, "in/c.yaml:6:36"},
		"of a component": {map[string]string{
			"kustomization.yaml": "components:\n- in\n", "in/c.yaml": configured(evil),
			"in/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + generate,
		}, "runs the program"},
		"no function":          {map[string]string{"kustomization.yaml": generate, "c.yaml": configured(kept)}, "no annotation config.kubernetes.io/function"},
		"remote base":          {map[string]string{"kustomization.yaml": "resources:\n- https://github.com/example/base?ref=v1\n"}, "kustomization.yaml:2:3: https://github.com/example/base?ref=v1 is remote"},
		"charts":               {map[string]string{"kustomization.yaml": "helmCharts:\n- {name: x, repo: https://example.com}\n"}, "kustomization.yaml:1:1: has Helm charts"},
		"chart plugin":         {map[string]string{"kustomization.yaml": "generators:\n- c.yaml\n", "c.yaml": "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: x}\nname: x\n"}, "runs no helm"},
		"unknown field":        {map[string]string{"kustomization.yaml": "namePrefx: a\n"}, "kustomization.yaml: invalid Kustomization"},
		"remote component":     {map[string]string{"kustomization.yaml": "components:\n- https://github.com/example/base?ref=v1\n"}, "kustomization.yaml:2:3: https://github.com/example/base?ref=v1 is remote"},
		"remote CRD":           {map[string]string{"kustomization.yaml": "crds:\n- https://example.com/crd.yaml\n"}, "kustomization.yaml:2:3: https://example.com/crd.yaml is remote"},
		"remote configuration": {map[string]string{"kustomization.yaml": "configurations:\n- https://example.com/c.yaml\n"}, "kustomization.yaml:2:3: https://example.com/c.yaml is remote"},
		"remote patch":         {map[string]string{"kustomization.yaml": "patches:\n- path: https://example.com/p.yaml\n"}, "kustomization.yaml:2:9: https://example.com/p.yaml is remote"},
		"remote merge patch":   {map[string]string{"kustomization.yaml": "patchesStrategicMerge:\n- https://example.com/p.yaml\n"}, "kustomization.yaml:2:3: https://example.com/p.yaml is remote"},
		"remote JSON patch":    {map[string]string{"kustomization.yaml": "patchesJson6902:\n- path: https://example.com/p.yaml\n  target: {kind: A, name: a, version: v1}\n"}, "kustomization.yaml:2:9: https://example.com/p.yaml is remote"},
		"remote replacement":   {map[string]string{"kustomization.yaml": "replacements:\n- path: https://example.com/r.yaml\n"}, "kustomization.yaml:2:9: https://example.com/r.yaml is remote"},
		"remote schema":        {map[string]string{"kustomization.yaml": "openapi:\n  path: https://example.com/s.json\n"}, "kustomization.yaml:2:9: https://example.com/s.json is remote"},
		"remote content":       {map[string]string{"kustomization.yaml": "configMapGenerator:\n- name: a\n  files:\n  - a=https://example.com/a\n"}, "kustomization.yaml:4:5: a=https://example.com/a is remote"},
		"remote secret":        {map[string]string{"kustomization.yaml": "secretGenerator:\n- name: a\n  envs:\n  - https://example.com/a\n"}, "kustomization.yaml:4:5: https://example.com/a is remote"},
		"remote transformer":   {map[string]string{"kustomization.yaml": "transformers:\n- github.com/example/base\n"}, "kustomization.yaml:2:3: github.com/example/base is remote"},
		"old charts":           {map[string]string{"kustomization.yaml": "helmChartInflationGenerator:\n- {chartName: x, chartRepoUrl: https://example.com}\n"}, "kustomization.yaml:1:1: has Helm charts"},
		"remote below": {map[string]string{"kustomization.yaml": "resources:\n- in\ncrds:\n- https://example.com/crd.yaml\n", "in/kustomization.yaml": "components:\n- git@example.com:a/b\n"},
			"in/kustomization.yaml:2:3: git@example.com:a/b is remote; inferstack build reads local files only: copy it into the repository"},
		"remote list":   {map[string]string{"kustomization.yaml": "generators:\n- github.com/example/base\n"}, "is remote"},
		"outside":       {map[string]string{"kustomization.yaml": "resources:\n- /etc/hostname\n"}, "security"},
		"no such entry": {map[string]string{"kustomization.yaml": "resources:\n- nothing.yaml\n"}, "nothing.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := built(t, c.tree)
			if err == nil || !strings.Contains(err.Error(), c.want) || got != "" {
				t.Errorf("want %q in: %v\n%s", c.want, err, got)
			}
		})
	}
}
