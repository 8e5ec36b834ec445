package main

import (
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/inferstack/inferstack/internal/model"
)

var basics = map[string]model.Basic{
	"string": model.String, "int": model.Int, "number": model.Int | model.Number, "bool": model.Bool,
}

// expr compiles an expression. path names a struct literal inside it.
func (c *compiler) expr(path string, e ast.Expr) (value, error) {
	switch e := e.(type) {
	case *ast.Ident:
		return c.ident(e)
	case *ast.BasicLit:
		v, err := constant(e)
		return value{typ: literalType(v)}, err
	case *ast.ParenExpr:
		return c.expr(path, e.X)
	case *ast.UnaryExpr:
		return c.unary(e)
	case *ast.BinaryExpr:
		return c.binary(path, e)
	case *ast.CallExpr:
		return c.call(e)
	case *ast.ListLit:
		return c.list(path, e)
	case *ast.StructLit:
		return c.mapping(path, e)
	}
	return value{}, refuse(e, "this form of expression is outside the schema's dialect")
}

func (c *compiler) ident(e *ast.Ident) (value, error) {
	if b, ok := basics[e.Name]; ok {
		return value{typ: scalar(model.Alt{Basic: b})}, nil
	}
	switch {
	case e.Name == "_":
		return value{typ: &model.Type{Kind: model.Any}}, nil
	case strings.HasPrefix(e.Name, "#"):
		return c.definition(e.Name[1:], e)
	}
	return value{}, refuse(e, "%s is outside the schema's dialect", e.Name)
}

func (c *compiler) unary(e *ast.UnaryExpr) (value, error) {
	if e.Op == token.MUL {
		return value{}, refuse(e, "a default mark belongs in a disjunction")
	}
	if e.Op == token.SUB {
		v, err := constant(e)
		return value{typ: literalType(v)}, err
	}
	v, err := constant(e.X)
	if err != nil {
		return value{}, err
	}
	alt, ok := constraint(e.Op, v)
	if !ok {
		return value{}, refuse(e, "%s cannot be combined with this operand", e.Op)
	}
	return value{typ: scalar(alt)}, nil
}

// constraint is the alternative that an operator and its operand stand for.
func constraint(op token.Token, v any) (model.Alt, bool) {
	if s, ok := v.(string); ok {
		switch op {
		case token.MAT:
			return model.Alt{Basic: model.String, Patterns: []model.Pattern{{Expr: s}}}, true
		case token.NMAT:
			return model.Alt{Basic: model.String, Patterns: []model.Pattern{{Expr: s, Negate: true}}}, true
		case token.NEQ:
			return model.Alt{Basic: model.String, Not: []any{s}}, true
		}
		return model.Alt{}, false
	}
	at, ok := toFloat(v)
	if !ok {
		return model.Alt{}, false
	}
	alt := model.Alt{Basic: model.Int | model.Number}
	switch op {
	case token.GEQ, token.GTR:
		alt.Min = model.Bound{Set: true, At: at, Open: op == token.GTR}
	case token.LEQ, token.LSS:
		alt.Max = model.Bound{Set: true, At: at, Open: op == token.LSS}
	default:
		return model.Alt{}, false
	}
	return alt, true
}

func (c *compiler) binary(path string, e *ast.BinaryExpr) (value, error) {
	switch e.Op {
	case token.AND:
		x, err := c.expr(path, e.X)
		if err != nil {
			return value{}, err
		}
		y, err := c.expr(path, e.Y)
		if err != nil {
			return value{}, err
		}
		t, err := both(x.typ, y.typ)
		if err != nil {
			return value{}, refuse(e, "%s", err)
		}
		if x.def != nil && y.def != nil {
			return value{}, refuse(e, "two defaults")
		}
		if x.def == nil {
			x.def = y.def
		}
		return value{t, x.def}, nil
	case token.OR:
		return c.disjunction(path, e)
	}
	return value{}, refuse(e, "operator %s is outside the schema's dialect", e.Op)
}

// disjunction compiles a | b | …, of scalars, or a marked default list beside a list type.
func (c *compiler) disjunction(path string, e *ast.BinaryExpr) (value, error) {
	var out value
	for _, m := range members(e) {
		if u, ok := m.(*ast.UnaryExpr); ok && u.Op == token.MUL {
			v, err := constant(u.X)
			if err != nil {
				return value{}, err
			}
			if out.def != nil {
				return value{}, refuse(m, "two defaults")
			}
			out.def = v
			continue
		}
		v, err := c.expr(path, m)
		if err != nil {
			return value{}, err
		}
		if v.def != nil {
			return value{}, refuse(m, "a default inside a disjunction")
		}
		if out.typ, err = either(out.typ, v.typ); err != nil {
			return value{}, refuse(m, "%s", err)
		}
	}
	if out.def != nil {
		out.typ = withDefault(out.typ, out.def)
	}
	return out, nil
}

func members(e ast.Expr) []ast.Expr {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.OR {
		return append(members(b.X), members(b.Y)...)
	}
	return []ast.Expr{e}
}

func (c *compiler) call(e *ast.CallExpr) (value, error) {
	sel, ok := e.Fun.(*ast.SelectorExpr)
	if !ok || len(e.Args) != 1 {
		return value{}, refuse(e, "this call is outside the schema's dialect")
	}
	pkg, _ := sel.X.(*ast.Ident)
	fn, _, _ := ast.LabelName(sel.Sel)
	arg, err := constant(e.Args[0])
	if err != nil {
		return value{}, err
	}
	n, ok := arg.(int64)
	if pkg != nil && ok {
		switch pkg.Name + "." + fn {
		case "strings.MaxRunes":
			return value{typ: scalar(model.Alt{Basic: model.String, MaxRunes: int(n)})}, nil
		case "strings.MinRunes":
			return value{typ: scalar(model.Alt{Basic: model.String, MinRunes: int(n)})}, nil
		case "list.MaxItems":
			return value{typ: &model.Type{Kind: model.List, MaxItems: int(n)}}, nil
		case "list.MinItems":
			return value{typ: &model.Type{Kind: model.List, MinItems: int(n)}}, nil
		}
	}
	return value{}, refuse(e, "this call is outside the schema's dialect")
}

func (c *compiler) list(path string, e *ast.ListLit) (value, error) {
	if len(e.Elts) == 1 {
		if dots, ok := e.Elts[0].(*ast.Ellipsis); ok && dots.Type != nil {
			v, err := c.expr(path, dots.Type)
			return value{typ: &model.Type{Kind: model.List, Elem: v.typ}}, err
		}
	}
	return value{}, refuse(e, "a list is written [...T]")
}

// mapping compiles {...}, {[K]: V} and a struct with known fields.
func (c *compiler) mapping(path string, e *ast.StructLit) (value, error) {
	if len(e.Elts) == 1 {
		switch d := e.Elts[0].(type) {
		case *ast.Ellipsis:
			if d.Type == nil {
				return value{typ: &model.Type{Kind: model.Object}}, nil
			}
		case *ast.Field:
			if l, ok := d.Label.(*ast.ListLit); ok && len(l.Elts) == 1 {
				return c.dictionary(path, l.Elts[0], d)
			}
		}
	}
	t, err := c.structure(path, e)
	return value{typ: t}, err
}

func (c *compiler) dictionary(path string, key ast.Expr, d *ast.Field) (value, error) {
	k, err := c.expr(path, key)
	if err != nil {
		return value{}, err
	}
	if k.typ.Kind != model.Scalar || k.typ.Basics() != model.String {
		return value{}, refuse(d, "the keys of a map must be strings")
	}
	v, err := c.fieldValue(path, d)
	return value{typ: &model.Type{Kind: model.Map, Key: k.typ, Elem: v.typ}}, err
}
