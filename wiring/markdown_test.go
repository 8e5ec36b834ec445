package wiring

import (
	"fmt"
	"slices"
	"strings"

	stackrules "github.com/inferstack/inferstack/schema/rules"
)

// Markdown is the reference of the rules, docs/checks.md.
func Markdown() string {
	var out strings.Builder
	out.WriteString(intro)
	for _, f := range families {
		fmt.Fprintf(&out, "\n## %s\n", f.Title)
		for _, r := range slices.Concat(f.Rules...) {
			writeRule(&out, r)
		}
	}
	out.WriteString("\n## InferenceStacks\n\n" + stacks)
	for _, r := range stackrules.All() {
		fmt.Fprintf(&out, "\n### %s\n\n*%s*. %s\n", r.ID, r.Severity, r.Doc)
	}
	out.WriteString("\n## Exceptions\n")
	for _, r := range ignoreRules {
		writeRule(&out, r)
	}
	return out.String()
}

func writeRule(out *strings.Builder, r Rule) {
	fmt.Fprintf(out, "\n### %s\n\n*%s*. %s\n", r.ID, r.Severity, r.Doc)
}

const intro = `# What ` + "`inferstack check`" + ` looks for

<!-- Written by wiring's rule table: UPDATE_GOLDEN=1 go test ./wiring -run Reference -->

` + "`inferstack check`" + ` reads any Kubernetes manifests, follows the references between them, and reports what dangles and
what two objects must agree on and do not. An **error** cannot work; a **warning** works, but not as it seems to be meant or
not for long; an **info** is worth knowing. It exits with 1 when there is an error, and with
2 when something cannot be read. InferenceStacks are compiled first; what is wrong with one has an ID that begins with stack-, and a
file that is not YAML or has a key twice is unreadable.

A finding that is right to be there is silenced on the object that it is about, with a reason:

` + "```yaml" + `
metadata:
  annotations:
    ` + Ignore + `: "epp-config-checksum=Reloader restarts it; replicas-and-autoscaler=first start"
` + "```" + `

Semicolons separate rules, so a reason has none. What is silenced is counted, and left out of all formats but SARIF, where
it is a suppressed result with the reason as its justification.

Values that something fills in later (` + "`${…}`, `$(…)`, `{{ … }}`" + `) are taken to be right.
`

const stacks = `These are judged in a stack, and in what is converted to one, also by render, validate and the function. Errors keep the stack from
being compiled and cannot be silenced. What else has no name here is reported as invalid-stack: an object that the API server
would refuse, or two stacks that make the same object. A warning is silenced by the same annotation in the metadata of the stack,
which also silences what the other rules find in the objects of the stack.
`
