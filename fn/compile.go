package fn

import (
	"cmp"
	"slices"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/miswired"
	"github.com/inferstack/inferstack/internal/parallel"
	"github.com/inferstack/inferstack/schema"
)

// A product is what a unit was compiled to.
type product struct {
	generators.Made
	of unit
}

// compile is compileUnits for who need not know what a stack was made of.
func compile(stacks []unit) ([]generators.Made, finding.List) {
	products, found := compileUnits(stacks)
	return madeOf(products), found
}

func madeOf(products []product) []generators.Made {
	return lists.Map(products, func(p product) generators.Made { return p.Made })
}

// compileUnits checks the documents and makes their objects. Nothing is made when any of
// them has an error; warnings come with what is made.
func compileUnits(stacks []unit) ([]product, finding.List) {
	var specs []*schema.Stack
	var found finding.List
	from := map[*schema.Stack]unit{}
	type parsed struct {
		spec     *schema.Stack
		problems schema.Problems
	}
	for i, p := range parallel.Map(len(stacks), func(i int) (p parsed) {
		p.spec, p.problems = stacks[i].parse()
		return p
	}) {
		found = append(found, onDocument(stacks[i].Document, p.problems...)...)
		if p.spec != nil {
			specs = append(specs, p.spec)
			from[p.spec] = stacks[i]
		}
	}
	if failed(found) {
		return nil, found
	}
	// What is made does not depend on the order in which the stacks were found.
	slices.SortStableFunc(specs, func(a, b *schema.Stack) int {
		return cmp.Or(cmp.Compare(a.Metadata.Namespace, b.Metadata.Namespace), cmp.Compare(a.Metadata.Name, b.Metadata.Name))
	})
	made, conflicts := generators.GenerateAll(specs, miswired.Look)
	for _, c := range conflicts {
		found = append(found, from[c.Spec].about(c.Spec, c.Finding))
	}
	if len(made) == 1 && len(made[0].Objects) == 0 {
		spec := made[0].Spec
		found = append(found, onStack(spec, spec.Problem(schema.Error, "spec", "asks for nothing: no object would be made")))
	}
	if failed(found) {
		return nil, found
	}
	return lists.Map(made, func(m generators.Made) product { return product{m, from[m.Spec]} }), found
}

// objects concatenates what was made.
func objects(made []generators.Made) (all []manifest.Manifest) {
	for _, m := range made {
		all = append(all, m.Objects...)
	}
	return all
}
