// Package gosource reads the Go source of the components' modules with its types, without building anything.
package gosource

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir   string
	GoFiles, CgoFiles []string
	ImportMap         map[string]string
}

// A Tree is the packages that a program is linked from.
type Tree struct {
	fset     *token.FileSet
	own      []string
	listed   map[string]*listed
	checked  map[string]*types.Package
	packages map[string]*Package
}

// A Package is one whose functions are read as well.
type Package struct {
	Types *types.Package
	Files []*ast.File
	Info  *types.Info
}

// Read lists what the program in a folder is linked from. Functions are read of the packages under the given paths.
func Read(dir string, own ...string) (*Tree, error) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,CgoFiles,ImportMap", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w\n%s", dir, err, stderr.String())
	}
	t := &Tree{fset: token.NewFileSet(), own: own, listed: map[string]*listed{}, checked: map[string]*types.Package{}, packages: map[string]*Package{}}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return t, nil
		} else if err != nil {
			return nil, err
		}
		t.listed[p.ImportPath] = &p
	}
}

// Own returns the packages whose functions are read, in order.
func (t *Tree) Own() ([]*Package, error) {
	var all []*Package
	for _, path := range slices.Sorted(maps.Keys(t.listed)) {
		if !t.isOwn(path) {
			continue
		}
		if _, err := t.check(path); err != nil {
			return nil, err
		}
		all = append(all, t.packages[path])
	}
	return all, nil
}

// Package returns one of those, or nil.
func (t *Tree) Package(path string) *Package { return t.packages[path] }

func (t *Tree) isOwn(path string) bool {
	return slices.ContainsFunc(t.own, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}

// check reads a package and those that it imports. What C code would bring stays unknown.
func (t *Tree) check(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := t.checked[path]; p != nil {
		return p, nil
	}
	l := t.listed[path]
	if l == nil {
		return nil, fmt.Errorf("package %s is not linked", path)
	}
	p := &Package{Info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}}
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
		file, err := parser.ParseFile(t.fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, file)
	}
	conf := types.Config{Importer: importer{t, l}, Error: func(error) {}, IgnoreFuncBodies: !t.isOwn(path), FakeImportC: true}
	var info *types.Info
	if t.isOwn(path) {
		info = p.Info
	}
	p.Types, _ = conf.Check(path, t.fset, p.Files, info) // errors are C's, whose types are not there
	t.checked[path] = p.Types
	if info != nil {
		t.packages[path] = p
	}
	return p.Types, nil
}

// importer finds what a package imports, under the names that it has there.
type importer struct {
	tree *Tree
	of   *listed
}

func (i importer) Import(path string) (*types.Package, error) {
	if mapped := i.of.ImportMap[path]; mapped != "" {
		path = mapped
	}
	return i.tree.check(path)
}
