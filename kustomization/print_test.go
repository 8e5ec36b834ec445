package kustomization

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resmap"

	"github.com/inferstack/inferstack/internal/blockyaml"
)

// resources reads manifests as kustomize does; nil of what it refuses.
func resources(text []byte) resmap.ResMap {
	made, err := resmap.NewFactory(provider.NewDefaultDepProvider().GetResourceFactory()).NewResMapFromBytes(text)
	if err != nil {
		return nil
	}
	return made
}

// sameAsKustomize fails if resources are not printed as kustomize prints them. It returns how many there are, and
// how many are printed here.
func sameAsKustomize(t *testing.T, made resmap.ResMap) (all, own int) {
	t.Helper()
	want, wrong := made.AsYaml()
	for _, res := range made.DeepCopy().Resources() {
		all++
		if _, ok := blockyaml.AppendSorted(nil, res.YNode()); ok {
			own++
		}
	}
	got, err := asYAML(made)
	if (err == nil) != (wrong == nil) {
		t.Fatalf("%v; kustomize: %v", err, wrong)
	}
	// What it sorts, such as a9, a10 and a1b, it may sort in one way and then in another.
	for try := 0; try < 100 && !bytes.Equal(want, got); try++ {
		want, _ = made.AsYaml()
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("- kustomize, + here\n%s", diff)
	}
	return all, own
}

// TestPrintsExamples holds the objects of all examples to kustomize, and has nearly all printed here.
func TestPrintsExamples(t *testing.T) {
	files, err := filepath.Glob("../testdata/golden/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	all, own := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		made := resources(text)
		if made == nil {
			t.Fatal(file)
		}
		a, o := sameAsKustomize(t, made)
		all, own = all+a, own+o
	}
	if own < all*9/10 {
		t.Errorf("%d of %d objects are left to kustomize", all-own, all)
	}
}

// FuzzPrint holds what is printed to kustomize, byte for byte.
func FuzzPrint(f *testing.F) {
	long := strings.Repeat("some words, a: 'quoted' one  and # ", 9)
	for _, value := range []string{
		`a`, `"yes"`, `yes`, `on`, `~`, `null`, `Null`, `true`, `True`, `0`, `-0`, `007`, `0o17`, `1_000`, `0x1f`, `1.50`, `0.92`, `-0.5`, `1.0`, `1234567.5`, `0.00001`, `0.1234567890123456789`, `.5`, `5.`, `1e3`, `.inf`, `"1"`, `"1e3"`, `"1:20"`, `2001-01-01`, `"2001-01-01"`,
		`123456789012345678`, `12345678901234567890`, `"- a"`, `"a: b"`, `"a #b"`, `" a"`, `"a "`, `"é"`, `"a\tb"`, `"a\nb"`, `"a\nb\n\n"`, `" a\nb"`, `"a \nb\n"`, `"\na"`, `"\t\n"`, `{}`, `[]`, `[[]]`, `[[1, "a\nb"], {c: [1]}]`,
		`!!str 1`, `!!int "1"`, `!!float 1`, `!!binary YQ==`, `!x a`, `!!set {a}`, `&a b`, `=`, `<<`, `"<<"`, "'it''s'", "|\n  x\n   y\n", "|+\n  x\n\n", ">\n  x\n  y\n",
		"# said\n  a", `"` + long + `"`, `"'` + long + `'"`, `"{` + long + `}"`, `"1 ` + strings.Repeat("2 ", 99) + `"`, `[[["` + long + `"]]]`, `"a` + strings.Repeat(" b", 70) + `  c "`,
	} {
		f.Add([]byte("apiVersion: v1\nkind: A\nmetadata: {name: b}\nk: " + value + "\nl:\n- " + value + "\n- m: " + value + "\n  n: {o: 1}\no:\n- - " + value + "\n"))
	}
	for _, keys := range []string{
		`a10: 1, a9: 1, a09: 1, a009: 1, a: 1, a-: 1, a.b: 1, aB: 1, ab: 1, _a: 1, a_: 1, A: 1, 9a: 1, "10": 1, "9": 1, a0: 1, a00: 1, a100: 1, a1000: 1, a105: 1, a1010: 1`,
		`1: a, 2: b`, `true: a`, `"true": a, "null": b, "y": c, "1": d`, `"": a`, `"a\nb": 1`, `a: 1, a: 2`, `<<: {a: 1}, b: 2`, `"<<": {a: 1}`, `"a: b": 1, "#": 2`, `é: 1, z: 2`, `? [a] : 1`,
		strings.Repeat("k", 129) + `: 1`, `a12345678901234567890: 1, a2345678901234567890: 1`,
	} {
		f.Add([]byte("apiVersion: v1\nkind: A\nmetadata: {name: b}\nk: {" + keys + "}\n"))
	}
	f.Add([]byte("apiVersion: v1\nkind: A\nmetadata: {name: b}\nx: &x {a: 1}\ny: *x\nz: {<<: *x, b: 1}\n---\napiVersion: v1\nkind: List\nitems: []\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		quoted, _ := json.Marshal(string(text))
		as := string(quoted)
		for _, text := range []string{string(text), "{apiVersion: v1, kind: A, metadata: {name: b}, k: " + as + ", l: [{m: [" + as + "]}], n: {" + as + ": 1, a: 2}, o: [[" + as + "]]}"} {
			if made := resources([]byte(text)); made != nil {
				sameAsKustomize(t, made)
			}
		}
	})
}
