package gotemplate

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// TestBudget has templates that would otherwise take hours, or all memory. Each ends with
// an error that names the place, and allocates little.
func TestBudget(t *testing.T) {
	double := "{{$s := `" + strings.Repeat("x", 64) + "`}}" + strings.Repeat("{{$s = print $s $s}}", 60)
	nested := "{{$l := list 1 2}}" + strings.Repeat("{{$l = list $l $l}}", 60)
	for name, text := range map[string]string{
		"rounds":               "a\n{{range 1000000000}}{{end}}",
		"rounds in rounds":     "{{range 100000}}{{range 100000}}{{end}}{{end}}",
		"output":               "{{range 1000000000}}" + strings.Repeat("x", 1000) + "{{end}}",
		"doubled text":         double,
		"doubled list, print":  nested + "{{print $l}}",
		"doubled list, output": nested + "{{$l}}",
		"doubled list, length": nested + "{{len $l}}",
		"width":                `{{printf "%1000000000d" 1}}`,
		"zero-padded width":    `{{printf "%-01000000000d" 1}}`,
		"precision":            `{{printf "%.1000000000f" 1.0}}`,
		"width of an argument": `{{printf "%*d" 1000000000 1}}`,
		"many widths":          "{{printf `" + strings.Repeat("%100000d", 40) + "` 1}}",
		"exponential includes": `{{define "a"}}{{template "b"}}{{template "b"}}{{end}}{{define "b"}}{{if true}}{{template "a"}}{{template "a"}}{{end}}{{end}}{{template "a"}}`,
		"joined":               "{{join (printf `%1000000d` 1) .long}}",
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := evaluate(text, false)
			runtime.ReadMemStats(&after)
			var e *Error
			if !errors.As(err, &e) || e.Line == 0 {
				t.Fatalf("got %v, not an error with a place", err)
			}
			if made := after.TotalAlloc - before.TotalAlloc; made > 256<<20 {
				t.Errorf("allocates %d bytes", made)
			}
		})
	}
}

// TestBudgetSuffices has what a large template of a real chart may do.
func TestBudgetSuffices(t *testing.T) {
	for _, text := range []string{
		"{{range 10000}}{{printf `%06d` .}}\n{{end}}",
		strings.Repeat("{{if .yes}}{{.name}}: {{.list}}{{end}}\n", 5000),
		`{{printf "%80s|%-40d|%.3f" .name .n .half}}`,
	} {
		if _, err := evaluate(text, false); err != nil {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}
