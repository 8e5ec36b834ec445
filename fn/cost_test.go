package fn

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
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

// TestCostAtStart holds that the catalogue and the schemas of kinds are there when the program starts, and that no
// package of ours makes much before main, as far as the runtime tells (GODEBUG=inittrace).
func TestCostAtStart(t *testing.T) {
	cmd := exec.Command(binary(t), "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	limits := map[string]int{"release": 1 << 10, "kubeschema": 2 << 10, "": 32 << 10}
	packages, total := 0, 0
	for line := range strings.Lines(said.String()) {
		name, rest, ours := strings.Cut(strings.TrimPrefix(line, "init github.com/inferstack/inferstack/"), " @")
		_, rest, found := strings.Cut(rest, " clock, ")
		size, _, _ := strings.Cut(rest, " bytes")
		n, err := strconv.Atoi(size)
		if !ours || !found || err != nil || !strings.HasPrefix(line, "init github.com/inferstack/") {
			continue
		}
		packages, total = packages+1, total+n
		if limit := cmp.Or(limits[name], limits[""]); n > limit {
			t.Errorf("%s allocates %d bytes before main, more than %d", name, n, limit)
		}
	}
	if packages < 20 || total > 128<<10 {
		t.Errorf("%d packages allocate %d bytes before main", packages, total)
	}
}

// TestCostOfOneStack holds what a run on one stack allocates, which decides its time: what it touches it touches for
// the first time.
func TestCostOfOneStack(t *testing.T) {
	if cost := costOf(t, manyStacks(t, 1)); cost[1] > 4<<20 {
		t.Errorf("one stack takes %.0f bytes", cost[1])
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
