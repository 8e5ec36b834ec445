package wiring

import (
	"fmt"
	"strings"
)

// Markdown is the reference of the rules, docs/checks.md.
func Markdown() string {
	var out strings.Builder
	out.WriteString(intro)
	rules := 0
	for _, f := range families {
		fmt.Fprintf(&out, "\n## %s\n", f.Title)
		for _, r := range f.Rules {
			writeRule(&out, r)
			rules++
		}
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
2 when something cannot be read. InferenceStacks are compiled first; what is wrong with one is reported as invalid-stack, and a file
that is not YAML or has a key twice as unreadable: these two cannot be silenced.

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
