package manifests

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/diff"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/rules"
)

const goldenDir = "../../testdata/golden"

// elsewhere are the examples whose bytes no stack makes alone, with the reason.
var elsewhere = map[string]string{
	"overlays-dev":     reordered,
	"overlays-prod":    reordered,
	"overlays-renamed": "kustomize gives the objects of one stack the names of another",
}

// reordered is what kustomize does; by meaning there is no difference.
const reordered = "kustomize sorts the fields of each object"

// TestRoundTrip holds what is found for the objects of each example to their bytes.
func TestRoundTrip(t *testing.T) {
	files, err := filepath.Glob(goldenDir + "/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %d files", err, len(files))
	}
	for i, file := range files {
		if !long.Part(i, 17) {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := content(t, file)
			r := converted(t, data, Options{})
			var specs []*schema.Stack
			for _, s := range r.Stacks {
				spec, problems := rules.Parse(s.Node, schema.Source{})
				if spec == nil {
					t.Fatal(problems)
				}
				specs = append(specs, spec)
			}
			made, conflicts := generators.GenerateAll(specs)
			if len(conflicts) > 0 {
				t.Fatal(conflicts)
			}
			var objects []manifest.Manifest
			for _, m := range made {
				objects = append(objects, m.Objects...)
			}
			var out bytes.Buffer
			if err := manifest.WriteYAML(&out, objects); err != nil {
				t.Fatal(err)
			}
			same := out.String() == string(data)
			if reason, known := elsewhere[name]; same == known {
				t.Errorf("the same bytes: %v (%s)", same, reason)
				var left bytes.Buffer
				for _, s := range r.Stacks {
					_ = diff.Text(&left, s.Left, false)
				}
				for _, d := range r.Alone {
					left.WriteString("alone: " + d.Kind + " " + d.Name + "\n")
				}
				t.Log(left.String())
			}
			for _, s := range r.Stacks {
				if (same || elsewhere[name] == reordered) && len(s.Left) > 0 {
					t.Errorf("%d objects differ", len(s.Left))
				}
			}
		})
	}
}
