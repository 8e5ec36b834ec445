package rules

import (
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// Parse checks one YAML document against the schema and the rules and completes
// it with defaults. The stack is nil when there is any error; all problems of the
// document are reported, in the order of their positions.
func Parse(doc *yaml.Node, src schema.Source) (*schema.Stack, schema.Problems) {
	return parse(doc, src, rules)
}

func parse(doc *yaml.Node, src schema.Source, rules []Rule) (*schema.Stack, schema.Problems) {
	s, problems := document.Walk(doc, src)
	if s == nil {
		return nil, problems
	}
	problems = append(problems, judge(stack{s}, rules, problems)...)
	problems = silence(stack{s}, problems)
	problems.Sort()
	if len(problems.Errors()) > 0 {
		return nil, problems.WithoutInfos()
	}
	return s, problems
}
