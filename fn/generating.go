package fn

import (
	"bytes"
	"io"
	"os"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/dialogue"
	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/origin"
	"github.com/inferstack/inferstack/schema/document"
)

// generating compiles the generators of the kustomizations that inferstack-build finds.
type generating struct {
	err  io.Writer
	made []product
	// later are findings on stacks without a namespace, which a kustomization may fill in.
	later   finding.List
	guesses *guesses
}

// answer is what a generator makes, as the function would make it. What is wrong is reported.
func (g *generating) answer(asked dialogue.Generator) dialogue.Answer {
	products, found, err := g.guesses.compiled(asked)
	if err != nil {
		report(g.err, finding.List{problem("%s: %v", origin.Shown(asked.File), err)})
		return dialogue.Answer{Failed: true}
	}
	found = slices.DeleteFunc(found, func(f finding.Finding) bool {
		unset := f.Severity == finding.Info && f.Path == "metadata.namespace"
		if unset {
			g.later = append(g.later, f)
		}
		return unset
	})
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

// finish reports of what was built what is known only now.
func (g *generating) finish(built dialogue.Built) {
	var found finding.List
	if len(g.later) > 0 {
		docs, _ := document.Read("", []byte(built.Text))
		if slices.ContainsFunc(docs, func(doc document.Document) bool { return doc.Kind == "RoleBinding" && doc.Namespace == "" }) {
			found = g.later
		}
	}
	for _, text := range built.Warnings {
		found = append(found, finding.New(finding.Warning, "", "%s", text))
	}
	report(g.err, found)
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
