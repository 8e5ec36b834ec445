package delivery

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// An UpstreamCase is a file tree that one of kustomize's own tests builds.
type UpstreamCase struct {
	Name  string
	Files map[string]string // by slash-separated path below the root
	Roots []string          // the kustomizations, sorted
}

// headers are what kustomize's test harness writes before the text that a test gives it
// (sigs.k8s.io/kustomize/api v0.21.2 testutils/kusttest/harness.go).
var headers = map[string]string{
	"WriteK": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
	"WriteC": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n",
	"WriteF": "",
}

// UpstreamCases reads the trees out of kustomize's tests in a directory. Of a test, the files
// that are written out in it are read; a tree that a test computes is not to be had.
func UpstreamCases(t testing.TB, dir string) []UpstreamCase {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []UpstreamCase
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
				if c := upstreamCase(f); len(c.Roots) > 0 {
					cases = append(cases, c)
				}
			}
		}
	}
	return cases
}

func upstreamCase(f *ast.FuncDecl) UpstreamCase {
	c := UpstreamCase{Name: f.Name.Name, Files: map[string]string{}}
	roots := map[string]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		header, ok := headers[method.Sel.Name]
		name, named := literal(call.Args[0])
		text, written := literal(call.Args[1])
		if !ok || !named || !written {
			return true
		}
		name = path.Join("/", name)
		if method.Sel.Name != "WriteF" {
			roots[name] = true
			name = path.Join(name, "kustomization.yaml")
		}
		c.Files[name] = header + text
		return true
	})
	c.Roots = slices.Sorted(maps.Keys(roots))
	return c
}

// literal is the value of a string that is written out.
func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
