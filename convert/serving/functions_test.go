package serving

import (
	"testing"

	"github.com/inferstack/inferstack/internal/gotemplate"
)

// TestFunctionsAreBounded has calls whose results are larger than their arguments.
func TestFunctionsAreBounded(t *testing.T) {
	for _, text := range []string{
		`{{repeat 1000000000 "x"}}`,
		`{{repeat 1000000 "x" | replace "x" "xxxxxxxx"}}`,
		`{{indent 1000000000 "x"}}`,
		`{{repeat 1000 "\n" | nindent 10000}}`,
		`{{splitList "" (repeat 100000 "x") | join (repeat 1000 "y")}}`,
		`{{range 1000}}{{b64enc (repeat 100000 "x")}}{{end}}`,
		`{{replace "" (repeat 10000 "x") (repeat 10000 "y")}}`,
	} {
		template, err := gotemplate.Parse(text, Functions)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := template.Execute(nil); err == nil {
			t.Errorf("%s: %d bytes, no error", text, len(out))
		}
	}
}
