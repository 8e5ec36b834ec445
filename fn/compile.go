package fn

import (
	"cmp"
	"slices"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/schema"
)

// compile checks the documents and makes their objects. Nothing is made when any of
// them has an error; warnings come with what is made.
func compile(stacks []unit) ([]generators.Made, finding.List) {
	var specs []*schema.Stack
	var found finding.List
	from := map[*schema.Stack]unit{}
	for _, u := range stacks {
		spec, problems := u.parse()
		found = append(found, onDocument(u.Document, problems...)...)
		if spec != nil {
			specs = append(specs, spec)
			from[spec] = u
		}
	}
	if failed(found) {
		return nil, found
	}
	// What is made does not depend on the order in which the stacks were found.
	slices.SortStableFunc(specs, func(a, b *schema.Stack) int {
		return cmp.Or(cmp.Compare(a.Metadata.Namespace, b.Metadata.Namespace), cmp.Compare(a.Metadata.Name, b.Metadata.Name))
	})
	made, conflicts := generators.GenerateAll(specs, miswired)
	for _, c := range conflicts {
		found = append(found, from[c.Spec].finding(c))
	}
	if len(made) == 1 && len(made[0].Objects) == 0 {
		spec := made[0].Spec
		found = append(found, onStack(spec, spec.Problem(schema.Error, "spec", "asks for nothing: no object would be made")))
	}
	if failed(found) {
		return nil, found
	}
	return made, found
}

// objects concatenates what was made.
func objects(made []generators.Made) []manifest.Manifest {
	var all []manifest.Manifest
	for _, m := range made {
		all = append(all, m.Objects...)
	}
	return all
}
