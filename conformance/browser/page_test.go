package browser

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
)

var table = report.New("browser", "picture", "nodes", "steps")

func TestMain(m *testing.M) { report.Main(m, table) }

// pictures are drawn from these files, by name.
var pictures = map[string]string{
	"quickstart":                 "../../examples/quickstart/stack.yaml",
	"prefill-decode-istio":       "../../examples/prefill-decode-istio/stack.yaml",
	"prefill-decode-envoyfilter": "../../examples/prefill-decode-envoyfilter/stack.yaml",
	"production-vllm":            "../../examples/production-vllm/stack.yaml",
	"eight-models":               "../../graph/testdata/eight-models/stack.yaml",
	"broken":                     "../../graph/testdata/broken.yaml",
	"foreign":                    "../../graph/testdata/foreign.yaml",
}

// draw writes a picture and returns the file.
func draw(t *testing.T, ending string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "picture"+ending)
	product.Run(t, append([]string{"graph", "--write", file}, args...)...)
	return file
}

// TestPage uses each page as a person would: a click, the keyboard, the search, and the
// way of a request from step to step.
func TestPage(t *testing.T) {
	browser := Start(t)
	for name, input := range pictures {
		t.Run(name, func(t *testing.T) {
			tab := Open(t, browser, draw(t, ".html", input))
			nodes := Eval[[]string](tab, `[...document.querySelectorAll('.node')].map((n) => n.id)`)
			click(tab, nodes)
			keyboard(tab, nodes[len(nodes)-1])
			find(tab)
			steps := walk(tab)
			tab.Quiet()
			table.Row(t, name, len(nodes), steps)
		})
	}
}

// click chooses nodes and expects their name and YAML beside the picture.
func click(tab *Tab, nodes []string) {
	tab.t.Helper()
	for _, id := range nodes[:min(len(nodes), 5)] {
		tab.Click("#" + id)
		have := Eval[string](tab, `document.querySelector('#panel').innerText`)
		want := Eval[struct {
			Name    string
			Objects []struct{ Kind, YAML string }
		}](tab, fmt.Sprintf(`JSON.parse(document.getElementById('data').textContent).nodes[%q]`, id))
		if !strings.Contains(have, want.Name) {
			tab.t.Errorf("%s is chosen and the panel says:\n%s", want.Name, have)
		}
		if len(want.Objects) == 0 {
			continue
		}
		code := Eval[string](tab, `document.querySelector('#panel pre').textContent`)
		if strings.TrimSpace(code) != strings.TrimSpace(want.Objects[0].YAML) || !strings.Contains(code, "kind: "+want.Objects[0].Kind) {
			tab.t.Errorf("the YAML of %s is not shown:\n%s", want.Name, code)
		}
		if chosen := Eval[[]string](tab, `[...document.querySelectorAll('.node.chosen')].map((n) => n.id)`); !slices.Equal(chosen, []string{id}) {
			tab.t.Errorf("chosen are %v", chosen)
		}
	}
}

// keyboard reaches a node without a mouse.
func keyboard(tab *Tab, id string) {
	tab.t.Helper()
	tab.Do(chromedp.Focus(chromedp.CSS("#"+id)), chromedp.KeyEvent(kb.Enter))
	if !Eval[bool](tab, fmt.Sprintf(`document.getElementById(%q).classList.contains('chosen')`, id)) {
		tab.t.Error("Enter does not choose the node that has the focus")
	}
	tab.Do(chromedp.KeyEvent(kb.Escape))
	if Eval[int](tab, `document.querySelectorAll('.chosen').length`) != 0 {
		tab.t.Error("Escape does not let go")
	}
}

// find searches for what only YAML has, and for nothing there is.
func find(tab *Tab) {
	tab.t.Helper()
	for text, some := range map[string]bool{"apiversion": true, "no such thing": false} {
		tab.Script(`document.getElementById('search').value = ''`)
		tab.Do(chromedp.SendKeys(chromedp.CSS("#search"), text))
		if hits := Eval[int](tab, `document.querySelectorAll('.node.hit').length`); (hits > 0) != some {
			tab.t.Errorf("search for %q finds %d", text, hits)
		}
	}
	tab.Script(`document.getElementById('search').value = ''; document.getElementById('search').dispatchEvent(new Event('input')); document.activeElement.blur()`)
}

// walk follows the first path and compares what is lit with the steps.
func walk(tab *Tab) int {
	tab.t.Helper()
	type step struct {
		Number int
		Text   string
		Edges  []string
	}
	steps := Eval[[]step](tab, `JSON.parse(document.getElementById('data').textContent).paths[0].steps`)
	tab.Click("#walk")
	for i, s := range steps {
		lit := Eval[[]string](tab, `[...document.querySelectorAll('svg g.on:not(.node):not(.badge)')].map((e) => e.id)`)
		slices.Sort(lit)
		slices.Sort(s.Edges)
		if !slices.Equal(lit, s.Edges) {
			tab.t.Errorf("step %d lights %v, want %v", i+1, lit, s.Edges)
		}
		if ends := Eval[int](tab, `document.querySelectorAll('.node.on').length`); ends < 2 {
			tab.t.Errorf("step %d lights %d nodes", i+1, ends)
		}
		if text := Eval[string](tab, `document.getElementById('number').textContent + ' ' + document.getElementById('text').textContent`); text != fmt.Sprint(s.Number, " ", s.Text) {
			tab.t.Errorf("step %d says %q, want %q", i+1, text, s.Text)
		}
		if last := Eval[bool](tab, `document.getElementById('next').disabled`); last != (i == len(steps)-1) {
			tab.t.Errorf("step %d of %d: next is disabled: %v", i+1, len(steps), last)
		}
		if i%2 == 0 {
			tab.Script(`document.getElementById('next').click()`)
		} else {
			tab.Do(chromedp.KeyEvent(kb.ArrowRight))
		}
	}
	return len(steps)
}
