package draft

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// Stack is a minimal InferenceStack: no field says what its default says, and a
// comment stands on everything that had to change.
type Stack struct {
	Node    *yaml.Node
	primary document.Document
	origins map[string]origin
	// relocate and remedies are the draft's.
	relocate func(schema.Problem) schema.Problem
	remedies map[string]string
}

// Stack finishes the draft.
func (d *Draft) Stack() Stack {
	document.Minimal(d.root)
	for _, n := range d.notes {
		comment(d.root, steps(n.path), n.text)
	}
	return Stack{Node: d.root, primary: d.primary, origins: d.origins, relocate: d.Relocate, remedies: d.Remedies}
}

// comment puts a comment on the field at a path, or on the nearest one above it.
func comment(root *yaml.Node, path []string, text string) {
	key, n := root.Content[0], root
	for i, step := range path {
		next := child(n, step)
		if next == nil {
			break
		}
		for j := 0; n.Kind == yaml.MappingNode && j+1 < len(n.Content); j += 2 {
			if n.Content[j].Value == step && (i > 0 || step != "spec") {
				key = n.Content[j]
			}
		}
		n = next
	}
	remark := "# " + strings.Join(wrap(text, 96), "\n# ")
	switch {
	case key.HeadComment == "":
		key.HeadComment = remark
	case !strings.Contains(key.HeadComment, remark):
		key.HeadComment += "\n" + remark
	}
}

func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// YAML is the stack as a document.
func (s Stack) YAML() []byte {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	if err := enc.Encode(s.Node); err != nil {
		panic(err) // a tree of our own
	}
	return b.Bytes()
}

// Document is where the stack came from.
func (s Stack) Document() document.Document { return s.primary }

// Parse checks the stack and completes it. Problems are about the user's own file
// and fields.
func (s Stack) Parse() (*schema.Stack, schema.Problems) {
	stack, problems := rules.Parse(s.Node, schema.Source{File: s.primary.Source.File})
	return stack, s.Translate(problems)
}

// Translate makes problems with the stack problems with the document it came from.
func (s Stack) Translate(problems schema.Problems) schema.Problems {
	out := make(schema.Problems, len(problems))
	for i, p := range problems {
		out[i] = s.translate(p)
		if s.relocate != nil {
			out[i] = s.relocate(out[i])
		}
	}
	return out
}

// named is the user's field that became a field of the stack, or that field.
func (s Stack) named(field string) string {
	from, rest := s.origin(field)
	if from == nil || from.near || from.path == "" {
		return field
	}
	return from.path + rest
}

func (s Stack) translate(p schema.Problem) schema.Problem {
	if remedy := s.remedies[p.Path]; remedy != "" {
		p.Message += "; " + remedy
	}
	p = p.Renamed(s.named)
	from, rest := s.origin(p.Path)
	switch {
	case from == nil:
		p.Message = fmt.Sprintf("as an InferenceStack, %s: %s", p.Path, p.Message)
		at := s.primary.Problem(p.Severity, "metadata.name", "")
		at.Path = ""
		return p.At(at)
	case from.near:
		p.Message = fmt.Sprintf("as an InferenceStack, %s: %s", p.Path, p.Message)
		rest = ""
	}
	return p.At(from.doc.Problem(p.Severity, from.path+rest, ""))
}

// origin finds where the field at a path, or the nearest above it that came from
// somewhere, came from, and what of the path lies below that.
func (s Stack) origin(path string) (*origin, string) {
	for top := path; top != ""; {
		if o, ok := s.origins[top]; ok {
			return &o, path[len(top):]
		}
		i := strings.LastIndexAny(top, ".[")
		if i < 0 {
			break
		}
		top = top[:i]
	}
	return nil, ""
}
