package fn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/internal/verdict"
	"github.com/inferstack/inferstack/schema/document"
)

// What policies see, and of that the facts (policyFacts).
var (
	policySees = []string{"metadata", "spec", "facts"}
	factNames  = []string{"images", "accelerators"}
)

// unknownNames reports what policies name and no stack can have: each once, where the policy says it first.
func unknownNames(names []verdict.Name) (found finding.List) {
	told := map[string]bool{}
	for _, n := range names {
		err := checkName(n.Steps)
		if err == nil || told[n.File+": "+err.Error()] {
			continue
		}
		told[n.File+": "+err.Error()] = true
		found = append(found, problem("%s:%d:%d: %v", n.File, n.Line, n.Column, err))
	}
	return found
}

// checkName is an error for the names on the way to what policies do not see.
func checkName(steps []string) error {
	switch first := steps[0]; first {
	case "apiVersion", "kind", "metadata", "spec":
		return document.CheckName(steps)
	case "facts":
		if len(steps) == 1 {
			return nil
		}
		return oneOf(steps[1], factNames, "facts.", "there are "+strings.Join(factNames, ", "))
	default:
		return oneOf(first, policySees, "", fmt.Sprintf("a policy sees %s; what is its own is named _%s or #%[2]s", strings.Join(policySees, ", "), first))
	}
}

// oneOf is an error, with a near name or else an explanation, for a name that is not known.
func oneOf(name string, known []string, under, explanation string) error {
	if slices.Contains(known, name) {
		return nil
	}
	if guess := near.Of(name, known); guess != "" {
		explanation = fmt.Sprintf("did you mean %q?", under+guess)
	}
	return errors.New(under + name + ": unknown field; " + explanation)
}
