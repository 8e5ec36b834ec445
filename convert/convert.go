// Package convert turns the resources of existing llm-d systems into InferenceStacks:
// SimulatorDeployment, SchedulerInstall, InferenceScheduler, LLMD, ModelService, KServe's
// LLMInferenceService and the Helm values of the well-lit path. It knows what those systems deploy and what is
// wrong with it; how a stack becomes objects is not its business.
package convert

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/helm"
	"github.com/inferstack/inferstack/convert/kserve"
	"github.com/inferstack/inferstack/convert/modelservice"
	"github.com/inferstack/inferstack/convert/schedop"
	"github.com/inferstack/inferstack/convert/simop"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// Options say how to convert.
type Options struct {
	// Lossy leaves out what an InferenceStack cannot say, with a warning, instead of
	// refusing the document.
	Lossy bool
	// KeepController emits the ModelService controller where an LLMD asks for it.
	KeepController bool
	// NoEffect looks for fields that have no effect, by trying each value: for who converts for
	// good. It costs several times as much as the conversion.
	NoEffect bool
	// KServe is what KServe's controller reads from its cluster.
	KServe KServeCluster
}

// KServeCluster is the cluster of an LLMInferenceService.
type KServeCluster = kserve.Cluster

// Stack is a minimal InferenceStack with a comment on everything that had to change.
type Stack = draft.Stack

// Result is what became of some documents. The stacks are there only when no problem
// is an error.
type Result struct {
	Stacks []Stack
	// Objects are further Kubernetes objects that belong to the stacks.
	Objects []*yaml.Node
	// Problems are what was found, about the fields of the old documents.
	Problems schema.Problems
	// Rest holds the documents that are nothing of an old system.
	Rest []document.Document
}

// A system converts the documents of the kinds it knows.
type system struct {
	kinds   map[string][]string // apiVersions by kind, the newest first
	beside  []string            // further kinds that matter to it, which stay among the rest
	convert func(docs []document.Document, opt Options) converted
	// groups are the documents of which one may change what becomes of another, the
	// ones that others depend on first.
	groups func(docs []document.Document) [][]document.Document
	whole  bool // none of a group can be converted without all of it
}

type converted struct {
	drafts  []*draft.Draft
	objects []*yaml.Node
}

var systems = []system{
	{map[string][]string{simop.KindSimulator: {simop.APIVersion}, simop.KindInstall: {simop.APIVersion}}, nil, func(docs []document.Document, opt Options) converted {
		return converted{drafts: simop.Convert(docs, opt.Lossy)}
	}, simop.Groups, false},
	{map[string][]string{schedop.Kind: {schedop.APIVersion}}, nil, func(docs []document.Document, opt Options) converted {
		return converted{drafts: schedop.Convert(docs, opt.Lossy)}
	}, schedop.Groups, false},
	{map[string][]string{modelservice.Kind: {modelservice.APIVersion}, modelservice.LLMDKind: {modelservice.LLMDAPIVersion}}, []string{"ConfigMap"}, func(docs []document.Document, opt Options) converted {
		drafts, objects := modelservice.Convert(docs, modelservice.Options{Lossy: opt.Lossy, KeepController: opt.KeepController})
		return converted{drafts, objects}
	}, modelservice.Groups, false},
	{map[string][]string{kserve.Kind: {kserve.APIVersion, kserve.OldAPIVersion}, kserve.ConfigKind: {kserve.APIVersion, kserve.OldAPIVersion}}, []string{"ConfigMap", "Gateway"}, func(docs []document.Document, opt Options) converted {
		return converted{kserve.Convert(docs, kserve.Options{Lossy: opt.Lossy, Cluster: opt.KServe}), nil}
	}, kserve.Groups, true},
}

// Kinds lists the kinds that are converted.
func Kinds() (out []string) {
	for i := range systems {
		out = slices.AppendSeq(out, maps.Keys(systems[i].kinds))
	}
	slices.Sort(out)
	return out
}

// APIVersions lists those of the kinds that are converted.
func APIVersions() []string {
	var out []string
	for i := range systems {
		out = append(out, slices.Concat(slices.Collect(maps.Values(systems[i].kinds))...)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Known reports whether documents of this kind are converted.
func Known(apiVersion, kind string) bool {
	return systemOf(apiVersion, kind) != nil
}

func systemOf(apiVersion, kind string) *system {
	for i := range systems {
		if slices.Contains(systems[i].kinds[kind], apiVersion) {
			return &systems[i]
		}
	}
	return nil
}

// Convert turns documents of existing systems into InferenceStacks. Documents it does
// not know are returned untouched.
func Convert(docs []document.Document, opt Options) (r Result) {
	bySystem := map[*system][]document.Document{}
	for _, doc := range docs {
		if s := systemOf(doc.APIVersion, doc.Kind); s != nil {
			bySystem[s] = append(bySystem[s], doc)
		} else {
			r.Rest = append(r.Rest, doc)
		}
	}
	r.Problems = misspelt(r.Rest)
	for i := range systems {
		if known := bySystem[&systems[i]]; len(known) > 0 {
			r.add(systems[i].convert(slices.Concat(known, systems[i].referred(r.Rest)), opt))
		}
	}
	if opt.NoEffect && len(r.Problems.Errors()) == 0 {
		for i := range systems {
			r.without(&systems[i], bySystem[&systems[i]], opt)
		}
	}
	r.finish()
	return r
}

// without says which fields of the documents have no effect. Of a large group, each
// document is tried with the two that come first: what others share, or the first alone
// has, shows with them.
func (r *Result) without(s *system, docs []document.Document, opt Options) {
	referred := s.referred(r.Rest)
	for _, group := range s.groups(docs) {
		shared := group[:min(2, len(group))]
		if s.whole {
			shared = group
		}
		try := func(tried, beside []document.Document) {
			input := slices.Concat(beside, referred)
			r.Problems = append(r.Problems, effectless(tried, r.Problems, func() string { return s.convert(input, opt).print() })...)
		}
		try(shared, shared)
		for i := len(shared); i < len(group); i++ {
			try(group[i:i+1], slices.Concat(shared, group[i:i+1]))
		}
	}
}

// print is all that was converted, and all that is said about it.
func (c converted) print() string {
	var b strings.Builder
	for _, d := range c.drafts {
		b.WriteString(d.Print())
	}
	for _, o := range c.objects {
		b.WriteString(draft.PrintNode(o))
	}
	return b.String()
}

// referred are documents that one of the system may refer to. They stay among the rest.
func (s *system) referred(docs []document.Document) (out []document.Document) {
	for _, doc := range docs {
		group, _, grouped := strings.Cut(doc.APIVersion, "/")
		if slices.Contains(s.beside, doc.Kind) && (!grouped || group == "gateway.networking.k8s.io") {
			out = append(out, doc)
		}
	}
	return out
}

func (r *Result) add(c converted) {
	r.Objects = append(r.Objects, c.objects...)
	for _, d := range c.drafts {
		r.Problems = append(r.Problems, d.Problems...)
		if len(d.Problems.Errors()) == 0 && !d.NoStack {
			r.Stacks = append(r.Stacks, d.Stack())
		}
	}
}

// finish holds the stacks back when anything failed: half of an input is not an input. What
// is wrong with the others is said at once.
func (r *Result) finish() {
	if len(r.Problems.Errors()) > 0 {
		for _, s := range r.Stacks {
			_, problems := s.Parse()
			r.Problems = append(r.Problems, problems...)
		}
		r.Stacks, r.Objects = nil, nil
	}
	r.Problems.Sort()
}

// HelmValues are the values files of one installation of the well-lit path's charts.
type HelmValues = helm.Values

// HelmFile is one of them.
type HelmFile = helm.File

// Helm turns values files into one InferenceStack. The objects are those that the
// charts take from the values as they are.
func Helm(v HelmValues) (r Result) {
	in := helm.Read(v)
	again := func() converted {
		d, objects := in.Convert()
		return converted{[]*draft.Draft{d}, objects}
	}
	r.add(again())
	if len(r.Problems.Errors()) == 0 {
		r.Problems = append(r.Problems, effectless(in.Documents(), r.Problems, func() string { return again().print() })...)
	}
	for i, p := range r.Problems {
		r.Problems[i] = in.Relocate(p)
	}
	r.finish()
	return r
}

// HelmFlag says by which flag convert helm takes a file, and which chart's values it
// seems to hold. Of what is not a values file it says nothing.
func HelmFlag(data []byte) (flag, chart string) { return helm.Recognise(data) }

// HelmSetting says by which flags convert helm takes the charts that a setting, path=value, may be
// of.
func HelmSetting(text string) []string { return helm.Setting(text) }

// PoolChart takes the name of a chart that HelmValues.Pool may hold values of apart, behind which
// its release may stand, and reports whether there is one of that name.
func PoolChart(text string) (name, version string, known bool) { return helm.PoolChart(text) }

// PoolCharts are the charts that HelmValues.Pool may hold values of.
func PoolCharts() []string { return helm.PoolCharts() }
