package graph

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/wiring"
)

const secrets = `apiVersion: v1
kind: Secret
metadata:
  name: token
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{\"stringData\":{\"a\":\"HUSH\"}}"}
data: &data {token: SFVTSA==}
stringData: {other: HUSH, copy: *data}
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Secret
  metadata: {name: listed}
  data: {key: SFVTSA==}
`

// TestSecrets proves that a page shows the keys of a Secret and not what they hold.
func TestSecrets(t *testing.T) {
	objects, err := wiring.Read("secrets.yaml", []byte(secrets))
	if err != nil || len(objects) != 2 {
		t.Fatal(len(objects), err)
	}
	for _, format := range Formats {
		var out strings.Builder
		if err := Write(&out, format, Draw(objects, Options{All: true})); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"HUSH", "SFVTSA=="} {
			if strings.Contains(out.String(), bad) {
				t.Errorf("%s shows %s", format, bad)
			}
		}
		if format == "html" && !strings.Contains(out.String(), "token: (not shown)") {
			t.Error("the page does not show which keys there are")
		}
	}
}

// TestPageData proves that all ends of edges and steps are on the page, and each object's
// YAML is.
func TestPageData(t *testing.T) {
	eachSheet(t, func(t *testing.T, s *sheet) {
		var out strings.Builder
		if err := HTML(&out, s.Picture); err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(out.String(), `id="data">`)
		text, _, _ = strings.Cut(text, "</script>")
		var d pageData
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		count := 0
		for id, n := range d.Nodes {
			if !strings.Contains(out.String(), `id="`+id+`" class="node`) {
				t.Errorf("%s is not drawn", n.Name)
			}
			for _, o := range n.Objects {
				count++
				if !strings.Contains(o.YAML, "kind: "+o.Kind) {
					t.Errorf("%s has no YAML:\n%s", o.Name, o.YAML)
				}
			}
		}
		if count != len(s.Objects) {
			t.Errorf("%d objects of %d are on the page", count, len(s.Objects))
		}
		for id, e := range d.Edges {
			if _, ok := d.Nodes[e.From]; !ok {
				t.Errorf("edge %s comes from nowhere", id)
			}
			if _, ok := d.Nodes[e.To]; !ok {
				t.Errorf("edge %s leads nowhere", id)
			}
		}
		for _, p := range d.Paths {
			for _, step := range p.Steps {
				for _, e := range step.Edges {
					if !strings.Contains(out.String(), `id="`+e+`"`) {
						t.Errorf("step %d of %s is not drawn", step.Number, p.Title)
					}
				}
			}
		}
	})
}
