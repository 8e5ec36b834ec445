package graph

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/wiring"
)

// hostile are manifests whose names and values try to leave their place.
const hostile = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: "</script><script>alert(1)</script>"
  namespace: "\"><img src=x onerror=alert(2)>"
spec:
  template:
    metadata: {labels: {app: x}}
    spec:
      containers:
      - name: a
        image: "]]></text><script>alert(3)</script>:\u0001\u2028<!--"
        envFrom: [{configMapRef: {name: "x\"]; click n1 href \"javascript:alert(4)\" %%"}}]
---
apiVersion: v1
kind: "Config'Map\\"
metadata: {name: "x\"];\\N\n}]\"}", namespace: "\"><img src=x onerror=alert(2)>"}
data: {"</SCRIPT><!--<script>": "</script >"}
---
apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata: {name: "a</title></style>\"] --> b", namespace: "\"><img src=x onerror=alert(2)>"}
spec: {selector: {matchLabels: {app: x}}, endpointPickerRef: {name: "--><!--", port: {number: "<b>"}}}
`

// TestHostile proves that nothing of an object becomes markup.
func TestHostile(t *testing.T) {
	objects, err := wiring.Read("hostile.yaml", []byte(hostile))
	if err != nil || len(objects) != 3 {
		t.Fatal(len(objects), err)
	}
	p := Draw(objects, Options{All: true})
	for _, format := range Formats {
		var out strings.Builder
		if err := Write(&out, format, p); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		for _, bad := range []string{"<script>alert", "<img", "</script >", "\x01", "onerror=alert(2)>\""} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %q:\n%s", format, bad, text)
			}
		}
		switch format {
		case "svg":
			wellFormed(t, text)
		case "mermaid":
			mermaidLines(t, text)
		case "html":
			pageParts(t, text)
		}
	}
}

// mermaidLines holds every line to the shapes that Mermaid writes.
func mermaidLines(t *testing.T, text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "n") && strings.Count(line, `"`) != 2 && !strings.Contains(line, "-.-") || strings.Contains(line, "click ") && strings.HasPrefix(line, "click") {
			t.Errorf("not a node or edge: %s", line)
		}
	}
}

// pageParts proves that the page has the script and style that its policy names, and no
// others.
func pageParts(t *testing.T, text string) {
	t.Helper()
	for part, want := range map[string]int{"<script": 2, "</script": 2, "<style": 1, "</style": 1, "<!--": 0, "://": 1, hash(pageScript): 1, hash(svgStyle + pageStyle): 1} {
		if n := strings.Count(strings.ToLower(text), strings.ToLower(part)); n != want {
			t.Errorf("the page has %d of %s, want %d", n, part, want)
		}
	}
}

// FuzzGraph draws whatever is YAML.
func FuzzGraph(f *testing.F) {
	f.Add(hostile)
	f.Add("apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {selector: {a: b}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {a: b}}\nspec: {containers: [{}]}\n")
	f.Add("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r}\nspec: {parentRefs: [{name: g}], rules: [{backendRefs: [{name: s}]}]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		objects, err := wiring.Read("fuzz.yaml", []byte(text))
		if err != nil || len(objects) > 50 {
			return
		}
		for _, all := range []bool{false, true} {
			p := Draw(objects, Options{All: all})
			for _, format := range Formats {
				var out strings.Builder
				if err := Write(&out, format, p); err != nil {
					t.Fatal(err)
				}
				if format == "svg" {
					wellFormed(t, out.String())
				}
			}
		}
	})
}
