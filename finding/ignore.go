package finding

import (
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
)

// Ignore is the annotation that silences rules on an object or a stack: rule-id=reason, several
// separated by semicolons.
const Ignore = "inferstack.dev/ignore"

// An Exception is a rule to ignore, and why.
type Exception struct{ Rule, Reason string }

// Exceptions reads the annotation. One without a reason silences nothing.
func Exceptions(text string) (out []Exception) {
	for entry := range strings.SplitSeq(text, ";") {
		rule, reason, _ := strings.Cut(entry, "=")
		if rule = strings.TrimSpace(rule); rule != "" {
			out = append(out, Exception{rule, strings.TrimSpace(reason)})
		}
	}
	return out
}

// Silence notes the reason on the finding if one of the exceptions is for its rule.
func (f *Finding) Silence(exceptions []Exception) {
	for _, e := range exceptions {
		if e.Rule == f.Rule && f.Silenced == "" {
			f.Silenced = e.Reason
		}
	}
}

// Heard are the findings that are not silenced.
func (l List) Heard() List {
	return lists.Where(l, func(f Finding) bool { return f.Silenced == "" })
}
