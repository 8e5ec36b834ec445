package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostile tries to run a script from each place that a manifest has text in.
const hostile = `apiVersion: v1
kind: ConfigMap
metadata:
  name: "</script><script>alert('name')</script>"
  namespace: "\"><img src=x onerror=alert('namespace')>"
data:
  "</script><script>alert('key')</script>": "<img src=x onerror=alert('value')>"
---
apiVersion: v1
kind: Secret
metadata: {name: token}
stringData: {token: VERY-SECRET}
`

// TestHostile opens a page of manifests that would like to be a page themselves.
func TestHostile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hostile.yaml")
	if err := os.WriteFile(file, []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	page := draw(t, ".html", "--all", file)
	tab := Open(t, Start(t), page)
	for _, id := range Eval[[]string](tab, `[...document.querySelectorAll('.node')].map((n) => n.id)`) {
		tab.Click("#" + id)
	}
	if n := Eval[int](tab, `document.querySelectorAll('script').length + 100 * document.querySelectorAll('img').length`); n != 2 {
		t.Errorf("the page has scripts and images of the manifests: %d", n)
	}
	if text, err := os.ReadFile(page); err != nil || strings.Contains(string(text), "VERY-SECRET") {
		t.Error("the page holds what a Secret keeps", err)
	}
	tab.Quiet()
}
