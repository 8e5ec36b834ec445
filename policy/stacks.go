package policy

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/verdict"
)

// Evaluate gives the objects of a package of CUE files, with their places.
func Evaluate(p verdict.Package) verdict.Answer {
	files, invalid := parsePackage(p.Files)
	if len(invalid) == 0 {
		invalid = inject(files, p.Tags)
	}
	if len(invalid) > 0 {
		return verdict.Answer{Invalid: invalid}
	}
	none := func(token.Pos, string) *build.Instance { return nil }
	instance := build.NewContext().NewInstance("", none)
	for _, file := range files {
		if err := instance.AddSyntax(file); err != nil {
			return verdict.Answer{Invalid: told(err)}
		}
	}
	value := cuecontext.New().BuildInstance(instance)
	if err := value.Validate(cue.Concrete(false), cue.All()); err != nil {
		return verdict.Answer{Invalid: toldOf(err)}
	}
	e := evaluation{places: map[string]int{}}
	for i, file := range p.Files {
		e.places[file.File] = i
	}
	e.find(value)
	if len(e.documents) == 0 && len(e.invalid) == 0 {
		e.invalid = []string{p.Files[0].File + ": no object in it: a stack has apiVersion and kind, in the file itself, in fields or in lists"}
	}
	return verdict.Answer{Documents: e.documents, Invalid: e.invalid}
}

// parsePackage parses the first file and, if it names its package, those of the others that are of it.
func parsePackage(given []verdict.Policy) (files []*ast.File, invalid []string) {
	name := ""
	for i, p := range given {
		if i > 0 {
			head, err := parser.ParseFile(p.File, p.Text, parser.PackageClauseOnly)
			if name == "" || err != nil || head.PackageName() != name {
				continue
			}
		}
		file, err := parser.ParseFile(p.File, p.Text, parser.ParseComments)
		if err != nil {
			invalid = append(invalid, told(err)...)
			continue
		}
		if i == 0 {
			name = file.PackageName()
		}
		files = append(files, file)
		invalid = append(invalid, imports(file)...)
		invalid = append(invalid, attributes(file)...)
	}
	return files, invalid
}

// attributes refuses those by which cue chooses or reads files.
func attributes(file *ast.File) (out []string) {
	for _, decl := range file.Decls {
		attribute, ok := decl.(*ast.Attribute)
		if !ok {
			continue
		}
		if name, _ := attribute.Split(); name == "if" || name == "ignore" || name == "extern" {
			pos := attribute.Pos()
			out = append(out, fmt.Sprintf("%s:%d:%d: @%s is not supported; tags set fields: @tag(name)", file.Filename, pos.Line(), pos.Column(), name))
		}
	}
	return out
}

// An evaluation collects objects.
type evaluation struct {
	places    map[string]int // of files
	documents []verdict.Node
	invalid   []string
}

// find finds the objects in a value: itself, in its fields or in its elements.
func (e *evaluation) find(v cue.Value) {
	if list, err := v.List(); err == nil {
		for list.Next() {
			e.find(list.Value())
		}
		return
	}
	fields, err := v.Fields()
	if err != nil {
		return
	}
	if v.LookupPath(cue.ParsePath("kind")).Exists() && v.LookupPath(cue.ParsePath("apiVersion")).Exists() {
		if err := v.Validate(cue.Concrete(true), cue.Final(), cue.All()); err != nil {
			e.invalid = append(e.invalid, toldOf(err)...)
			return
		}
		e.documents = append(e.documents, e.node(v, verdict.Node{Line: 1, Column: 1}))
		return
	}
	for fields.Next() {
		e.find(fields.Value())
	}
}

// toldOf are errors with their places and their fields, without those that only introduce others.
func toldOf(err error) (out []string) {
	all := errors.Errors(err)
	for _, e := range all {
		if format, _ := e.Msg(); len(all) > 1 && strings.Contains(format, "errors in empty disjunction") {
			continue
		}
		for _, text := range told(e) {
			at, message, _ := strings.Cut(text, ": ")
			if path := finding.PathOf(e.Path()); path != "" && message != "" {
				text = at + ": " + path + ": " + message
			}
			if !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// node is a value, at its place or at that of what it is in.
func (e *evaluation) node(v cue.Value, in verdict.Node) verdict.Node {
	n := verdict.Node{File: in.File, Line: in.Line, Column: in.Column}
	if pos := v.Pos(); pos.IsValid() {
		if place, ok := e.places[pos.Filename()]; ok {
			n.File, n.Line, n.Column = place, pos.Line(), pos.Column()
		}
	}
	v, _ = v.Default()
	switch v.Kind() {
	case cue.StructKind:
		n.Tag = "!!map"
		for fields, _ := v.Fields(); fields.Next(); {
			value := e.node(fields.Value(), n)
			value.Key = fields.Selector().Unquoted()
			n.Content = append(n.Content, value)
		}
	case cue.ListKind:
		n.Tag = "!!seq"
		for list, _ := v.List(); list.Next(); {
			n.Content = append(n.Content, e.node(list.Value(), n))
		}
	case cue.StringKind:
		n.Tag = "!!str"
		n.Value, _ = v.String()
	default:
		n.Tag = map[cue.Kind]string{cue.IntKind: "!!int", cue.FloatKind: "!!float", cue.BoolKind: "!!bool", cue.NullKind: "!!null"}[v.Kind()]
		text, err := v.MarshalJSON()
		if n.Value = string(text); err != nil || n.Tag == "" {
			e.invalid = append(e.invalid, fmt.Sprintf("%s: %s cannot be said in a stack", v.Path(), v.Kind()))
		}
	}
	return n
}
