package fn

import (
	"bytes"
	"slices"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/origin"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// A unit is one stack to compile: a document, or what the documents of another system
// were converted to.
type unit struct {
	document.Document
	from *convert.Stack
	// root is the kustomization that it is of, made what that has made it of.
	root string
	made *lineage
}

// parse checks a unit. When there is something to say on a document that came without
// its positions, it is looked for on disk and read there.
func (u unit) parse() (*schema.Stack, schema.Problems) {
	if u.from != nil {
		return u.from.Parse()
	}
	spec, problems := rules.Parse(u.Node, u.Source)
	if len(problems) == 0 || u.Source.Lines {
		return spec, problems
	}
	if original, ok := u.original(); ok {
		return rules.Parse(original.Node, original.Source)
	}
	return spec, u.placed(problems)
}

// original is the document as it is in the file that it was read from.
func (u unit) original() (document.Document, bool) {
	if u.made != nil {
		return u.made.original(u.Document)
	}
	return locate(u.Document)
}

// placed puts problems in the files that a kustomization has made the stack of.
func (u unit) placed(problems schema.Problems) schema.Problems {
	made := u.made
	if made == nil && u.Source.File == "" && len(problems) > 0 {
		made = lineageOf(lineages(origin.Imported()), u.Document)
	}
	if made == nil {
		return problems
	}
	return made.placed(u.Document, problems)
}

// traced reports whether about names the stack with the files that a kustomization has made it of.
func (u unit) traced(spec *schema.Stack) bool {
	if u.from != nil || spec.Source().Lines || u.made == nil {
		return false
	}
	_, original := u.original()
	return !original
}

// about puts a finding on a stack of the unit at the document that the user wrote.
func (u unit) about(spec *schema.Stack, f finding.Finding) finding.Finding {
	switch {
	case u.from != nil:
		return onDocument(u.Document, u.from.Translate(finding.List{f})...)[0]
	case spec.Source().Lines:
		return onStack(spec, f)
	}
	if original, ok := u.original(); ok {
		return onStack(spec, f.At(original.Problem(f.Severity, f.Path, "")))
	}
	return onStack(spec, u.placed(finding.List{f})[0])
}

// compiles reports whether documents of a kind are compiled, converted first or not, or
// refused for a kind that they should have had.
func compiles(apiVersion, kind string) bool {
	misspelt, _ := convert.Misspelt(apiVersion, kind)
	return kind == schema.Kind || convert.Known(apiVersion, kind) || misspelt != ""
}

// A locator finds a document that came without its positions in the file that it was read from.
type locator func(document.Document) (document.Document, bool)

// units takes the stacks out of documents, those of other systems converted. Other
// documents are left out, but may be what a converted one refers to.
func units(docs []document.Document, opts convert.Options) ([]unit, finding.List) {
	return unitsBy(docs, opts, locate)
}

func unitsBy(docs []document.Document, opts convert.Options, find locator) ([]unit, finding.List) {
	var out []unit
	for _, doc := range docs {
		if doc.Kind == schema.Kind {
			out = append(out, unit{Document: doc})
		}
	}
	if len(out) == len(docs) {
		return out, nil
	}
	r := convert.Convert(docs, opts)
	if len(r.Problems) > 0 {
		if originals, found := located(docs, find); found {
			r = convert.Convert(originals, opts)
		}
	}
	return append(out, unitsOf(r)...), r.Problems
}

// unitsOf are the stacks that documents of other systems were converted to.
func unitsOf(r convert.Result) (out []unit) {
	for i := range r.Stacks {
		out = append(out, unit{Document: r.Stacks[i].Document(), from: &r.Stacks[i]})
	}
	return out
}

// located puts the files of documents that came without their positions in their place.
func located(docs []document.Document, find locator) ([]document.Document, bool) {
	out, found := slices.Clone(docs), false
	for i, doc := range docs {
		if doc.Source.Lines || !convert.Known(doc.APIVersion, doc.Kind) {
			continue
		}
		if original, ok := find(doc); ok {
			out[i], found = original, true
		}
	}
	return out, found
}

// mentions reports whether a file may hold something to compile, or a ModelService's base
// configuration.
func mentions(data []byte) bool {
	if bytes.Contains(data, []byte("ConfigMap")) && bytes.Contains(data, []byte("decodeDeployment")) {
		return true
	}
	return slices.ContainsFunc(slices.Concat(convert.Kinds(), convert.APIVersions(), []string{schema.Kind, schema.APIVersion}), func(word string) bool {
		return bytes.Contains(data, []byte(word))
	})
}
