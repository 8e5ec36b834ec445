package kserve

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
	"github.com/inferstack/inferstack/internal/likeness"
)

var table = report.New("KServe's controller, v0.20.0, against the stack, over the same LLMInferenceService",
	"sample", "KServe's objects", "the stack's", "differences, each with its reason")

func TestMain(m *testing.M) { report.Main(m, table) }

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
	for _, match := range reasons.Unused() {
		t.Errorf("differences.yaml: nothing differs like %q any more", match)
	}
}

func read(t *testing.T) likeness.Reasons {
	t.Helper()
	data, err := os.ReadFile("testdata/differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := likeness.ReadReasons(data)
	if err != nil {
		t.Fatal(err)
	}
	return reasons
}

func compare(t *testing.T, program, input string, reasons likeness.Reasons) {
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
	names := likeness.KServe(service)
	found := likeness.Differences(likeness.Of(theirs, names), likeness.Of(ours, names), "KServe")
	for _, d := range found {
		if reasons.Of(d) == nil {
			t.Errorf("without a reason: %s", d)
		}
	}
	table.Row(t, filepath.Base(filepath.Dir(input)), len(theirs), len(ours), len(found))
}
