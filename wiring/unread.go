package wiring

import (
	"cmp"

	"github.com/inferstack/inferstack/finding"
)

// What is wrong before any rule can look, by the name that findings give it.
const (
	Unreadable   = "unreadable"
	InvalidStack = "invalid-stack"
)

var beforeRules = map[string]string{
	Unreadable:   "A file is not YAML, or has a key twice. What it holds was not checked.",
	InvalidStack: "An InferenceStack, or what is converted to one, does not compile for a reason that no rule below names. Its objects were not checked.",
}

// Named gives findings that no rule made an ID; what cannot be read is one kind, whatever is
// wrong with it.
func Named(rule string, found finding.List) []Finding {
	out := make([]Finding, len(found))
	for i, f := range found {
		if f.Rule = cmp.Or(f.Rule, rule); rule == Unreadable {
			f.Rule = rule
		}
		out[i] = f
	}
	return out
}
