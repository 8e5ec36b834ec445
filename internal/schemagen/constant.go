package main

import (
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/token"
)

// constant is the Go value of a literal: string, int64, float64, bool or []any.
func constant(e ast.Expr) (any, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return constant(e.X)
	case *ast.UnaryExpr:
		v, err := constant(e.X)
		if e.Op == token.SUB && err == nil {
			switch v := v.(type) {
			case int64:
				return -v, nil
			case float64:
				return -v, nil
			}
		}
	case *ast.ListLit:
		out := []any{}
		for _, x := range e.Elts {
			v, err := constant(x)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	case *ast.BasicLit:
		return basicLit(e)
	}
	return nil, refuse(e, "a literal is needed here")
}

func basicLit(e *ast.BasicLit) (any, error) {
	switch e.Kind {
	case token.TRUE, token.FALSE:
		return e.Kind == token.TRUE, nil
	case token.STRING:
		return literal.Unquote(e.Value)
	case token.INT, token.FLOAT:
		var n literal.NumInfo
		if err := literal.ParseNum(e.Value, &n); err != nil {
			return nil, refuse(e, "%v", err)
		}
		return number(&n)
	}
	return nil, refuse(e, "this literal is outside the schema's dialect")
}
