package fn

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// outcome is what a run of the program leaves.
type outcome struct {
	code        int
	out, errors string
}

// call runs the program.
func call(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(args, streams{strings.NewReader(stdin), &out, &errs})
	return outcome{code, out.String(), errs.String()}
}

// The smallest stack.
const small = `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata:
  name: llama
  namespace: inference
spec:
  model:
    name: meta-llama/Llama-3.1-8B-Instruct
`

// resources makes a ResourceList of YAML documents.
func resources(functionConfig string, items ...string) string {
	var b strings.Builder
	b.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n")
	if functionConfig != "" {
		b.WriteString("functionConfig:\n" + indent(functionConfig, "  "))
	}
	if len(items) == 0 {
		b.WriteString("items: []\n")
		return b.String()
	}
	b.WriteString("items:\n")
	for _, item := range items {
		text := indent(item, "  ")
		b.WriteString("-" + text[1:])
	}
	return b.String()
}

func indent(text, by string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	return by + strings.Join(lines, by) + "\n"
}

// listing is a ResourceList as a test looks at it.
type listing struct {
	Kind    string           `yaml:"kind"`
	Items   []map[string]any `yaml:"items"`
	Results []struct {
		Message     string         `yaml:"message"`
		Severity    string         `yaml:"severity"`
		ResourceRef map[string]any `yaml:"resourceRef"`
		Field       map[string]any `yaml:"field"`
		File        map[string]any `yaml:"file"`
	} `yaml:"results"`
}

func parseList(t *testing.T, text string) listing {
	t.Helper()
	var l listing
	if err := yaml.Unmarshal([]byte(text), &l); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return l
}

// write puts files into a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// binary is the program, for the tests that need it as a file. Asking for its state has go test run a
// test again when the program is another.
func binary(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat(built); err != nil {
		t.Fatal(err)
	}
	return built
}

// TestFunctionCapsFindings keeps a file of mistakes from becoming a flood of results, and
// says how many there are.
func TestFunctionCapsFindings(t *testing.T) {
	const wrong = mostFindings + 50
	got := call(t, resources("", small+"  scheduler:\n    config: {plugins: ["+strings.Repeat("!!binary a, ", wrong)+"]}\n"))
	if got.code != exitError {
		t.Errorf("exit code %d", got.code)
	}
	if n := strings.Count(got.out, "- message:"); n != mostFindings+1 {
		t.Errorf("got %d results, want %d and one more", n, mostFindings)
	}
	if !strings.Contains(got.errors, " more were found; fix these first") {
		t.Error("the number of the rest is missing")
	}
}
