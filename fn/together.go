package fn

import (
	"fmt"
	"maps"
	"slices"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/wiring"
)

// together are sets of manifests, each of what may be applied to one cluster. Kustomizations
// that make the same object, such as overlays of one base, are in different sets.
type together []*manifestSet

// add puts the manifests of a kustomization into the first set that has none of its objects.
func (t together) add(more *manifestSet) together {
	more.refs = make(map[wiring.Ref]bool, len(more.objects))
	for _, o := range more.objects {
		more.refs[o.Ref] = true
	}
	for _, set := range t {
		if set.common(more) == nil {
			maps.Copy(set.refs, more.refs)
			set.objects = append(set.objects, more.objects...)
			maps.Copy(set.from, more.from)
			maps.Copy(set.built, more.built)
			set.unread, set.said = append(set.unread, more.unread...), append(set.said, more.said...)
			return t
		}
	}
	return append(t, more)
}

// common is an object that both sets have.
func (s *manifestSet) common(other *manifestSet) *wiring.Object {
	return lists.First(other.objects, func(o *wiring.Object) bool { return s.refs[o.Ref] })
}

// count counts the objects of all sets.
func (t together) count() int {
	n := 0
	for _, set := range t {
		n += len(set.objects)
	}
	return n
}

// wrong is what could not be read, and what the compilations say.
func (t together) wrong() (unread, said schema.Problems) {
	for _, set := range t {
		unread, said = append(unread, set.unread...), append(said, set.said...)
	}
	return unread, said
}

// findings are those of all sets. An object may refer to one of another set, unless its own has one
// of that name.
func (t together) findings(opts wiring.Options) (found []wiring.Finding) {
	for i, set := range t {
		refs, own := maps.Clone(set.refs), map[string]bool{}
		for _, o := range set.objects {
			own[o.File] = true
		}
		seen := slices.Clone(set.objects)
		for _, other := range slices.Concat(t[:i], t[i+1:]) {
			for _, o := range other.objects {
				if !refs[o.Ref] {
					refs[o.Ref] = true
					seen = append(seen, o)
				}
			}
		}
		found = append(found, set.findings(seen, opts, func(f wiring.Finding) bool { return len(t) == 1 || own[f.File] })...)
	}
	return found
}

// one is the only set, for what cannot show several.
func (t together) one() (*manifestSet, error) {
	if len(t) == 1 {
		return t[0], nil
	}
	o := t[0].common(t[1])
	return nil, fmt.Errorf("%s and %s make the same object, %s: name one of them", t[0].maker(o.Ref), t[1].maker(o.Ref), o.Ref)
}

// maker is the file of an object.
func (s *manifestSet) maker(ref wiring.Ref) string {
	for _, o := range s.objects {
		if o.Ref == ref {
			return o.File
		}
	}
	return s.root
}
