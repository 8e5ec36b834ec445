package rules

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// silence notes the reason on warnings that the stack silences, and adds what is wrong with the
// annotation. Rules of check, which are not known here, are silenced by it as well.
func silence(s stack, problems schema.Problems) schema.Problems {
	exceptions := finding.Exceptions(s.Metadata.Annotations[finding.Ignore])
	if len(exceptions) == 0 {
		return problems
	}
	for i := range problems {
		if problems[i].Severity != schema.Error {
			problems[i].Silence(exceptions)
		}
	}
	at := "metadata.annotations." + finding.Ignore
	for _, e := range exceptions {
		p := s.Problem(schema.Warning, at, "%s is to be ignored without a reason; write %s=why it is right here", e.Rule, e.Rule)
		switch {
		case e.Reason == "":
		case strings.HasPrefix(e.Rule, "stack-") && !slices.ContainsFunc(All(), func(r Rule) bool { return r.ID == e.Rule }):
			p = s.Problem(schema.Warning, at, "there is no rule %s to ignore; inferstack check prints the ID in brackets after the finding", e.Rule)
		default:
			continue
		}
		p.Rule = ruleIgnore
		problems = append(problems, p)
	}
	return problems
}
