package modelservice

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema/document"
)

// The kinds of the two systems.
const (
	APIVersion     = "llm-d.ai/v1alpha1"
	Kind           = "ModelService"
	LLMDAPIVersion = "llmd.opendatahub.io/v1alpha1"
	LLMDKind       = "LLMD"
)

// Options say how to convert.
type Options struct {
	Lossy          bool
	KeepController bool
}

// Convert turns each ModelService into a draft. The ConfigMaps among the documents
// are the base configurations it may refer to; an LLMD in its namespace gives it a
// gateway, a Redis and monitoring. The objects are the controllers that are kept.
func Convert(docs []document.Document, opt Options) (drafts []*draft.Draft, objects []*yaml.Node) {
	var llmds []*llmd
	var configs, services []document.Document
	for _, doc := range docs {
		switch doc.Kind {
		case LLMDKind:
			l := readLLMD(doc, opt)
			llmds, drafts = append(llmds, l), append(drafts, l.draft)
			objects = append(objects, l.controller(l.draft.Part(doc), opt)...)
		case Kind:
			services = append(services, doc)
		default:
			configs = append(configs, doc)
		}
	}
	for _, doc := range services {
		if l := llmdFor(llmds, doc); l != nil {
			l.serves = append(l.serves, doc)
		}
	}
	for _, doc := range services {
		d := draft.New(doc, opt.Lossy)
		drafts = append(drafts, d)
		var in ModelService
		if !d.Decoded(document.Decode(doc, &in)) {
			continue
		}
		m := &service{Part: d.Part(doc), spec: &in.Spec, configs: configs, llmd: llmdFor(llmds, doc)}
		if m.llmd != nil {
			m.first, m.llmd.made = !m.llmd.made, true
		}
		objects = append(objects, m.convert()...)
	}
	for _, l := range llmds {
		l.alone()
		l.idlePresets()
	}
	return drafts, unique(objects)
}

// llmdFor is the LLMD of a ModelService's namespace, or the only one of the input.
func llmdFor(llmds []*llmd, doc document.Document) *llmd {
	for _, l := range llmds {
		if l.namespace() == doc.Namespace {
			return l
		}
	}
	if len(llmds) == 1 {
		return llmds[0]
	}
	return nil
}

// unique leaves out what stands in a list twice.
func unique(objects []*yaml.Node) []*yaml.Node {
	seen := map[string]bool{}
	return slices.DeleteFunc(objects, func(n *yaml.Node) bool {
		text := draft.PrintNode(n)
		defer func() { seen[text] = true }()
		return seen[text]
	})
}

// alone warns of an LLMD that no ModelService of the input belongs to.
func (l *llmd) alone() {
	if len(l.serves) == 0 {
		l.draft.Part(l.doc).On("", "spec").Warn("an LLMD serves no model by itself: its gateway, Redis and monitoring come with the ModelServices of its namespace in the same input, and there is none")
	}
}

// readLLMD reads an LLMD. Its draft is not a stack; it carries the problems.
func readLLMD(doc document.Document, opt Options) *llmd {
	var in LLMD
	d := draft.New(doc, opt.Lossy)
	d.NoStack = true
	d.Decoded(document.Decode(doc, &in))
	return &llmd{doc: doc, spec: &in.Spec, draft: d}
}

// Groups are the ModelServices of an LLMD with it, the others each by itself.
func Groups(docs []document.Document) (out [][]document.Document) {
	var llmds []*llmd
	for _, doc := range docs {
		if doc.Kind == LLMDKind {
			llmds = append(llmds, readLLMD(doc, Options{}))
			out = append(out, []document.Document{doc})
		}
	}
	for _, doc := range docs {
		if doc.Kind != Kind {
			continue
		}
		if i := slices.Index(llmds, llmdFor(llmds, doc)); i >= 0 {
			out[i] = append(out[i], doc)
		} else {
			out = append(out, []document.Document{doc})
		}
	}
	return out
}
