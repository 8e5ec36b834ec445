package wiring

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/finding"
)

// Options of Check.
type Options struct {
	// Rules limits the check to the rules of these ids; empty means all.
	Rules []string
	// Platform are versions of what the objects are applied to, such as kubernetes 1.34;
	// Platforms lists the names.
	Platform map[string]string
	// Admitted leaves out what the API server refuses of a single object, for objects that were
	// judged before: their kinds and their fields.
	Admitted bool
	// Silenced asks for the findings that an object silences as well, with the reason.
	Silenced bool
}

// Check returns what the rules find among the objects, in the order of the files.
// Findings that an object silences, with a reason, are left out unless they are asked for.
func Check(objects []*Object, opts Options) []Finding { return Graph(objects).Check(opts) }

// Check is Check of the objects of a graph.
func (g *G) Check(opts Options) []Finding {
	g.platform = opts.Platform
	var findings []Finding
	all := rules()
	for i := range all {
		if r := (&report{rule: &all[i]}); opts.wants(r.rule.ID) {
			r.rule.look(g, r)
			findings = append(findings, r.findings...)
		}
	}
	findings = g.yielded(findings)
	silence(g, findings)
	if !opts.Silenced {
		findings = finding.List(findings).Heard()
	}
	order(findings)
	return distinct(findings)
}

func (o Options) wants(id string) bool {
	if o.Admitted && (id == refusedField || id == kindUnknown) {
		return false
	}
	return len(o.Rules) == 0 || slices.Contains(o.Rules, id)
}

// A line of a file that is of an object.
type line struct {
	file   string
	number int
	object Ref
}

// span remembers where a list ends that is refused as a whole.
func (g *G) span(at place) {
	if at.field.node == nil || at.field.node.Kind != yaml.SequenceNode {
		return
	}
	if g.spans == nil {
		g.spans = map[line]int{}
	}
	g.spans[line{at.object.File, at.field.line(), at.object.Ref}] = lastLine(at.field.node)
}

func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, inner := range n.Content {
		last = max(last, lastLine(inner))
	}
	return last
}

// yielded leaves out what another rule says about the same line, or the same list, and knows more
// about.
func (g *G) yielded(findings []Finding) []Finding {
	known := map[line]bool{}
	for _, f := range findings {
		known[line{f.File, f.Line, f.Object}] = known[line{f.File, f.Line, f.Object}] || f.Rule != refusedField && f.Severity == Error
	}
	return slices.DeleteFunc(findings, func(f Finding) bool {
		at := line{f.File, f.Line, f.Object}
		for last := max(f.Line, g.spans[at]); f.Rule == refusedField && at.number <= last; at.number++ {
			if known[at] {
				return true
			}
		}
		return false
	})
}

// distinct drops what is the same as the finding before, as two containers of one mistake
// give.
func distinct(findings []Finding) (out []Finding) {
	for i, f := range findings {
		if i == 0 || !f.Same(findings[i-1]) {
			out = append(out, f)
		}
	}
	return out
}
