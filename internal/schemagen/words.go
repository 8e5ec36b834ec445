package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/model"
)

// typeWords says in a table cell what a value may be.
func (w *referenceWriter) typeWords(t *model.Type) string {
	if t.Name != "" && (t.Kind == model.Scalar || t.Kind == model.Map) {
		return fmt.Sprintf("[%s](#values)", valueName(t))
	}
	switch t.Kind {
	case model.Any:
		return "anything"
	case model.Object:
		return "object"
	case model.Upstream:
		return upstreamWords(t)
	case model.Struct:
		if w.shared(t) {
			return fmt.Sprintf("[%s](#%s)", partTitle(t), anchor(partTitle(t)))
		}
		return "section"
	case model.Map:
		return fmt.Sprintf("map of %s to %s", w.typeWords(t.Key), w.typeWords(t.Elem))
	case model.List:
		elem := w.typeWords(t.Elem)
		if elem == "section" {
			elem = "sections"
		}
		return "list of " + elem + itemWords(t)
	}
	return w.scalarDetail(t)
}

func itemWords(t *model.Type) string {
	switch {
	case t.MinItems > 0 && t.MaxItems > 0:
		return fmt.Sprintf(", %d to %d", t.MinItems, t.MaxItems)
	case t.MinItems > 0:
		return fmt.Sprintf(", at least %d", t.MinItems)
	case t.MaxItems > 0:
		return fmt.Sprintf(", at most %d", t.MaxItems)
	}
	return ""
}

// valueName is a definition's name as words: DNSLabel is a DNS label.
func valueName(t *model.Type) string {
	ws := words(t.Name)
	for i, word := range ws {
		if initialisms[strings.ToLower(word)] != word {
			ws[i] = strings.ToLower(word)
		}
	}
	return strings.Join(ws, " ")
}

func (w *referenceWriter) scalarDetail(t *model.Type) string {
	var parts []string
	for i := range t.Alts {
		parts = append(parts, altDetail(&t.Alts[i]))
	}
	return strings.Join(parts, ", or ")
}

func altDetail(a *model.Alt) string {
	if len(a.Values) > 0 {
		return strings.Join(lists.Map(a.Values, code), ", ")
	}
	s := basicWords(a)
	if a.Format == "quantity" {
		s = "string or number: a Kubernetes quantity such as `500m`, `4` or `16Gi`"
	}
	s += boundsDetail(a)
	for _, p := range a.Patterns {
		if p.Msg != "" {
			return s + ": " + escape(p.Msg)
		}
		s += " matching " + code(p.Expr)
	}
	if a.MaxRunes > 0 {
		s += fmt.Sprintf(", at most %d characters", a.MaxRunes)
	}
	return s
}

func basicWords(a *model.Alt) string {
	switch t := jsonTypes(a.Basic).(type) {
	case string:
		return t
	case []string:
		return strings.Join(t[:len(t)-1], ", ") + " or " + t[len(t)-1]
	}
	return ""
}

func boundsDetail(a *model.Alt) string {
	if a.Min.Set && a.Max.Set && !a.Min.Open && !a.Max.Open {
		return " " + num(a.Min.At) + " to " + num(a.Max.At)
	}
	var parts []string
	if a.Min.Set {
		parts = append(parts, map[bool]string{false: "≥ ", true: "> "}[a.Min.Open]+num(a.Min.At))
	}
	if a.Max.Set {
		parts = append(parts, map[bool]string{false: "≤ ", true: "< "}[a.Max.Open]+num(a.Max.At))
	}
	if parts == nil {
		return ""
	}
	return " " + strings.Join(parts, ", ")
}

func num(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// code is a value in code quotes, safe in a table cell.
func code(v any) string {
	s := fmt.Sprint(v)
	if x, ok := v.(string); ok && (x == "" || looksTyped(x)) {
		s = strconv.Quote(x)
	}
	return "`" + strings.ReplaceAll(s, "|", `\|`) + "`"
}

// looksTyped reports whether a string needs its quotes in YAML.
func looksTyped(s string) bool {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return true
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return true
	}
	return false
}

// escape makes text safe in a Markdown table.
func escape(s string) string {
	return strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`, "_", `\_`).Replace(s)
}

// anchor is the link target of a heading, as GitHub makes it.
func anchor(title string) string {
	return strings.NewReplacer(" ", "-", ".", "", "[", "", "]", "", "*", "").Replace(strings.ToLower(title))
}
