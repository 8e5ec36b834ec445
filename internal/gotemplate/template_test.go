package gotemplate

import (
	"strings"
	"testing"
	"text/template"
)

var data = map[string]any{
	"name": "qwen", "empty": "", "n": 3, "zero": 0, "half": 0.5, "big": uint64(1 << 63), "small": int32(7),
	"yes": true, "no": false,
	"list":   []any{"a", "b", 3},
	"words":  []string{"x", "y"},
	"none":   []any{},
	"long":   make([]string, 1000),
	"map":    map[string]any{"b": 2, "a": 1, "c": map[string]any{"d": "deep"}},
	"labels": map[string]string{"app": "vllm"},
	"ports":  map[any]any{10: "ten", 9: "nine"},
}

var (
	ours = Funcs{
		"upper": Unary(strings.ToUpper),
		"join": Binary(func(sep string, list []string) string {
			Reserve(len(list), len(sep))
			return strings.Join(list, sep)
		}),
		"sum":  Ternary(func(a, b, c int) int { return a + b + c }),
		"list": Variadic(func(v ...any) []any { return v }),
		"boom": Unary(func(s string) string { return strings.Repeat(s, -len(s)) }),
	}
	theirs = template.FuncMap{
		"upper": strings.ToUpper,
		"join":  func(sep string, list []string) string { return strings.Join(list, sep) },
		"sum":   func(a, b, c int) int { return a + b + c },
		"list":  func(v ...any) []any { return v },
		"boom":  func(s string) string { return strings.Repeat(s, -len(s)) },
	}
)

// same are templates that text/template evaluates to the same text.
var same = []string{
	"", "no action", "{{/* a comment */}}text", "a {{- 1 -}} b",
	"{{.name}}", "{{ .map.c.d }}", "{{$.map.a}}", "{{(index .map \"c\").d}}", "{{.labels.app}}", "{{.map}} {{.list}} {{.words}}",
	"{{1}} {{1.0}} {{1e3}} {{0x1e}} {{'e'}} {{-7}} {{true}} {{\"s\"}} {{`raw`}} {{0x1p4}} {{1_000}}",
	"{{.half}} {{.big}} {{.small}} {{.yes}}",
	"{{.name | upper}}", "{{\"a\" | printf \"%s-%s\" .name | upper | printf \"%q\"}}", "{{join \", \" .words}}",
	"{{sum 1 (len .list) .n}}", "{{list 1 \"a\" .n | len}}", "{{list}}", "{{len (list 1 2)}}",
	"{{$x := .name}}{{$x}}", "{{$x := 1}}{{if true}}{{$x = 2}}{{end}}{{$x}}", "{{$x := 1}}{{if true}}{{$x := 2}}{{$x}}{{end}}{{$x}}",
	"{{$m := .map}}{{$m.c.d}}",
	"{{if .yes}}a{{end}}", "{{if .no}}a{{else}}b{{end}}", "{{if .empty}}a{{else if .n}}b{{else}}c{{end}}",
	"{{if .none}}a{{else if .zero}}b{{else if .map}}c{{end}}", "{{if $x := .n}}{{$x}}{{end}}", "{{if 0.0}}a{{else}}b{{end}}",
	"{{with .map.c}}{{.d}}{{$.name}}{{end}}", "{{with .empty}}a{{else with .n}}{{.}}{{end}}", "{{with $x := .n}}{{$x}}{{.}}{{end}}",
	"{{range .list}}<{{.}}>{{end}}", "{{range $i, $e := .list}}{{$i}}={{$e}} {{end}}", "{{range $e := .words}}{{$e}}{{end}}",
	"{{range .map}}{{.}},{{end}}", "{{range $k, $v := .map}}{{$k}}:{{$v}} {{end}}", "{{range $k, $v := .ports}}{{$k}}:{{$v}} {{end}}",
	"{{range .none}}a{{else}}none{{end}}", "{{range 3}}{{.}}{{end}}", "{{range $i := .n}}{{$i}}{{end}}", "{{range 0}}a{{else}}b{{end}}",
	"{{range .list}}{{if eq . \"b\"}}{{break}}{{end}}{{.}}{{end}}", "{{range $i, $_ := .list}}{{if eq $i 1}}{{continue}}{{end}}{{$i}}{{end}}",
	"{{range .words}}{{range $.none}}{{else}}{{continue}}{{end}}{{.}}{{end}}!", "{{$i := 9}}{{$e := 9}}{{range $i, $e = .list}}{{end}}{{$i}}{{$e}}",
	"{{$x := 0}}{{range .list}}{{$x = .}}{{end}}{{$x}}", "{{range $i, $e := .words}}{{range $i, $e := $.words}}{{$i}}{{$e}}{{end}}{{$i}}{{$e}}{{end}}",
	"{{define \"t\"}}<{{.}}{{$}}>{{end}}{{template \"t\" .name}}{{template \"t\" 1}}", "{{block \"b\" .map}}{{.a}}{{end}}",
	"{{eq 1 1}} {{eq 1 2}} {{eq .name \"x\" \"qwen\"}} {{ne 1 2}} {{eq .yes true}} {{eq .big 3}} {{eq .small 7}} {{eq .half 0.5}}",
	"{{lt 1 2}} {{le 2 2}} {{gt 2 1}} {{ge 1 2}} {{lt \"a\" \"b\"}} {{lt 1.5 2.5}} {{lt .n .big}} {{gt .big .n}} {{le .big .big}} {{lt -1 .big}}",
	"{{and 1 2}} {{and 0 2}} {{or 0 2}} {{or 0 \"\"}} {{and true false}} {{not 1}} {{not .none}} {{1 | and 0}} {{2 | or 0}} {{and 1}}",
	"{{and .no (boom \"a\")}} {{or .yes (boom \"a\")}}", "{{eq nil nil}} {{eq 1 nil}}",
	"{{len \"héllo\"}} {{len .list}} {{len .map}}", "{{index .list 1}} {{index .map \"c\" \"d\"}} {{index .ports 10}} {{index \"abc\" 1}} {{index .labels \"no\"}}",
	"{{slice \"abcdef\" 1 3}} {{slice .list 1}} {{slice .words 0 1}} {{slice \"abc\"}}",
	"{{print 1 2 \"a\" \"b\" nil}} {{println \"a\" 1}} {{printf \"%05d %v %s\" 42 .list .name}} {{print}}",
	"{{(.map).c.d}}", "{{(print .name \"-\" .n)}}", "{{.name |\n upper}}",
}

func TestSameAsTextTemplate(t *testing.T) {
	for _, text := range same {
		want, err := reference(text, "missingkey=error")
		if err != nil {
			t.Errorf("%s: text/template refuses it: %v", text, err)
			continue
		}
		got, err := evaluate(text, false)
		if err != nil || got != want {
			t.Errorf("%s\n got: %q, %v\nwant: %q", text, got, err, want)
		}
	}
}

func TestLenient(t *testing.T) {
	for _, text := range []string{
		"{{if .no_such}}a{{else}}b{{end}}", "{{or .no_such \"x\"}}", "{{with .map.no_such}}a{{end}}",
		"{{range .no_such}}a{{else}}b{{end}}", "{{eq .no_such .nor_this}}", "{{not .no_such}}", "{{len .labels.no_such}}",
	} {
		want, err := reference(text, "missingkey=zero")
		if err != nil {
			t.Errorf("%s: text/template refuses it: %v", text, err)
			continue
		}
		if got, err := evaluate(text, true); err != nil || got != want {
			t.Errorf("%s\n got: %q, %v\nwant: %q", text, got, err, want)
		}
		if _, err := evaluate(text, false); err == nil || !strings.Contains(err.Error(), "there is no no_such") {
			t.Errorf("%s: when not lenient: %v", text, err)
		}
	}
}

func evaluate(text string, lenient bool) (string, error) {
	tmpl, err := Parse(text, ours)
	if err != nil {
		return "", err
	}
	tmpl.Lenient = lenient
	return tmpl.Execute(data)
}

func reference(text, option string) (string, error) {
	tmpl, err := template.New("").Funcs(theirs).Option(option).Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = tmpl.Execute(&b, data)
	return b.String(), err
}
