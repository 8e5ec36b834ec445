package main

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/inferstack/inferstack/internal/model"
)

const rootName = "InferenceStack"

// A compiler turns CUE files into the model. It understands the part of CUE
// that says what one value may be, and refuses everything else by file and line:
// what it lets through it must mean exactly as CUE does.
type compiler struct {
	decls  map[string]*ast.Field // definitions by name, without '#'
	order  []string
	types  map[string]value
	active map[string]bool // definitions being compiled, to find recursion
}

// A value is the meaning of an expression: a type, and the default that a
// disjunction marks.
type value struct {
	typ *model.Type
	def any
}

// schemaModel is the compiled schema.
type schemaModel struct {
	Root  *model.Type
	Types []*model.Type // every named type, in written order
}

// compile reads all CUE files of a directory.
func compile(dir fs.FS) (*schemaModel, error) {
	names, err := fs.Glob(dir, "*.cue")
	if err != nil {
		return nil, err
	}
	c := &compiler{decls: map[string]*ast.Field{}, types: map[string]value{}, active: map[string]bool{}}
	for _, name := range names {
		if err := c.load(dir, name); err != nil {
			return nil, err
		}
	}
	m := &schemaModel{}
	for _, name := range c.order {
		v, err := c.definition(name, c.decls[name])
		if err != nil {
			return nil, err
		}
		m.Types = append(m.Types, v.typ)
		if name == rootName {
			m.Root = v.typ
		}
	}
	if m.Root == nil {
		return nil, fmt.Errorf("no definition #%s", rootName)
	}
	return m, nil
}

func (c *compiler) load(dir fs.FS, name string) error {
	src, err := fs.ReadFile(dir, name)
	if err != nil {
		return err
	}
	f, err := parser.ParseFile(name, src, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.Package, *ast.ImportDecl, *ast.CommentGroup:
		case *ast.Field:
			label, _, err := ast.LabelName(d.Label)
			if err != nil || !strings.HasPrefix(label, "#") || d.Constraint != token.ILLEGAL {
				return refuse(d, "only definitions stand at the top level")
			}
			label = label[1:]
			if c.decls[label] != nil {
				return refuse(d, "#%s is defined twice", label)
			}
			c.decls[label] = d
			c.order = append(c.order, label)
		default:
			return refuse(d, "only definitions stand at the top level")
		}
	}
	return nil
}

// definition compiles #name once.
func (c *compiler) definition(name string, at ast.Node) (value, error) {
	if v, ok := c.types[name]; ok {
		return v, nil
	}
	decl, ok := c.decls[name]
	if !ok {
		return value{}, refuse(at, "no definition #%s", name)
	}
	if c.active[name] {
		return value{}, refuse(at, "#%s contains itself", name)
	}
	c.active[name] = true
	defer delete(c.active, name)

	v, err := c.fieldValue(name, decl)
	if err != nil {
		return value{}, err
	}
	if v.typ.Name != "" { // an alias of another definition
		v.typ = clone(v.typ)
	}
	v.typ.Name = name
	v.typ.Doc = doc(decl)
	c.types[name] = v
	return v, nil
}

// fieldValue compiles the value of a field or definition and applies its attributes.
func (c *compiler) fieldValue(name string, f *ast.Field) (value, error) {
	v, err := c.expr(name, f.Value)
	if err != nil {
		return value{}, err
	}
	if v.typ == nil || v.typ.Kind == model.Scalar && len(v.typ.Alts) == 0 {
		return value{}, refuse(f, "no value is possible")
	}
	return c.attributes(v, f)
}

// structure compiles a struct literal with known fields. path names it when it
// has no definition of its own.
func (c *compiler) structure(path string, lit *ast.StructLit) (*model.Type, error) {
	t := &model.Type{Kind: model.Struct, Name: path}
	for _, d := range lit.Elts {
		switch d := d.(type) {
		case *ast.CommentGroup:
		case *ast.EmbedDecl:
			if err := c.embed(t, d); err != nil {
				return nil, err
			}
		case *ast.Field:
			f, err := c.field(path, d)
			if err != nil {
				return nil, err
			}
			if t.Lookup(f.Name) != nil {
				return nil, refuse(d, "field %s is declared twice", f.Name)
			}
			t.Fields = append(t.Fields, f)
		default:
			return nil, refuse(d, "a struct holds fields and embedded definitions only")
		}
	}
	return t, nil
}

// embed takes over the fields of an embedded definition.
func (c *compiler) embed(t *model.Type, d *ast.EmbedDecl) error {
	id, ok := d.Expr.(*ast.Ident)
	if !ok || !strings.HasPrefix(id.Name, "#") {
		return refuse(d, "only a definition can be embedded")
	}
	v, err := c.definition(id.Name[1:], d)
	if err != nil {
		return err
	}
	if v.typ.Kind != model.Struct {
		return refuse(d, "%s is not a struct", id.Name)
	}
	for _, f := range v.typ.Fields {
		if t.Lookup(f.Name) != nil {
			return refuse(d, "field %s of %s is declared already", f.Name, id.Name)
		}
		f.From = v.typ
		t.Fields = append(t.Fields, f)
	}
	return nil
}

func (c *compiler) field(path string, d *ast.Field) (model.Field, error) {
	name, _, err := ast.LabelName(d.Label)
	if err != nil || strings.HasPrefix(name, "#") || strings.HasPrefix(name, "_") {
		return model.Field{}, refuse(d, "the name of a field must be plain")
	}
	f := model.Field{Name: name, GoName: goName(name), Doc: doc(d)}
	for _, a := range d.Attrs {
		if n, body := a.Split(); n == "go" && !strings.Contains(body, "=") && body != goJSON {
			f.GoName = body
		}
	}
	v, err := c.fieldValue(path+f.GoName, d)
	if err != nil {
		return model.Field{}, err
	}
	f.Type = v.typ
	switch d.Constraint {
	case token.NOT:
		f.Required = true
	case token.OPTION:
		f.Optional = true
	default:
		f.Default = v.def
		if f.Default == nil {
			f.Default = only(v.typ)
		}
		if f.Default == nil && (v.typ.Kind != model.Struct && v.typ.Kind != model.List && v.typ.Kind != model.Map || v.typ.MinItems > 0) {
			return model.Field{}, refuse(d, "field %s needs a default, ? or !", name)
		}
	}
	return f, nil
}

// only is the single value a type allows, which CUE takes for its default.
func only(t *model.Type) any {
	if t.Kind == model.Scalar && len(t.Alts) == 1 && len(t.Alts[0].Values) == 1 {
		return t.Alts[0].Values[0]
	}
	return nil
}

// doc is the text of the comment above a field.
func doc(f *ast.Field) string {
	var lines []string
	for _, g := range ast.Comments(f) {
		if g.Doc {
			for _, l := range g.List {
				lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(l.Text, "//"), " "))
			}
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// refuse says where something stands that the compiler does not understand.
func refuse(n ast.Node, format string, args ...any) error {
	p := n.Pos()
	return fmt.Errorf("%s:%s:%s: %s", p.Filename(), strconv.Itoa(p.Line()), strconv.Itoa(p.Column()), fmt.Sprintf(format, args...))
}
