package helm

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// A layer is a values file or a --set, and where its lines are among those of all layers
// of a chart, which are read as if they stood in one file.
type layer struct {
	name  string
	data  []byte
	above int // lines of the layers before it
	set   bool
}

// layers are a chart's values files and settings, each over those before it.
type layers []layer

// layered merges the files and settings of a chart as helm does: mappings key by key, all
// else as a whole. Of one file it is the file itself.
func (in *Input) layered(f File, flag string) (document.Document, schema.Problems) {
	if len(f.Over)+f.Settings() == 0 {
		doc, problems := document.ReadValues(f.Name, f.Data)
		if doc.Node != nil {
			unwrapped(doc.Node)
			prune(doc.Node)
			unquoted(doc.Node)
		}
		return doc, problems
	}
	out := document.Document{Source: schema.Source{File: flag, Lines: true}, Node: &yaml.Node{Kind: yaml.MappingNode}}
	var problems schema.Problems
	lines := 0
	for _, file := range append([]File{f}, f.Over...) {
		if file.Data == nil {
			continue
		}
		doc, found := document.ReadValues(file.Name, file.Data)
		problems = append(problems, found...)
		unwrapped(doc.Node)
		tree := duplicate(doc.Node)
		shift(tree, lines, 0)
		in.layers[flag] = append(in.layers[flag], layer{name: file.Name, data: file.Data, above: lines})
		lines += strings.Count(string(file.Data), "\n") + 1
		if out.Node.Line == 0 {
			out.Node.Line, out.Node.Column = tree.Line, tree.Column
		}
		overlay(out.Node, tree)
	}
	set := func(texts []string, name string, value scalarOf) {
		for _, text := range texts {
			lines++
			in.layers[flag] = append(in.layers[flag], layer{name: name + " " + text, above: lines - 1, set: true})
			if err := setValue(out.Node, text, value, lines); err != nil {
				problems = append(problems, schema.Problem{Severity: schema.Error, File: flag, Line: lines, Message: err.Error()})
			}
		}
	}
	set(f.Set, "--set"+strings.TrimPrefix(flag, "-"), typed)
	set(f.SetAny, "--set", typed)
	set(f.SetString, "--set-string", quoted)
	prune(out.Node)
	unquoted(out.Node)
	return out, problems
}

// prune drops the values that are null, by which helm takes away what an earlier layer or
// the chart says; in lists, null is what the API server takes for a field that is not there.
func prune(n *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			prune(c)
		}
	}
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); {
		if value := n.Content[i+1]; value.Kind == yaml.ScalarNode && value.ShortTag() == "!!null" {
			n.Content = append(n.Content[:i], n.Content[i+2:]...)
			continue
		}
		prune(n.Content[i+1])
		i += 2
	}
}

// unquoted makes numbers of the parallelism that stand in quotes numbers, as the chart does
// (llm-d-modelservice templates/_helpers.tpl, 0.4.12).
func unquoted(n *yaml.Node) {
	for _, role := range []string{"decode", "prefill"} {
		for _, value := range krm.Fields(krm.Field(n, role, "parallelism")) {
			if _, err := strconv.Atoi(value.Value); err == nil && value.Kind == yaml.ScalarNode {
				value.Tag, value.Style = "!!int", 0
			}
		}
	}
}

// overlay lays one mapping over another.
func overlay(to, from *yaml.Node) {
	for i := 0; i+1 < len(from.Content); i += 2 {
		key, value := from.Content[i], from.Content[i+1]
		at := keyAt(to, key.Value)
		switch {
		case at < 0:
			to.Content = append(to.Content, key, value)
		case to.Content[at+1].Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
			overlay(to.Content[at+1], value)
		default:
			to.Content[at], to.Content[at+1] = key, value
		}
	}
}

func keyAt(n *yaml.Node, key string) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// headings are the first lines of helm get values without -o yaml, which read as keys
// without a value (helm pkg/cmd/get_values.go, v3 and v4).
var headings = []string{"USER-SUPPLIED VALUES", "COMPUTED VALUES"}

// unwrapped drops such a heading.
func unwrapped(n *yaml.Node) {
	for _, heading := range headings {
		if at := keyAt(n, heading); at == 0 && n.Content[1].ShortTag() == "!!null" {
			n.Content = n.Content[2:]
		}
	}
}

// Relocate says where a problem is in the file that the user named.
func (in *Input) Relocate(p schema.Problem) schema.Problem {
	at := in.layer(p.File, p.Line)
	if at == nil {
		return p
	}
	p.File = at.name
	switch {
	case at.set:
		p.Line, p.Column = 0, 0
	case p.Line > 0:
		p.Line -= at.above
	}
	return p
}

// layer is the one that holds a line of merged values, or nil of others.
func (in *Input) layer(file string, line int) (at *layer) {
	list := in.layers[file]
	for i := range list {
		if i == 0 || line > list[i].above {
			at = &list[i]
		}
	}
	return at
}

// source is the text of the values that hold a line of a document, and the line in it.
func (in *Input) source(file string, line int) ([]byte, int) {
	if at := in.layer(file, line); at != nil {
		return at.data, line - at.above
	}
	for _, f := range []File{in.values.Infra, in.values.Pool, in.values.Model} {
		if f.Data != nil && f.Name == file {
			return f.Data, line
		}
	}
	return nil, 0
}
