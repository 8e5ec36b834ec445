package release

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	// A text that is a version and nothing else, or a container image with one.
	version = regexp.MustCompile(`^v?\d+\.\d+(\.\d+)?$`)
	tagged  = regexp.MustCompile(`[a-z0-9.-]+/[a-z0-9._/-]+:v?\d+\.\d+`)
	// Folders whose code is not the product's.
	elsewhere = map[string]bool{"release": true, "conformance": true, "internal": true, "hack": true, "testdata": true, ".git": true, "docs": true, "bin": true}
	// What looks like a version and is something else.
	numbers = map[string]string{
		"generators/monitoring":      "quantiles and thresholds",
		"convert/members.go":         "a number that differs from another",
		"convert/helm/monitoring.go": "shares of sampled requests",
		"wiring/sarif.go":            "the version of the SARIF format",
	}
)

// TestVersionsStandHere finds versions of lines, of images and of upstream projects in code
// outside of the catalogue.
func TestVersionsStandHere(t *testing.T) {
	read := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel("..", path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && elsewhere[d.Name()]:
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".gen.go"):
			return nil
		}
		read++
		for _, text := range literals(t, path) {
			if (version.MatchString(text) || tagged.MatchString(text)) && numbers[name] == "" && numbers[filepath.Dir(name)] == "" {
				t.Errorf("%s: %q is a version; it belongs into release/", name, text)
			}
		}
		return nil
	})
	if err != nil || read < 100 {
		t.Fatal(read, err)
	}
}

func literals(t *testing.T, path string) []string {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			text, _ := strconv.Unquote(l.Value)
			out = append(out, text)
		}
		return true
	})
	return out
}
