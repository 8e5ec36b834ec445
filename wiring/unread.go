package wiring

import "github.com/inferstack/inferstack/schema"

// What is wrong before any rule can look, by the name that findings give it.
const (
	Unreadable   = "unreadable"
	InvalidStack = "invalid-stack"
)

var beforeRules = map[string]string{
	Unreadable:   "A file is not YAML, or has a key twice. What it holds was not checked.",
	InvalidStack: "An InferenceStack, or what is converted to one, does not compile. Its objects were not checked.",
}

// Wrong makes findings of the errors among problems, so that they come in every format.
func Wrong(rule string, problems schema.Problems) []Finding {
	var out []Finding
	for _, p := range problems.Errors() {
		p.Rule = rule
		out = append(out, p)
	}
	return out
}
