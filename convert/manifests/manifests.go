// Package manifests finds the InferenceStack that makes given Kubernetes objects. It
// proposes what each field could say, as the objects have it, lets the generators make
// the objects of the proposal, and keeps what brings them nearer to those that are there.
// A result is therefore proved as far as it goes: what is left of the difference is known.
package manifests

import (
	"reflect"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/diff"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/internal/miswired"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
	"github.com/inferstack/inferstack/wiring"
)

// Options say how to convert.
type Options struct {
	// Adopt gives pods nothing beside what they have, except the labels that a stack selects by.
	Adopt bool
}

// A Stack is what was found for one InferencePool.
type Stack struct {
	Node *yaml.Node
	// Pool is the InferencePool that it was found for, or the servers without one.
	Pool document.Document
	// Left are the differences between the objects that are there and those that the
	// stack makes.
	Left []diff.Difference
	// Kept are objects that the stack refers to and does not make: they must stay.
	Kept []string
}

// Result is what became of some objects.
type Result struct {
	Stacks   []Stack
	Problems schema.Problems
	// Alone are the objects that belong to no InferencePool.
	Alone []document.Document
}

// Convert finds the stacks of the InferencePools among the documents, or of the model servers
// where there is no pool.
func Convert(docs []document.Document, opt Options) (r Result) {
	docs = slices.DeleteFunc(slices.Clone(docs), func(d document.Document) bool {
		if owned(d) {
			r.Alone = append(r.Alone, d)
			return true
		}
		return false
	})
	if docs, r.Problems = once(docs); len(r.Problems) > 0 {
		return r
	}
	in := read(docs, nil)
	groups := in.groups()
	if apart := loose(groups); len(apart) > 0 {
		in = read(docs, apart)
		groups = in.groups()
	}
	for _, d := range in.docs {
		if !slices.ContainsFunc(groups, func(g *group) bool { return g.has(d.ref) }) {
			r.Alone = append(r.Alone, d.Document)
		}
	}
	for _, g := range groups {
		r.Problems = append(r.Problems, g.problems()...)
	}
	for _, s := range in.sets {
		r.Problems = append(r.Problems, s.problems()...)
	}
	if len(groups) == 0 && len(docs) > 0 {
		r.Problems = append(r.Problems, schema.Problem{Severity: schema.Error, Message: "no InferencePool found: a stack is made for a pool, with its servers and its EPP, or for servers without either"})
	}
	if len(r.Problems.Errors()) > 0 {
		return r
	}
	for _, g := range groups {
		stack, problems := g.stack(opt)
		r.Problems = append(r.Problems, problems...)
		if stack != nil {
			r.Stacks = append(r.Stacks, *stack)
		}
	}
	r.Problems = append(r.Problems, together(r.Stacks)...)
	return r
}

// once are the documents without those that are given again, and what is said of objects that are there
// in two forms, of which a stack can make one.
func once(docs []document.Document) ([]document.Document, schema.Problems) {
	var kept []document.Document
	var out schema.Problems
	seen := map[wiring.Ref]*wiring.Object{}
	for _, d := range docs {
		again := false
		for _, o := range wiring.Of(d.Node) {
			first, known := seen[o.Ref]
			switch {
			case !known:
				seen[o.Ref] = o
			case o.Name == "":
			case reflect.DeepEqual(written(first.Node()), written(o.Node())):
				again = true
			default:
				out = append(out, d.Problem(schema.Error, "metadata.name", "%s is given twice, in two forms; leave one out (the first is on line %d)", o.Ref, first.Node().Line))
			}
		}
		if !again {
			kept = append(kept, d)
		}
	}
	return kept, out
}

// together is what keeps stacks from being in one cluster.
func together(stacks []Stack) schema.Problems {
	var specs []*schema.Stack
	of := map[*schema.Stack]document.Document{}
	for _, s := range stacks {
		if spec, _ := rules.Parse(s.Node, schema.Source{}); spec != nil {
			specs, of[spec] = append(specs, spec), s.Pool
		}
	}
	_, conflicts := generators.GenerateAll(specs, miswired.Look)
	var out schema.Problems
	for _, c := range conflicts {
		pool := of[c.Spec]
		out = append(out, pool.Problem(schema.Error, "metadata.name", "the stack of %s %s cannot be beside the others of the input: %s: %s", pool.Kind, pool.Name, c.Path, c.Message))
	}
	return out
}

// input are the objects that are given.
type input struct {
	docs  []member
	sets  []*bundle
	graph *wiring.G
}

// A member is an object, its place in the graph, and what it says as far as people wrote it.
type member struct {
	document.Document
	ref  wiring.Ref
	what object
}

// read takes documents in, and DisaggregatedSets apart.
func read(docs []document.Document, apart map[string]bool) *input {
	in := &input{}
	var all []*wiring.Object
	for _, doc := range docs {
		nodes, set := workloads(doc, !apart[doc.Namespace+"/"+doc.Name])
		if set != nil {
			in.sets = append(in.sets, set)
		}
		for _, n := range nodes {
			for _, o := range wiring.Of(n) {
				all = append(all, o)
				in.docs = append(in.docs, member{doc, o.Ref, written(o.Node())})
			}
		}
	}
	in.graph = wiring.Graph(all)
	return in
}
