package policy

import (
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/verdict"
)

// written are the fields that a file names, also under conditions that do not hold, in alternatives and
// for elements of lists that are empty.
func written(file *ast.File) (out []verdict.Name) {
	var walk func(n ast.Node, at []string)
	walk = func(n ast.Node, at []string) {
		if f, ok := n.(*ast.Field); ok {
			name, ok := public(f.Label)
			if !ok {
				return
			}
			at = append(slices.Clip(at), name)
			pos := f.Label.Pos()
			out = append(out, verdict.Name{Steps: at, File: file.Filename, Line: pos.Line(), Column: pos.Column()})
		}
		for _, inner := range parts(n) {
			walk(inner, at)
		}
	}
	walk(file, nil)
	return out
}

// public is the name of a field, unless that is hidden, a definition or made by an expression.
func public(label ast.Label) (string, bool) {
	if alias, ok := label.(*ast.Alias); ok {
		label, _ = alias.Expr.(ast.Label)
	}
	name, ident, err := ast.LabelName(label)
	return name, err == nil && (!ident || !strings.ContainsAny(name[:1], "_#"))
}

// parts are the nodes in another that say something of the same field.
func parts(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.File:
		return nodes(n.Decls)
	case *ast.Field:
		return []ast.Node{n.Value}
	case *ast.StructLit:
		return nodes(n.Elts)
	case *ast.ListLit:
		return nodes(n.Elts)
	case *ast.EmbedDecl:
		return []ast.Node{n.Expr}
	case *ast.Comprehension:
		return []ast.Node{n.Value}
	case *ast.Ellipsis:
		if n.Type != nil {
			return []ast.Node{n.Type}
		}
	case *ast.ParenExpr:
		return []ast.Node{n.X}
	case *ast.UnaryExpr:
		return []ast.Node{n.X}
	case *ast.BinaryExpr:
		return []ast.Node{n.X, n.Y}
	case *ast.Alias:
		return []ast.Node{n.Expr}
	}
	return nil
}

func nodes[T ast.Node](list []T) []ast.Node {
	return lists.Map(list, func(n T) ast.Node { return n })
}
