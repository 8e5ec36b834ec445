package wiring

import (
	"slices"
	"strings"
)

// Ignore is the annotation that silences rules on an object: rule-id=reason, several
// separated by semicolons.
const Ignore = "inferstack.dev/ignore"

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
			for _, entry := range ignores(text.text()) {
				switch {
				case entry.reason == "":
					r.add(place{o, text}, Ref{}, "%s is to be ignored without a reason", entry.rule).fix("write %s=why it is right here", entry.rule)
				case !slices.Contains(known, entry.rule):
					r.add(place{o, text}, Ref{}, "there is no rule %s to ignore", entry.rule).fix("take the id from the brackets after the finding")
				}
			}
		}
	},
}}

// ruleIDs is filled by init, since the rules above ask for all rules.
var ruleIDs func() []string

func init() {
	ruleIDs = func() []string {
		var ids []string
		for _, r := range Rules() {
			ids = append(ids, r.ID)
		}
		return ids
	}
}

type ignore struct{ rule, reason string }

func ignores(text string) []ignore {
	var out []ignore
	for entry := range strings.SplitSeq(text, ";") {
		rule, reason, _ := strings.Cut(entry, "=")
		if rule = strings.TrimSpace(rule); rule != "" {
			out = append(out, ignore{rule, strings.TrimSpace(reason)})
		}
	}
	return out
}

// silence notes the reason on findings that the object they are about silences.
func silence(g *G, findings []Finding) {
	silent := map[Ref][]ignore{}
	for _, o := range g.Objects {
		if text := o.at("metadata", "annotations", Ignore).text(); text != "" {
			silent[o.Ref] = append(silent[o.Ref], ignores(text)...)
		}
	}
	for i := range findings {
		for _, ignore := range silent[findings[i].Object] {
			if ignore.rule == findings[i].Rule && findings[i].Silenced == "" {
				findings[i].Silenced = ignore.reason
			}
		}
	}
}
