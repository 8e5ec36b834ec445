package graph

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const goldenDir = "testdata/golden"

// shown is the picture that the README shows.
const shown = "prefill-decode-istio.svg"

// pictured are the sets whose pictures are checked in, and in which formats. The page
// holds the YAML too, so one is enough.
var pictured = map[string][]string{
	"quickstart":                 {"svg", "mmd", "dot", "html"},
	"prefill-decode-istio":       {"svg", "mmd", "dot"},
	"prefill-decode-envoyfilter": {"svg", "mmd"},
	"production-vllm":            {"svg", "mmd"},
	"standalone-envoy":           {"svg", "mmd"},
	"eight-models":               {"svg", "mmd"},
	"broken":                     {"svg", "mmd", "dot"},
	"foreign":                    {"svg", "mmd"},
}

// TestGolden compares pictures with testdata/golden. UPDATE_GOLDEN=1 (make golden) writes
// the files.
func TestGolden(t *testing.T) {
	all := sets(t)
	var names []string
	for set, endings := range pictured {
		for _, ending := range endings {
			name := set + "." + ending
			names = append(names, name)
			t.Run(name, func(t *testing.T) {
				var out bytes.Buffer
				if err := Write(&out, FormatOf("."+ending), Draw(all[set], Options{})); err != nil {
					t.Fatal(err)
				}
				compareGolden(t, filepath.Join(goldenDir, name), out.String())
				if name == shown {
					compareGolden(t, filepath.Join("../docs/pictures", name), out.String())
				}
			})
		}
	}
	files, err := filepath.Glob(goldenDir + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !slices.Contains(names, filepath.Base(file)) {
			t.Errorf("%s belongs to no set; delete it", file)
		}
	}
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; make golden writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not current; make golden rewrites it:\n%s", file, diff)
	}
}
