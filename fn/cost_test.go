package fn

import (
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
)

// What decides how fast the program is, as far as it can be tested without a clock.

// TestCostMethodsAreDropped holds that the linker drops the methods that nobody calls.
// One call of reflect's Method anywhere (text/template has one) keeps all methods of all
// types, and with them most of the upstream libraries.
func TestCostMethodsAreDropped(t *testing.T) {
	long.Skip(t) // it links the program once more
	linked, err := compiled("-dumpdep", filepath.Join(t.TempDir(), "inferstack"), "../cmd/inferstack")
	if err != nil || !bytes.Contains(linked, []byte("main.main")) {
		t.Fatalf("the linker said nothing: %v %.200s", err, linked)
	}
	for line := range bytes.Lines(linked) {
		if bytes.Contains(line, []byte("<ReflectMethod>")) {
			t.Errorf("calls methods by a name that the linker does not know: %s", line)
		}
	}
}

// TestCostPackages keeps out packages that are slow to start, large, or have no business
// in a compiler.
func TestCostPackages(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if len(packages) < 100 {
		t.Fatalf("only %d packages", len(packages))
	}
	for _, p := range packages {
		for _, prefix := range []string{
			"cuelang.org/go", "html/template", "k8s.io/client-go", "google.golang.org/grpc", "github.com/google/cel-go",
			"k8s.io/apiextensions-apiserver", "k8s.io/apiserver", "google.golang.org/protobuf", "sigs.k8s.io/kustomize", "k8s.io/kubernetes", "testing", "plugin",
		} {
			if p == prefix || strings.HasPrefix(p, prefix+"/") {
				t.Errorf("%s is linked in", p)
			}
		}
	}
}

// TestCostIsLinear holds that ten times as many stacks cost ten times as much.
func TestCostIsLinear(t *testing.T) {
	long.Skip(t)
	few, many := costOf(t, manyStacks(t, 10)), costOf(t, manyStacks(t, 100))
	for i, what := range []string{"allocations", "bytes"} {
		if ratio := many[i] / few[i]; ratio > 10.5 || ratio < 5 {
			t.Errorf("%s: 100 stacks take %.1f times those of 10", what, ratio)
		}
	}
}

// costOf counts the allocations of a run, and their bytes.
func costOf(t *testing.T, input []byte) [2]float64 {
	t.Helper()
	var before, after runtime.MemStats
	var stderr bytes.Buffer
	runtime.ReadMemStats(&before)
	code := run([]string{}, streams{bytes.NewReader(input), io.Discard, &stderr})
	runtime.ReadMemStats(&after)
	if code != exitOK {
		t.Fatal(stderr.String())
	}
	return [2]float64{float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)}
}

// TestCostOfConflicts holds that what is said about stacks in each other's way grows with
// their number, and not with that of their pairs.
func TestCostOfConflicts(t *testing.T) {
	const n = 30
	for name, more := range map[string]string{
		"pools":  "  pool: {selector: {team: x}}\n",
		"routes": "  gateway: {class: istio, name: shared, existing: true}\n",
	} {
		var items []string
		for i := range n {
			items = append(items, strings.Replace(small, "name: llama", "name: llama-"+string(rune('a'+i%26))+string(rune('a'+i/26)), 1)+more)
		}
		if got := strings.Count(call(t, resources("", items...)).errors, "\n"); got < n-1 || got > n {
			t.Errorf("%s: %d lines on %d stacks", name, got, n)
		}
	}
	same := make([]string, n)
	for i := range same {
		same[i] = small
	}
	if got := strings.Count(call(t, resources("", same...)).errors, "\n"); got != n-1 {
		t.Errorf("names: %d lines on %d stacks", got, n)
	}
}
