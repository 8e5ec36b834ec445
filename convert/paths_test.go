package convert

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
)

// writers are the methods of a draft whose first argument is a path of the stack.
var writers = []string{"Set", "Append", "On"}

// TestPathsExist holds that each path that a converter writes, or names in a message, is one of the schema, which
// the compiler cannot see. What stands between literals may be the name of a role.
func TestPathsExist(t *testing.T) {
	paths := 0
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		source, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(source, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains(writers, method.Sel.Name) {
				return true
			}
			if path := stackPath(call.Args[0]); path != "" {
				paths++
				if !inSchema(path) {
					t.Errorf("%s: %s is no path of a stack", set.Position(call.Pos()), path)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if paths < 300 {
		t.Errorf("only %d paths", paths)
	}
}

// unknown stands for what is not a literal.
const unknown = "\x00"

// stackPath is the path that an expression makes, as far as it is literal, or "" where it is of nothing in a stack's
// spec.
func stackPath(e ast.Expr) string {
	text := literals(e)
	if text != "spec" && !strings.HasPrefix(text, "spec.") {
		return ""
	}
	return strings.TrimSuffix(text, ".")
}

func literals(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		return literals(e.X) + literals(e.Y)
	case *ast.ParenExpr:
		return literals(e.X)
	}
	return unknown
}

// inSchema tries the roles for what stands first, and ends at anything else that is not a literal.
func inSchema(path string) bool {
	for _, role := range []string{"decode", "prefill", "encode"} {
		known, _, cut := strings.Cut(strings.Replace(path, "spec."+unknown, "spec."+role, 1), unknown)
		if cut { // perhaps within a name
			known = known[:strings.LastIndexAny(known, ".[")]
		}
		if _, err := document.Describe(known); err == nil {
			return true
		}
	}
	return false
}
