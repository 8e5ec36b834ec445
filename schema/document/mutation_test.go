package document_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
)

// mutations are what a field becomes: of the wrong type, nothing, extreme, or a word that
// YAML 1.1 and 1.2 read differently.
func mutations() []any {
	out := []any{
		nil, "", []any{}, map[string]any{}, []any{nil}, []any{[]any{}}, map[string]any{"a": map[string]any{"b": nil}}, true, false,
		-1, 0, 1, 1 << 31, -1 << 62, uint64(1) << 63, 1e300, 0.5, strings.Repeat("x", 70000), "\x00", "\u202e\u2603\U0001f600", "../../etc/passwd", "a\nb",
	}
	for _, word := range []string{"yes", "no", "on", "off", "y", "~", "null", "010", "0o10", "1e3", "1_000", "12:30:45", ".inf", ".nan", "0x1F", "2026-01-01", "=", "<<"} {
		out = append(out, plain(word), word)
	}
	return out
}

// plain is a word as it stands in YAML, without quotes; word for word a different thing
// than the same word as a string.
type plain string

// TestMutations puts each of them in the place of every field of the fullest example, or with
// SPECS of all: the outcome is valid output, or an error that names the field.
func TestMutations(t *testing.T) {
	files := []string{"../../examples/production-vllm/stack.yaml"}
	if os.Getenv("SPECS") != "" {
		files, _ = filepath.Glob("../../examples/*/stack.yaml")
	}
	accepted, all, seen := 0, 0, map[string]bool{}
	every := 24
	if long.All() {
		every = 6
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc := tree(t, string(text))
		for _, path := range paths(doc, nil) {
			name := joined(path)
			if seen[name] || len(path) < 2 {
				continue
			}
			seen[name] = true
			for i, value := range mutations() {
				if os.Getenv("SPECS") == "" && (i+len(seen))%every != 0 {
					continue // make property tries them all
				}
				all++
				if mutated(t, clone(t, doc), path, value) {
					accepted++
				}
			}
		}
	}
	if len(seen) < 30 || accepted < all/50 {
		t.Errorf("%d fields, %d of %d mutations valid", len(seen), accepted, all)
	}
}

// mutated reports whether the document is valid with a value at a path.
func mutated(t *testing.T, doc map[string]any, path []string, value any) bool {
	t.Helper()
	at := doc
	for _, key := range path[:len(path)-1] {
		at = at[key].(map[string]any)
	}
	at[path[len(path)-1]] = value
	name := joined(path)
	what := fmt.Sprintf("%s: %.60q", name, fmt.Sprint(value))
	if err := refused(doc); err != nil {
		t.Errorf("%s: valid, but %v", what, err)
	}
	_, problems := parse(doc)
	errors := problems.Errors()
	for _, p := range errors {
		if p.Rule == "stack-rule-failed" {
			t.Errorf("%s: %s", what, p.Message)
		}
	}
	for _, p := range errors {
		if names(p, name) {
			return false
		}
	}
	if len(errors) > 0 {
		t.Errorf("%s: nothing of it in\n%v", what, errors)
	}
	return len(errors) == 0
}

// joined is a path as problems spell it.
func joined(path []string) string {
	out := path[0]
	for _, key := range path[1:] {
		if strings.ContainsAny(key, "./") {
			out += "[" + key + "]"
		} else {
			out += "." + key
		}
	}
	return out
}

// names reports whether a problem is with a field, something in it, or what it is in.
func names(p schema.Problem, field string) bool {
	for _, key := range strings.Split(field, ".")[max(0, strings.Count(field, ".")-1):] {
		if strings.Contains(p.Message, strings.TrimSuffix(key, "s")) { // as "min must not be above max", "above the limit"
			return true
		}
	}
	return strings.HasPrefix(p.Path, field) || strings.HasPrefix(field, p.Path+".") && p.Path != "" || strings.Contains(p.Message, strings.TrimPrefix(field, "spec."))
}
