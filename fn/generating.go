package fn

import (
	"bytes"
	"io"
	"os"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/dialogue"
	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/origin"
)

// generating compiles the generators of the kustomizations that inferstack-build finds.
type generating struct {
	err  io.Writer
	made []product
}

// answer is what a generator makes, as the function would make it. What is wrong is reported.
func (g *generating) answer(asked dialogue.Generator) dialogue.Answer {
	list, err := listOf(asked)
	if err != nil {
		report(g.err, finding.List{problem("%s: %v", origin.Shown(asked.File), err)})
		return dialogue.Answer{Failed: true}
	}
	products, found := list.generate()
	report(g.err, capped(found))
	if failed(found) {
		return dialogue.Answer{Failed: true}
	}
	var out bytes.Buffer
	if err := manifest.WriteYAML(&out, objects(madeOf(products))); err != nil {
		report(g.err, finding.List{problem("%v", err)})
		return dialogue.Answer{Failed: true}
	}
	g.made = append(g.made, products...)
	return dialogue.Answer{Objects: out.String()}
}

// listOf is the ResourceList that kustomize would give the function.
func listOf(asked dialogue.Generator) (*resourceList, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(asked.Config), &doc); err != nil {
		return nil, err
	}
	config, err := krm.Of(&doc)
	if err != nil {
		return nil, err
	}
	list := &resourceList{config: config, items: []*krm.Object{config.Copy()}, file: origin.Shown(asked.File)}
	if asked.Origin != nil {
		list.from = lineages([]origin.Origin{*asked.Origin})
	}
	return list, nil
}

// shared is standard error as two processes write to it at the same time.
func shared(w io.Writer) io.Writer {
	if _, isFile := w.(*os.File); isFile {
		return w
	}
	return &locked{w: w}
}

type locked struct {
	sync.Mutex
	w io.Writer
}

func (l *locked) Write(text []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.w.Write(text)
}
