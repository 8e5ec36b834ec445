package helm

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// Values are the values of one installation. A file that is not there has no content.
type Values struct {
	Infra, Pool, Model File
	// Postfix ends the release names infra-…, gaie-… and ms-….
	Postfix string
	// PoolChart is the chart of Pool, where its values do not say. Behind a hyphen, its release
	// may follow, as in inferencepool-v1.2.0.
	PoolChart string
	// Namespace is that of the releases.
	Namespace string
	Lossy     bool
}

// File is a values file of a chart.
type File struct {
	Name string
	Data []byte
	// Over are further ones, each over those before it. Set are settings as of helm's --set, over
	// all of them, SetAny those that name no chart, and SetString as of its --set-string, over those.
	Over                   []File
	Set, SetAny, SetString []string
	// Release is the name of the release. Default: infra-, gaie- or ms- and the postfix.
	Release string
}

// Add lays a further file over those that are there.
func (f *File) Add(file File) {
	if f.Name == "" {
		f.Name, f.Data = file.Name, file.Data
		return
	}
	f.Over = append(f.Over, file)
}

// Settings is how many settings there are beside the files.
func (f File) Settings() int { return len(f.Set) + len(f.SetAny) + len(f.SetString) }

// given reports whether the chart is installed.
func (f File) given() bool {
	return f.Data != nil || len(f.Over) > 0 || f.Settings() > 0
}

// Input is the values files, read.
type Input struct {
	values             Values
	infra, pool, model *document.Document // nil without a file
	problems           schema.Problems
	layers             map[string]layers // by flag
}

// Read reads the values files. What is wrong with them is said by Convert.
func Read(v Values) *Input {
	in := &Input{values: v, layers: map[string]layers{}}
	in.infra, in.pool, in.model = in.read(v.Infra, "--infra"), in.read(v.Pool, "--pool"), in.read(v.Model, "--modelservice")
	return in
}

// Documents are the values files that are there.
func (in *Input) Documents() (out []document.Document) {
	for _, doc := range []*document.Document{in.infra, in.pool, in.model} {
		if doc != nil {
			out = append(out, *doc)
		}
	}
	return out
}

func (in *Input) read(f File, flag string) *document.Document {
	if !f.given() {
		return nil
	}
	doc, problems := in.layered(f, flag)
	in.problems = append(in.problems, problems...)
	if len(problems.Errors()) == 0 {
		in.mistaken(&doc, flag)
	}
	return &doc
}

// release is an installation on its way into a draft; a part without a values file is
// nil.
type release struct {
	*draft.Draft
	in               *Input
	values           Values
	infra            *Infra
	pool             *Pool
	model            *Model
	infraPart        *draft.Part
	poolPart, msPart *draft.Part
	router           *RouterValues // when the pool is a router chart's
	routerPart       *draft.Part
	objects          []*yaml.Node
	own              bool   // the chart of the servers makes the pool and the EPP
	version          string // of the chart of the pool, where it is said
}

// Convert turns the values into one draft, and the extra objects of the charts.
func (in *Input) Convert() (*draft.Draft, []*yaml.Node) {
	v := in.values
	doc := document.Document{Name: v.Postfix, Namespace: v.Namespace, Node: &yaml.Node{Kind: yaml.MappingNode}}
	if docs := in.Documents(); len(docs) > 0 {
		last := docs[len(docs)-1]
		doc.Source, doc.Node = last.Source, last.Node
	}
	r := &release{Draft: draft.New(doc, v.Lossy), in: in, values: v}
	r.Relocate = in.Relocate
	if v.Namespace == "" {
		r.Remedies = map[string]string{"metadata.namespace": "--namespace (-n) names that of the releases"}
	}
	r.values.PoolChart, r.version, _ = PoolChart(v.PoolChart)
	r.Problems = slices.Clone(in.problems)
	if len(r.Problems.Errors()) > 0 {
		return r.Draft, nil
	}
	if in.infra != nil {
		r.infra = new(Infra)
		r.infraPart = r.read(in.infra, r.infra)
	}
	if in.pool != nil {
		r.pool = new(Pool)
		r.readPool(in.pool)
	}
	if in.model != nil {
		r.model = new(Model)
		r.msPart = r.read(in.model, r.model)
		r.claimed()
	}
	if len(r.Problems.Errors()) > 0 {
		return r.Draft, nil
	}
	r.olderRouting()
	r.installedAs()
	r.follow()
	r.servers()
	r.picker()
	r.gateway()
	r.routerRest()
	r.monitoring()
	r.near()
	r.nowhere()
	return r.Draft, r.objects
}

// nowhere says what is missing where values are evaluated without the releases' namespace.
func (r *release) nowhere() {
	for _, doc := range r.in.Documents() {
		if r.values.Namespace != "" || !mentions(doc.Node, ".Release.Namespace") {
			continue
		}
		r.Part(doc).On("", "").Warn("a template refers to .Release.Namespace, which is empty here; --namespace names it")
	}
}

// mentions reports whether a text of a tree has a word.
func mentions(n *yaml.Node, word string) bool {
	if n.Kind == yaml.ScalarNode {
		return strings.Contains(n.Value, word)
	}
	return slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return mentions(c, word) })
}

// near says where to look when something is wrong with a part of the stack that the
// values do not speak of.
func (r *release) near() {
	for _, n := range []struct {
		part *draft.Part
		at   []string // a part of the stack and a section of the values, in turn
	}{
		{r.msPart, []string{
			"spec.decode", "decode", "spec.prefill", "prefill", "spec.kvTransfer", "prefill", "spec.model", "modelArtifacts",
			"spec.server.accelerator", "accelerator", "spec.decode.accelerator", "decode.accelerator", "spec.prefill.accelerator", "prefill.accelerator",
		}},
		{r.poolPart, []string{schedulerSection, extensionSection, "spec.pool", "inferencePool", "spec.route", "experimentalHttpRoute"}},
		{r.infraPart, []string{gatewaySection, "gateway", "spec.route", "gateway"}},
	} {
		for i := 0; n.part != nil && i < len(n.at); i += 2 {
			n.part.Near(n.at[i], n.at[i+1])
		}
	}
}

// read decodes a values file, with the templates in it evaluated as the charts do.
func (r *release) read(file *document.Document, into any) *draft.Part {
	doc := *file
	doc.Node = duplicate(file.Node)
	p := r.Part(doc)
	var values map[string]any
	if err := doc.Node.Decode(&values); err != nil {
		p.On("", "").Fail("a mapping of the file has a key that is not text")
		return p
	}
	chart := chartOf(into)
	overlook(p, chart, doc.Node, "", "")
	r.dated(p, chart)
	r.scope(p, chart, chart.withDefaults(values)).evaluate(doc.Node, "")
	r.Decoded(document.Decode(doc, into))
	return p
}

// duplicate copies a tree, positions included; what an alias stands for is copied to
// where it stands.
func duplicate(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return duplicate(n.Alias)
	}
	out := *n
	out.Anchor = ""
	out.Content = make([]*yaml.Node, len(n.Content))
	for i, c := range n.Content {
		out.Content[i] = duplicate(c)
	}
	return &out
}
