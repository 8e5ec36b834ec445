package fn

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/blockyaml"
	"github.com/inferstack/inferstack/internal/dialogue"
	"github.com/inferstack/inferstack/internal/origin"
	"github.com/inferstack/inferstack/schema/document"
)

// A guess is a question that inferstack-build will most likely ask. It is answered while that starts, which
// takes as long as compiling a stack; of one that is not asked nobody hears.
type guess struct {
	asked    dialogue.Generator
	done     chan struct{}
	products []product
	found    finding.List
	err      error
}

// guesses are made at the same time as the builder starts.
type guesses struct {
	made chan struct{}
	all  []*guess
}

// guessing answers what is likely to be asked of a kustomization, one after the other.
func guessing(dir string) *guesses {
	g := &guesses{made: make(chan struct{})}
	go func() {
		for _, asked := range likely(dir) {
			g.all = append(g.all, &guess{asked: asked, done: make(chan struct{})})
		}
		close(g.made)
		for _, guess := range g.all {
			guess.products, guess.found, guess.err = answered(guess.asked)
			close(guess.done)
		}
	}()
	return g
}

// compiled is what a generator makes, whether it was guessed or not.
func (g *guesses) compiled(asked dialogue.Generator) ([]product, finding.List, error) {
	<-g.made
	for _, guess := range g.all {
		if reflect.DeepEqual(guess.asked, asked) {
			<-guess.done
			return guess.products, guess.found, guess.err
		}
	}
	return answered(asked)
}

// answered is what a generator makes.
func answered(asked dialogue.Generator) ([]product, finding.List, error) {
	list, err := listOf(asked)
	if err != nil {
		return nil, nil, err
	}
	products, found := list.generate()
	return products, found, nil
}

// likely are the questions of stacks in files, which a kustomization and those that it builds upon list as
// generators. What makes them others, such as patches in a directory under generators, is left to kustomize.
func likely(dir string) (out []dialogue.Generator) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	visited := map[string]bool{}
	var visit func(dir string)
	visit = func(dir string) {
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil || visited[dir] {
			return
		}
		visited[dir] = true
		file := kustomizationOf(dir)
		if file == "" {
			return
		}
		resources, generators := entriesOf(file)
		for _, entry := range resources {
			visit(filepath.Join(dir, entry))
		}
		for _, entry := range generators {
			out = append(out, stacksIn(filepath.Join(dir, entry), file)...)
		}
	}
	visit(root)
	return out
}

// entriesOf are the entries of a kustomization that may be a directory, and the generators that may be a file.
func entriesOf(kustomization string) (resources, generators []string) {
	var k struct{ Resources, Components, Generators []string }
	if data, ok := regular(kustomization); !ok || !decodeKustomization(data, &k) {
		return nil, nil
	}
	file := func(entry string) bool { return !strings.Contains(entry, "\n") && filepath.IsLocal(entry) }
	return append(k.Resources, k.Components...), slices.DeleteFunc(k.Generators, func(entry string) bool { return !file(entry) })
}

// stacksIn are the questions of the stacks in a file that a kustomization lists as a generator.
func stacksIn(file, kustomization string) (out []dialogue.Generator) {
	data, ok := regular(file)
	if !ok {
		return nil
	}
	docs, _ := document.Read("", data) // what is wrong is said of what is asked
	for _, doc := range docs {
		if !doc.IsStack() || document.Sound(doc.Node) != nil {
			continue
		}
		if text, ok := blockyaml.AppendSorted(nil, doc.Node); ok {
			out = append(out, dialogue.Generator{
				Config: string(text),
				Origin: &origin.Origin{Kind: doc.Kind, Namespace: doc.Namespace, Name: doc.Name, File: file},
				File:   kustomization,
			})
		}
	}
	return out
}
