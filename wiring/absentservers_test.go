package wiring

import (
	"bytes"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
)

// TestServersElsewhere holds that a stack over servers that are there already is told
// nothing of the Service for them, and that one whose selector takes none of its own is.
func TestServersElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		spec string
		want int
	}{
		"elsewhere": {"server: {create: false, service: {enabled: true, selector: {app: sim}}}, pool: {selector: {app: sim}}", 0},
		"narrower":  {`server: {create: false, service: {enabled: true, selector: {app: sim, role: decode}}}, pool: {selector: {app: sim}}`, 0},
		"another":   {`server: {create: false, service: {enabled: true, selector: {app: other}}}, pool: {selector: {app: sim}}`, 1},
		"its own":   {`server: {service: {enabled: true, selector: {app: other}}}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			docs, problems := document.Read("f", []byte("apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a, namespace: b}\nspec: {model: {name: m}, "+c.spec+"}\n"))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			var out bytes.Buffer
			render(t, &out, docs[0])
			objects, err := Read("rendered.yaml", out.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			said := 0
			for _, f := range Check(objects, Options{}) {
				if f.Rule == "service-selects-nothing" {
					said++
				}
			}
			if said != c.want {
				t.Errorf("said %d times, not %d", said, c.want)
			}
		})
	}
}
