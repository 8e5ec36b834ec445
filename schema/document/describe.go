package document

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/published"
	"github.com/inferstack/inferstack/schema"
)

// A Description says of one field of an InferenceStack what can be written there.
type Description struct {
	Path     string // as spec.decode.replicas; empty for the whole document
	Name     string
	Type     string // as integer, []string or Object
	Required bool
	Default  string // as in YAML; empty for none
	Accepts  string // what a scalar, or each entry of a list, may be, in words; empty for what is free
	Text     string // what the field is for
	About    string // what its section is, where that is more than Text
	Fields   []Description

	// upstream is the Go type whose fields are those here; Describe fills them in where a
	// path leads, not everywhere.
	upstream reflect.Type
	// patch says that the fields are to be merged over others: none is required.
	patch bool
	// free says that there may be fields of any name.
	free bool
}

// Describe finds a field by its path. Positions in lists may be written or not; the
// name of the kind may come first. A wrong path is an error that names the field that was
// most likely meant.
func Describe(path string) (Description, error) {
	return describe(pathParts(path), false)
}

// CheckName is an error, as that of Describe, for the names on the way to what no stack can have. What
// is in a map, as a label is, may have any name.
func CheckName(steps []string) error {
	_, err := describe(steps, true)
	return err
}

// describe finds a field by the names on the way to it; with free it stops where any name may follow.
func describe(steps []string, free bool) (Description, error) {
	d := describer{top: documentation()}
	at := d.describe(root, d.top)
	for i, name := range steps {
		if free && at.free {
			return at, nil
		}
		at.expand()
		next := -1
		for j := range at.Fields {
			if at.Fields[j].Name == name {
				next = j
			}
		}
		if next < 0 {
			return Description{}, unknownField(at, name, i == 0)
		}
		at = at.Fields[next]
	}
	at.expand()
	return at, nil
}

// pathParts takes a path apart, without the kind and the positions in lists.
func pathParts(path string) (out []string) {
	for i, part := range strings.Split(strings.Trim(path, "."), ".") {
		part, _, _ = strings.Cut(part, "[")
		if part == "" || i == 0 && strings.EqualFold(part, schema.Kind) {
			continue
		}
		out = append(out, part)
	}
	return out
}

func unknownField(in Description, name string, first bool) error {
	at := strings.TrimPrefix(in.Path+"."+name, ".")
	if len(in.Fields) == 0 {
		return fmt.Errorf("%s: unknown field: %s is %s, without fields of its own here", at, in.Path, in.Type)
	}
	if guess := nearField(in.Fields, name); guess != "" {
		return fmt.Errorf("%s: unknown field; did you mean %q?", at, strings.TrimPrefix(in.Path+"."+guess, "."))
	}
	if first { // what is below spec is most of it, and often named without it
		for _, f := range in.Fields {
			if guess := nearField(f.Fields, name); guess != "" {
				return fmt.Errorf("%s: unknown field; did you mean %q?", at, f.Path+"."+guess)
			}
		}
	}
	return fmt.Errorf("%s: unknown field; there are %s", at, strings.Join(namesOf(in.Fields), ", "))
}

func nearField(fields []Description, name string) string { return near.Of(name, namesOf(fields)) }

func namesOf(fields []Description) []string {
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].Name
	}
	return names
}

// A docNode is the part of a JSON Schema that says what fields are for: the compiled
// model goes without, to keep the program small.
type docNode struct {
	Description string              `json:"description"`
	Ref         string              `json:"$ref"`
	Properties  map[string]*docNode `json:"properties"`
	Items       *docNode            `json:"items"`
	Defs        map[string]*docNode `json:"$defs"`
}

var documentation = sync.OnceValue(func() *docNode {
	top := &docNode{}
	if err := json.Unmarshal([]byte(published.JSONSchema()), top); err != nil {
		panic(err) // the file is embedded
	}
	return top
})

type describer struct{ top *docNode }

// section is what a reference stands for.
func (d describer) section(n *docNode) *docNode {
	if n == nil {
		return &docNode{}
	}
	if def, ok := d.top.Defs[strings.TrimPrefix(n.Ref, "#/$defs/")]; ok {
		return def
	}
	return n
}

// describe is the description of a type, with those of its fields.
func (d describer) describe(t *model.Type, n *docNode) Description {
	out := Description{Type: typeName(t), Text: n.Description}
	doc := d.section(n)
	items := ""
	for t.Kind == model.List {
		if t.MinItems > 0 || t.MaxItems > 0 {
			items = span(t.MinItems, t.MaxItems, "item")
		}
		t, doc = t.Elem, d.section(doc.Items)
	}
	if out.Text == "" {
		out.Text = doc.Description
	} else if t.Kind == model.Struct && doc.Description != out.Text {
		out.About = doc.Description
	}
	out.Accepts = accepts(t, items)
	out.free = t.Kind == model.Map || t.Kind == model.Any
	if t.Kind == model.Upstream {
		out.upstream = upstreamType(t.GoType)
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		child := doc.Properties[f.Name]
		if child == nil {
			child = &docNode{}
		}
		out.Fields = append(out.Fields, d.describe(f.Type, child).named(f))
	}
	return out
}

// named makes the description one of a field, and its fields' those of a section of
// that name.
func (d Description) named(f *model.Field) Description {
	d.Name, d.Required = f.Name, f.Required
	if f.Default != nil {
		d.Default = literal(f.Default)
	}
	if d.Name == "podTemplatePatch" {
		d.upstream, d.patch = patched, true
	}
	d.below("")
	return d
}

func (d *Description) below(parent string) {
	d.Path = strings.TrimPrefix(parent+"."+d.Name, ".")
	for i := range d.Fields {
		d.Fields[i].below(d.Path)
	}
}
