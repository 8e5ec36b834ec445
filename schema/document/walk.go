package document

import (
	"cmp"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/internal/untrusted"
	"github.com/inferstack/inferstack/schema"
)

// A walker checks a YAML tree against the model. As it goes it writes the
// complete document as JSON: defaults filled in, numbers in one spelling, and
// without what was wrong.
type walker struct {
	src      schema.Source
	out      []byte
	problems schema.Problems
	void     map[*yaml.Node]bool // values that are known to be wrong
	plain    bool                // check only what CUE checks too
	lenient  bool                // an empty value counts as absent
}

// problem reports on the value at a place.
func (w *walker) problem(p *place, value any, format string, args ...any) {
	line, column := p.position()
	w.report(schema.Problem{Line: line, Column: column, Path: p.path(), Message: fmt.Sprintf(format, args...), Value: value})
}

// problemAt reports on the value at a place, at the position of another node.
func (w *walker) problemAt(p *place, n *yaml.Node, format string, args ...any) {
	w.reportAt(p, n, RuleValue, format, args...)
}

func (w *walker) reportAt(p *place, n *yaml.Node, rule, format string, args ...any) {
	w.report(schema.Problem{Rule: rule, Line: n.Line, Column: n.Column, Path: p.path(), Message: fmt.Sprintf(format, args...)})
}

func (w *walker) report(p schema.Problem) {
	p.Severity, p.Rule = schema.Error, cmp.Or(p.Rule, RuleValue)
	p.File, p.Line = w.src.At(p.Line)
	if !w.src.Lines {
		p.Line, p.Column = 0, 0
	}
	if s, ok := p.Value.(string); ok {
		p.Value = untrusted.Redact(s)
	}
	w.problems = append(w.problems, p)
}

// value checks the value at p and writes it. It is false, and what it wrote is
// void, when the value cannot be used at all.
func (w *walker) value(t *model.Type, p *place) bool {
	n := resolve(p.node)
	switch {
	case w.void[n]:
		return false
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" && t.Kind != model.Any:
		w.null(t, p)
		return false
	}
	switch t.Kind {
	case model.Any:
		return w.free(p)
	case model.Object:
		return w.kind(p, n, yaml.MappingNode) && w.free(p)
	case model.Scalar:
		return w.scalar(t, p)
	case model.Struct:
		return w.shape(t, p, n, yaml.MappingNode) && w.structure(t, p)
	case model.Map:
		return w.kind(p, n, yaml.MappingNode) && w.dictionary(t, p)
	case model.List:
		return w.shape(t, p, n, yaml.SequenceNode) && w.list(t, p)
	}
	return w.upstream(t, p)
}

func (w *walker) null(t *model.Type, p *place) {
	switch t.Kind {
	case model.Map, model.Object:
		w.problem(p, nil, "must not be empty; write {} or remove the field")
	case model.Struct:
		w.problem(p, nil, "must not be empty; %s", advice(t, p))
	case model.Upstream:
		w.problem(p, nil, "must not be empty; write {} for all defaults, or remove the field")
	case model.List:
		w.problem(p, nil, "must not be empty; write [] or remove the field")
	default:
		w.problem(p, nil, "must not be null; give it a value or remove the field")
	}
}

func kindWords(k yaml.Kind) string {
	switch k {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return "a single value"
}

// kind checks the shape of a value.
func (w *walker) kind(p *place, n *yaml.Node, want yaml.Kind) bool {
	if n.Kind == want {
		return true
	}
	w.problem(p, raw(n), "must be %s (got %s)", kindWords(want), got(n))
	return false
}

// shape is kind with an example of what the field takes.
func (w *walker) shape(t *model.Type, p *place, n *yaml.Node, want yaml.Kind) bool {
	if n.Kind == want {
		return true
	}
	w.problem(p, raw(n), "must be %s (got %s)%s", kindWords(want), got(n), such(t, n))
	return false
}

// structure checks a mapping with known fields; p.node may be nil, which stands
// for an empty one.
func (w *walker) structure(t *model.Type, p *place) bool {
	written := pairs(p.node)
	meant := w.unknown(t, p, written)
	w.out = append(w.out, '{')
	for i := range t.Fields {
		f := &t.Fields[i]
		at := place{up: p, name: f.Name, index: -1}
		for _, pr := range written {
			if pr.key.Value == f.Name {
				at.key, at.node = pr.key, pr.value
			}
		}
		if at.node == nil && f.Required && !meant[f.Name] {
			w.problemMissing(&at)
		}
		w.field(f, &at)
	}
	w.close('}')
	return true
}

// field writes a field: what is there, else its default.
func (w *walker) field(f *model.Field, at *place) {
	before := len(w.out)
	w.key(f.Name)
	switch {
	case at.node != nil && w.value(f.Type, at):
	case f.Default != nil:
		w.constant(f.Default)
	case f.Type.Kind == model.Struct && !f.Optional:
		w.defaults(f, at)
	default:
		w.out = w.out[:before]
		return
	}
	w.out = append(w.out, ',')
}

// defaults writes a struct that nobody wrote, or that was written wrongly: the
// rules count on every default. What is missing in it is worth a word only when
// the struct itself may be left out.
func (w *walker) defaults(f *model.Field, at *place) {
	known := len(w.problems)
	missing := at.node == nil && !f.Required
	at.node = nil
	w.structure(f.Type, at)
	if !missing {
		w.problems = w.problems[:known]
	}
}

func (w *walker) problemMissing(at *place) {
	line, column := at.up.position()
	w.report(schema.Problem{Line: line, Column: column, Path: at.path(), Rule: RuleMissing, Message: "required, but missing"})
}

// unknown reports the keys that a struct does not have, and returns the fields
// they were most likely meant to be.
func (w *walker) unknown(t *model.Type, p *place, written []pair) (meant map[string]bool) {
	var known *choices
	for _, pr := range written {
		if t.Lookup(pr.key.Value) != nil || pr.key.Kind != yaml.ScalarNode {
			continue
		}
		at := &place{up: p, name: pr.key.Value, index: -1, key: pr.key, node: pr.value}
		if known == nil {
			all := choicesOf(fieldNames(t), written)
			known = &all
		}
		guess := w.unknownKey(at, *known)
		if guess != "" && meant == nil {
			meant = map[string]bool{}
		}
		if guess != "" {
			meant[guess] = true
		}
	}
	return meant
}

func (w *walker) dictionary(t *model.Type, p *place) bool {
	w.out = append(w.out, '{')
	for _, pr := range pairs(p.node) {
		at := &place{up: p, name: pr.key.Value, index: -1, key: pr.key, node: pr.value}
		before := len(w.out)
		keep := w.mapKey(t.Key, at, pr.key)
		w.key(pr.key.Value)
		if !w.value(t.Elem, at) || !keep {
			w.out = w.out[:before]
			continue
		}
		w.out = append(w.out, ',')
	}
	w.close('}')
	return true
}

// mapKey checks the key of a map as the string it is.
func (w *walker) mapKey(t *model.Type, at *place, key *yaml.Node) bool {
	if key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str" {
		return false // the inspector has said so
	}
	s := scalarOf(key)
	if ok, _ := w.fits(t, s); !ok {
		w.problemAt(at, key, "the key must be %s (got %s)", expectation(t, s), got(key))
		return false
	}
	if s.word && !w.plain {
		w.problemAt(at, key, "quote the key: %q; YAML 1.1 readers take it for a boolean", key.Value)
		return false
	}
	return true
}

func (w *walker) list(t *model.Type, p *place) bool {
	n := resolve(p.node)
	if len(n.Content) < t.MinItems || t.MaxItems > 0 && len(n.Content) > t.MaxItems {
		w.problem(p, nil, "must have %s (has %d)", span(t.MinItems, t.MaxItems, "item"), len(n.Content))
	}
	w.out = append(w.out, '[')
	for i, c := range n.Content {
		before := len(w.out)
		if !w.value(t.Elem, &place{up: p, index: i, node: c}) {
			w.out = w.out[:before]
			continue
		}
		w.out = append(w.out, ',')
	}
	w.close(']')
	return true
}
