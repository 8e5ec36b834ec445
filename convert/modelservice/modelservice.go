package modelservice

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema"
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
func Convert(docs []schema.Document, opt Options) (drafts []*draft.Draft, objects []*yaml.Node) {
	var llmds []*llmd
	var configs, services []schema.Document
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
		d := draft.New(doc, opt.Lossy)
		drafts = append(drafts, d)
		var in ModelService
		if !d.Decoded(schema.Decode(doc, &in)) {
			continue
		}
		m := &service{Part: d.Part(doc), spec: &in.Spec, configs: configs}
		if i := slices.IndexFunc(llmds, func(l *llmd) bool { return l.namespace() == doc.Namespace }); i >= 0 {
			m.llmd, m.first = llmds[i], !llmds[i].used
			llmds[i].used = true
		}
		m.convert()
	}
	for _, l := range llmds {
		if !l.used {
			l.draft.Part(l.doc).On("", "spec").Warn("an LLMD serves no model by itself: its gateway, Redis and monitoring come with the ModelServices of its namespace in the same input, and there is none")
		}
	}
	return drafts, objects
}

// readLLMD reads an LLMD. Its draft is no stack; it carries the problems.
func readLLMD(doc schema.Document, opt Options) *llmd {
	var in LLMD
	d := draft.New(doc, opt.Lossy)
	d.NoStack = true
	d.Decoded(schema.Decode(doc, &in))
	p := d.Part(doc)
	for i, name := range in.Spec.ConfigMapPresets {
		if !slices.Contains(presetNames, name) {
			p.On("", fmt.Sprintf("spec.configMapPresets[%d]", i)).Fail("no preset %q; there are %s", name, strings.Join(presetNames, ", "))
		}
	}
	return &llmd{doc: doc, spec: &in.Spec, draft: d}
}

// Groups are the ModelServices of an LLMD with it, the others each by itself.
func Groups(docs []schema.Document) [][]schema.Document {
	var out [][]schema.Document
	at := map[string]int{} // the LLMD's group, by namespace
	for _, doc := range docs {
		if doc.Kind == LLMDKind {
			at[readLLMD(doc, Options{}).namespace()] = len(out)
			out = append(out, []schema.Document{doc})
		}
	}
	for _, doc := range docs {
		if doc.Kind != Kind {
			continue
		}
		if i, ok := at[doc.Namespace]; ok {
			out[i] = append(out[i], doc)
		} else {
			out = append(out, []schema.Document{doc})
		}
	}
	return out
}
