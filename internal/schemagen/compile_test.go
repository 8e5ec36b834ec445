package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestDialect compiles a schema that uses everything the dialect has.
func TestDialect(t *testing.T) {
	m, err := compile(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outputs {
		if filepath.Base(o.path) == "reference.md" {
			continue // it is about the real schema
		}
		t.Run(filepath.Base(o.path), func(t *testing.T) {
			got, err := o.write(m)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", filepath.Base(o.path)+".txt")
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestRefused gives the compiler what it does not understand, or what would mean
// something else than it seems to.
func TestRefused(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"constraint block", "a: *1 | int\n\tif a == 1 {b: int}", "a struct holds fields and embedded definitions only"},
		{"list comprehension", "a?: [for x in [1] {x}]", "a list is written [...T]"},
		{"closed list", "a?: [string, int]", "a list is written [...T]"},
		{"open list", "a?: [...]", "a list is written [...T]"},
		{"float", "a?: float", "float is outside the schema's dialect"},
		{"reference to a field", "a: *1 | int\n\tb: a", "a is outside the schema's dialect"},
		{"interpolation", `a: *"\(1)x" | string`, "a literal is needed here"},
		{"unknown definition", "a?: #Nothing", "no definition #Nothing"},
		{"no default", "a: string", "field a needs a default, ? or !"},
		{"no default with a lower limit", "a: [...string] & list.MinItems(1)", "field a needs a default, ? or !"},
		{"two defaults", "a: *1 | *2", "two defaults"},
		{"alternative structs", "a?: {b?: int} | {c?: int}", "only scalars can be alternatives"},
		{"conjunction of structs", "a?: {b?: int} & {c?: int}", "only scalars, and a list with its limits, can be combined by &"},
		{"nothing left", "a?: int & string", "no value satisfies both sides"},
		{"arithmetic", "a: *1 | int & >1+1", "operator + is outside the schema's dialect"},
		{"unknown function", `a?: string & strings.HasPrefix("x")`, "this call is outside the schema's dialect"},
		{"embedded expression", "a?: int\n\t{b?: int}", "only a definition can be embedded"},
		{"embedded scalar", "#S", "#S is not a struct"},
		{"field twice", "a?: int\n\ta?: >1", "field a is declared twice"},
		{"recursion", "a?: #InferenceStack", "#InferenceStack contains itself"},
		{"map with other fields", "a?: {[string]: int, b: 1}", "the name of a field must be plain"},
		{"keys that are numbers", "a?: {[int]: int}", "the keys of a map must be strings"},
		{"hidden field", "_a: 1", "the name of a field must be plain"},
		{"unknown attribute", "a?: string @json(x)", "@json(x) cannot be combined with this value"},
		{"unknown upstream package", "a?: {...} @k8s(batch/v9.Job)", "@k8s(batch/v9.Job) cannot be combined with this value"},
		{"format of a struct", "a?: {b?: int} @format(url)", "@format(url) cannot be combined with this value"},
		{"unknown Go type", "a?: int @go(type=int8)", "@go(type=int8) cannot be combined with this value"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package schema\n\n#S: string\n\n#InferenceStack: {\n\t" + tc.body + "\n}\n"
			_, err := compile(fstest.MapFS{"x.cue": {Data: []byte(src)}})
			if err == nil {
				t.Fatal("compiled")
			}
			if !strings.HasPrefix(err.Error(), "x.cue:") || !strings.HasSuffix(err.Error(), ": "+tc.want) {
				t.Errorf("got %q, want %q with file and line", err, tc.want)
			}
		})
	}
}

func TestGoName(t *testing.T) {
	for in, want := range map[string]string{
		"apiVersion": "APIVersion", "kvCache": "KVCache", "targetCPUUtilization": "TargetCPUUtilization", "url": "URL",
		"http1MaxPendingRequests": "HTTP1MaxPendingRequests", "tlsSecretNamespace": "TLSSecretNamespace",
		"grafana_dashboard": "GrafanaDashboard", "gke": "GKE", "gpuMemoryUtilization": "GPUMemoryUtilization",
	} {
		if got := goName(in); got != want {
			t.Errorf("goName(%q) = %q, want %q", in, got, want)
		}
	}
}
