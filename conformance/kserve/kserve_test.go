package kserve

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
)

var table = report.New("KServe's controller, v0.20.0, against the stack, over the same LLMInferenceService",
	"sample", "KServe's objects", "the stack's", "differences, each with its reason")

func TestMain(m *testing.M) { report.Main(m, table) }

// A reason says why something differs. Match is a regular expression of the whole difference.
type reason struct {
	Match string `json:"match"`
	Why   string `json:"why"`

	pattern *regexp.Regexp
	used    bool
}

// TestController runs KServe's controller on each sample and compares its objects with the stack's. Every difference
// has its reason in differences.yaml, and every reason a difference.
func TestController(t *testing.T) {
	reasons := read(t)
	program := assets.Binary(t, "kserve-llmisvc")
	inputs, _ := filepath.Glob("../../testdata/convert/llminferenceservice/*/input.yaml")
	if len(inputs) == 0 {
		t.Fatal("no samples")
	}
	for _, input := range inputs {
		t.Run(filepath.Base(filepath.Dir(input)), func(t *testing.T) {
			compare(t, program, input, reasons)
		})
	}
	for _, r := range reasons {
		if !r.used {
			t.Errorf("differences.yaml: nothing differs like %q any more", r.Match)
		}
	}
}

func read(t *testing.T) []*reason {
	t.Helper()
	data, err := os.ReadFile("testdata/differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var reasons []*reason
	if err := yaml.UnmarshalStrict(data, &reasons); err != nil {
		t.Fatal(err)
	}
	for _, r := range reasons {
		r.pattern = regexp.MustCompile("^(?s:" + r.Match + ")$")
		if r.Why == "" {
			t.Errorf("differences.yaml: %q without a reason", r.Match)
		}
	}
	return reasons
}

func compare(t *testing.T, program, input string, reasons []*reason) {
	documents, err := os.ReadFile(input)
	if err != nil {
		t.Fatal(err)
	}
	module := assets.ModuleDir(t, "github.com/kserve/kserve@v0.20.0")
	cmd := exec.Command(program, module)
	cmd.Stdin = bytes.NewReader(documents)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	service := manifests.Of(manifests.Parse(t, documents), "LLMInferenceService")[0].GetName()
	theirs, ours := manifests.Parse(t, out.Bytes()), manifests.Parse(t, product.Run(t, "render", input))
	found := Differences(Of(theirs, service), Of(ours, service))
	for _, d := range found {
		i := slices.IndexFunc(reasons, func(r *reason) bool { return r.pattern.MatchString(d) })
		if i < 0 {
			t.Errorf("without a reason: %s", d)
			continue
		}
		reasons[i].used = true
	}
	table.Row(t, filepath.Base(filepath.Dir(input)), len(theirs), len(ours), len(found))
}
