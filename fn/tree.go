package fn

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/parallel"
	"github.com/inferstack/inferstack/schema/document"
)

// A tree is the kustomizations below a directory that has none itself, such as a repository
// of overlays.
type tree struct {
	dir string
	// files are the kustomizations, and refers the directories that they name, by the
	// directory of each.
	files  map[string]string
	refers map[string][]string
	// components are directories of what is only built into others.
	components map[string]bool
	// listed are the files that kustomizations name.
	listed map[string]bool
}

// treeOf looks for kustomizations, but not in hidden directories and Helm charts.
func treeOf(dir string) (*tree, error) {
	t := &tree{dir: dir, files: map[string]string{}, refers: map[string][]string{}, components: map[string]bool{}, listed: map[string]bool{}}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return plain(err)
		case name != dir && hidden(name):
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(name, "Chart.yaml")); err == nil {
			return fs.SkipDir
		}
		if file := kustomizationOf(name); file != "" {
			return t.add(name, file)
		}
		return nil
	})
	return t, err
}

// add reads what a kustomization refers to. What cannot be read kustomize will say.
func (t *tree) add(dir, file string) error {
	t.files[dir] = file
	data, err := os.ReadFile(file)
	if err != nil {
		return plain(err)
	}
	var doc yaml.Node
	if yaml.Unmarshal(data, &doc) != nil || document.Sound(&doc) != nil || len(doc.Content) == 0 {
		return nil
	}
	if kind := krm.Field(doc.Content[0], "kind"); kind != nil {
		t.components[dir] = kind.Value == "Component"
	}
	for _, key := range []string{"resources", "bases", "components", "generators", "transformers", "validators"} {
		if entries := krm.Field(doc.Content[0], key); entries != nil {
			for _, entry := range entries.Content {
				t.refers[dir] = append(t.refers[dir], sameFile(filepath.Join(dir, filepath.FromSlash(entry.Value))))
			}
		}
	}
	t.list(dir, &doc)
	return nil
}

// list notes the files that are named anywhere in a kustomization: as they are, or with a key.
func (t *tree) list(dir string, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && slices.Contains(manifestSuffixes, filepath.Ext(n.Value)) {
		_, name, keyed := strings.Cut(n.Value, "=")
		if !keyed {
			name = n.Value
		}
		t.listed[sameFile(filepath.Join(dir, filepath.FromSlash(name)))] = true
	}
	for _, child := range n.Content {
		t.list(dir, child)
	}
}

// sameFile is the one name of a file.
func sameFile(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// roots are the kustomizations that no other one of the tree refers to. Of those that refer to
// each other in a circle one is a root, for kustomize to refuse.
func (t *tree) roots() []string {
	at, referred := map[string]string{}, map[string]bool{}
	var dirs, roots []string
	for dir := range t.files {
		at[sameFile(dir)] = dir
		dirs = append(dirs, dir)
		for _, other := range t.refers[dir] {
			referred[other] = true
		}
	}
	slices.Sort(dirs)
	reached := map[string]bool{}
	var reach func(dir string)
	reach = func(dir string) {
		if dir == "" || reached[dir] {
			return
		}
		reached[dir] = true
		for _, other := range t.refers[dir] {
			reach(at[other])
		}
	}
	for _, wanted := range []func(string) bool{func(dir string) bool { return !referred[sameFile(dir)] }, func(string) bool { return true }} {
		for _, dir := range dirs {
			if !t.components[dir] && !reached[dir] && wanted(dir) {
				roots = append(roots, dir)
				reach(dir)
			}
		}
	}
	slices.Sort(roots)
	return roots
}

// loose reports whether a file is of no kustomization.
func (t *tree) loose(file string) bool {
	if t.listed[sameFile(file)] {
		return false
	}
	for dir := filepath.Dir(file); len(dir) >= len(t.dir); dir = filepath.Dir(dir) {
		if t.files[dir] != "" {
			return false
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return true
}

// openForest is openTree with what kustomizations make in place of their directories. What
// several of them say is said in the order of their names.
func openForest(dir string, std streams) ([]source, error) {
	dir = filepath.Clean(dir)
	sources, err := openTree(dir)
	if err != nil {
		return nil, err
	}
	t, err := treeOf(dir)
	if err != nil {
		return nil, err
	}
	if len(t.files) == 0 {
		return sources, nil
	}
	roots := t.roots()
	sources = slices.DeleteFunc(sources, func(src source) bool { return !t.loose(src.name) })
	type built struct {
		made []source
		said bytes.Buffer
		err  error
	}
	failed := false
	for i, b := range parallel.Map(len(roots), func(i int) *built {
		var b built
		b.made, _, b.err = kustomized(roots[i], streams{std.in, std.out, &b.said})
		return &b
	}) {
		_, _ = b.said.WriteTo(std.err)
		if b.err != nil && !errors.Is(b.err, errReported) {
			_, _ = fmt.Fprintln(std.err, "error:", told(b.err))
		}
		failed = failed || b.err != nil
		for j := range b.made {
			if within, err := filepath.Rel(dir, roots[i]); err == nil {
				b.made[j].within = filepath.ToSlash(within)
			}
		}
		sources = append(sources, b.made...)
	}
	if failed {
		return nil, errReported
	}
	return sources, nil
}
