package main

import (
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/schema"
)

// compile checks the documents and makes their objects. Nothing is made when any of
// them has an error; warnings come with what is made.
func compile(docs []schema.Document) ([]generators.Made, []finding) {
	var specs []*schema.Stack
	var found []finding
	for _, doc := range docs {
		spec, problems := parse(doc)
		found = append(found, findings(problems, refToDocument(doc))...)
		if spec != nil {
			specs = append(specs, spec)
		}
	}
	if failed(found) {
		return nil, found
	}
	made, conflicts := generators.GenerateAll(specs)
	for _, c := range conflicts {
		found = append(found, finding{c.Problem, refToStack(c.Spec)})
	}
	if len(made) == 1 && len(made[0].Objects) == 0 {
		spec := made[0].Spec
		found = append(found, finding{
			spec.Problem(schema.Error, "spec", "asks for nothing: no object would be made"), refToStack(spec),
		})
	}
	if failed(found) {
		return nil, found
	}
	return made, found
}

// parse checks one document. When there is something to say on a document that came
// without its positions, it is looked for on disk and read there.
func parse(doc schema.Document) (*schema.Stack, schema.Problems) {
	spec, problems := schema.Parse(doc.Node, doc.Source)
	if len(problems) == 0 || doc.Source.Lines {
		return spec, problems
	}
	if original, ok := locate(doc); ok {
		return schema.Parse(original.Node, original.Source)
	}
	return spec, problems
}

// objects concatenates what was made.
func objects(made []generators.Made) []generators.Object {
	var all []generators.Object
	for _, m := range made {
		all = append(all, m.Objects...)
	}
	return all
}
