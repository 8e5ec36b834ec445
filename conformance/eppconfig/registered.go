package eppconfig

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/conformance/gosource"
)

// registered is what a picker's source registers.
type registered struct {
	// plugins by type, with the types that their factories decode parameters into.
	plugins map[string][]types.Type
	gates   map[string]bool
	config  types.Type
}

// modules are those of the pickers.
var modules = []string{"sigs.k8s.io/gateway-api-inference-extension/", "github.com/llm-d/"}

// readSource finds the plugins that a picker in a folder registers.
func readSource(dir string) (*registered, error) {
	tree, err := gosource.Read(dir, modules...)
	if err != nil {
		return nil, err
	}
	packages, err := tree.Own()
	if err != nil {
		return nil, err
	}
	r := &registered{plugins: map[string][]types.Type{}, gates: map[string]bool{}}
	for _, p := range packages {
		if strings.HasSuffix(p.Types.Path(), "apix/config/v1alpha1") {
			r.config = p.Types.Scope().Lookup("EndpointPickerConfig").Type()
		}
		for _, file := range p.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					r.call(tree, p, call)
				}
				return true
			})
		}
	}
	return r, nil
}

// call takes note of a call that registers something.
func (r *registered) call(tree *gosource.Tree, p *gosource.Package, call *ast.CallExpr) {
	fn := callee(p, call)
	if fn == nil || len(call.Args) == 0 {
		return
	}
	value := p.Info.Types[call.Args[0]].Value
	if value == nil || value.Kind() != constant.String {
		return
	}
	name := constant.StringVal(value)
	path := fn.Pkg().Path()
	switch {
	case fn.Name() == "RegisterFeatureGate":
		r.gates[name] = true
	case strings.HasPrefix(fn.Name(), "Register") && (strings.HasSuffix(path, "/plugin") || strings.HasSuffix(path, "/plugins")):
		d := &decoding{tree: tree, seen: map[*ast.BlockStmt]bool{}}
		for _, arg := range call.Args[1:] {
			if _, ok := p.Info.Types[arg].Type.Underlying().(*types.Signature); ok {
				d.function(p, arg)
			}
		}
		r.plugins[name] = d.into
	}
}

// callee is the function that is called, or nil where it is no named one.
func callee(p *gosource.Package, call *ast.CallExpr) *types.Func {
	fn, _ := object(p, call.Fun).(*types.Func)
	return fn
}

func object(p *gosource.Package, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.Info.Uses[e]
	case *ast.SelectorExpr:
		return p.Info.Uses[e.Sel]
	case *ast.IndexExpr: // an instance of a generic function
		return object(p, e.X)
	}
	return nil
}

// decoding follows raw parameters through functions to where they are decoded.
type decoding struct {
	tree *gosource.Tree
	seen map[*ast.BlockStmt]bool
	into []types.Type
}

// function goes through a function that is named or written where it is given.
func (d *decoding) function(p *gosource.Package, e ast.Expr) {
	if lit, ok := e.(*ast.FuncLit); ok {
		d.body(p, lit.Body)
		return
	}
	if fn, ok := object(p, e).(*types.Func); ok {
		d.named(fn)
	}
}

func (d *decoding) named(fn *types.Func) {
	p := d.tree.Package(fn.Pkg().Path())
	if p == nil {
		return
	}
	for _, file := range p.Files {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && p.Info.Defs[f.Name] == fn.Origin() && f.Body != nil {
				d.body(p, f.Body)
			}
		}
	}
}

func (d *decoding) body(p *gosource.Package, body *ast.BlockStmt) {
	if d.seen[body] {
		return
	}
	d.seen[body] = true
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := callee(p, call)
		if fn == nil || fn.Pkg() == nil {
			return true
		}
		raw := slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return isRaw(p.Info.Types[e].Type) })
		switch {
		case fn.FullName() == "encoding/json.Unmarshal" && raw:
			d.decoded(p.Info.Types[call.Args[1]].Type)
		case fn.FullName() == "(*encoding/json.Decoder).Decode":
			d.decoded(p.Info.Types[call.Args[0]].Type)
		case raw:
			d.named(fn)
		}
		return true
	})
}

func (d *decoding) decoded(t types.Type) {
	for {
		pointer, ok := types.Unalias(t).(*types.Pointer)
		if !ok {
			break
		}
		t = pointer.Elem()
	}
	if !slices.ContainsFunc(d.into, func(other types.Type) bool { return types.Identical(t, other) }) {
		d.into = append(d.into, t)
	}
}

// isRaw reports whether a value is parameters that are not decoded.
func isRaw(t types.Type) bool {
	return t != nil && (strings.HasSuffix(t.String(), "encoding/json.RawMessage") || t.String() == "*encoding/json.Decoder")
}
