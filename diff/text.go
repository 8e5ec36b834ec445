package diff

import (
	"fmt"
	"io"
	"strings"

	"github.com/inferstack/inferstack/internal/lazyjson"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/untrusted"
)

// headings say what each risk means.
var headings = map[Risk]string{
	LosesData:   "loses data",
	Replaces:    "must be replaced: the API server refuses the change",
	RestartsGPU: "restarts pods with accelerators",
	StopsGPU:    "stops pods with accelerators",
	Readdresses: "may get another address",
	Restarts:    "restarts pods",
	Removes:     "is removed",
	Changes:     "changes in place",
	Adds:        "is added",
}

// colours are those of a terminal: red for what hurts, yellow for restarts, green for what
// is new.
var colours = map[Risk]string{
	LosesData: "31;1", Replaces: "31;1", RestartsGPU: "33;1", StopsGPU: "33;1", Readdresses: "33;1",
	Restarts: "33", Removes: "31", Changes: "36", Adds: "32",
}

// Text writes the differences for a person at a terminal.
func Text(w io.Writer, all []Difference, colour bool) error {
	paint := func(code, s string) string {
		if !colour || s == "" {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	var b strings.Builder
	for _, risk := range Risks {
		group := of(all, risk)
		if len(group) == 0 {
			continue
		}
		b.WriteString(paint(colours[risk], headings[risk]) + "\n")
		for _, d := range group {
			b.WriteString("  " + untrusted.Line(d.ID.String()) + "\n")
			for _, c := range shown(d.Changes) {
				b.WriteString("    " + untrusted.Line(c.Path) + ": " + c.values(paint) + paint(colours[Replaces], c.note()) + "\n")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString(Summary(all) + "\n" + definitions(all))
	_, err := io.WriteString(w, b.String())
	return err
}

// definitions says which CustomResourceDefinitions come first.
func definitions(all []Difference) string {
	kinds := Definitions(all)
	if len(kinds) == 0 {
		return ""
	}
	return fmt.Sprintf("CRDs that must be there first: %s\n", untrusted.Line(strings.Join(kinds, ", ")))
}

// Summary counts the differences, the riskiest first.
func Summary(all []Difference) string {
	if len(all) == 0 {
		return "no differences"
	}
	var parts []string
	for _, risk := range Risks {
		if n := len(of(all, risk)); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, briefly[risk]))
		}
	}
	objects := fmt.Sprintf("%d objects differ", len(all))
	if len(all) == 1 {
		objects = "1 object differs"
	}
	return objects + ": " + strings.Join(parts, ", ")
}

var briefly = map[Risk]string{
	LosesData: "with loss of data", Replaces: "to replace", RestartsGPU: "with restart of accelerator pods",
	StopsGPU: "with fewer accelerator pods", Readdresses: "with another address", Restarts: "with restart of pods", Removes: "removed", Changes: "changed in place", Adds: "added",
}

func of(all []Difference, risk Risk) []Difference {
	return lists.Where(all, func(d Difference) bool { return d.Risk == risk })
}

// values is old -> new, +new or -old, the old in the colour of what goes and the new in that
// of what comes.
func (c Change) values(paint func(code, s string) string) string {
	switch {
	case c.Old == nil:
		return paint(colours[Adds], "+"+short(c.New))
	case c.New == nil:
		return paint(colours[Removes], "-"+short(c.Old))
	}
	return paint(colours[Removes], short(c.Old)) + " -> " + paint(colours[Adds], short(c.New))
}

func (c Change) note() string {
	switch {
	case c.Immutable:
		return " (immutable)"
	case c.Note != "":
		return " (" + c.Note + ")"
	}
	return ""
}

// short is a value on one line of bearable length, without what a terminal would obey.
func short(v any) string {
	const longest = 160
	text, err := compact(v)
	if err != nil {
		text = fmt.Sprint(v)
	}
	text = untrusted.Line(text)
	if r := []rune(text); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return text
}

// compact is a value as JSON, with <, > and & as they are.
func compact(v any) (string, error) {
	var b strings.Builder
	err := lazyjson.NewEncoder(&b, "").Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// JSON writes the differences for programs.
func JSON(w io.Writer, all []Difference) error {
	return lazyjson.NewEncoder(w, "  ").Encode(struct {
		Differences []Difference `json:"differences"`
	}{all})
}
