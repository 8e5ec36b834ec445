package wiring

import (
	"slices"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/lists"
)

// Ignore is the annotation that silences rules on an object.
const Ignore = finding.Ignore

var ignoreRules = []Rule{{
	ID:       "ignore-incomplete",
	Severity: Error,
	Doc: "The annotation `" + Ignore + "` names a rule that does not exist, or gives no reason. Without a reason nobody can tell " +
		"later whether the exception still holds, so the rule is not silenced.",
	find: func(g *G, r *report) {
		known := ruleIDs()
		for _, o := range g.Objects {
			text := o.at("metadata", "annotations", Ignore)
			if !text.is() {
				continue
			}
			for _, entry := range finding.Exceptions(text.text()) {
				switch {
				case entry.Reason == "":
					r.add(place{o, text}, Ref{}, "%s is to be ignored without a reason", entry.Rule).fix("write %s=why it is right here", entry.Rule)
				case !slices.Contains(known, entry.Rule):
					r.add(place{o, text}, Ref{}, "there is no rule %s to ignore", entry.Rule).fix("take the id from the brackets after the finding")
				}
			}
		}
	},
}}

// ruleIDs is filled by init, since the rules above ask for all rules.
var ruleIDs func() []string

func init() {
	ruleIDs = func() []string {
		return lists.Map(Rules(), func(r Rule) string { return r.ID })
	}
}

// silence notes the reason on findings that the object they are about silences.
func silence(g *G, findings []Finding) {
	silent := map[Ref][]finding.Exception{}
	for _, o := range g.Objects {
		if text := o.at("metadata", "annotations", Ignore).text(); text != "" {
			silent[o.Ref] = append(silent[o.Ref], finding.Exceptions(text)...)
		}
	}
	for i := range findings {
		findings[i].Silence(silent[findings[i].Object])
	}
}
