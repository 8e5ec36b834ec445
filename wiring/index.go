package wiring

import (
	"slices"

	"github.com/inferstack/inferstack/internal/lists"
)

// A slot is where objects of one kind, name and namespace are found. Objects without a known
// namespace are in the slot of "", and all of a kind and name, whatever their namespace, in
// that of everySpace.
type slot struct{ kind, namespace, name string }

// everySpace is not a namespace's name.
const everySpace = "*"

// An index finds objects without a walk over all of them. It is filled before anything is
// looked up and does not change after.
type index struct {
	kinds map[string][]*Object
	slots map[slot][]*Object
	// place of each object among all.
	place map[*Object]int
	// spaces are the namespaces as written.
	spaces map[string]bool
	// names of the objects of a kind, by namespace.
	names   map[string]*spread[string]
	nearest nearest
}

func newIndex(objects []*Object) *index {
	x := &index{
		kinds: map[string][]*Object{}, slots: make(map[slot][]*Object, 2*len(objects)), place: make(map[*Object]int, len(objects)),
		spaces: map[string]bool{}, names: map[string]*spread[string]{},
		nearest: nearest{spellers: map[slot]*speller{}, times: map[slot]int{}},
	}
	for i, o := range objects {
		x.place[o] = i
		x.spaces[o.Namespace] = true
		x.kinds[o.Kind] = append(x.kinds[o.Kind], o)
		for _, space := range []string{spaceOf(o.Namespace), everySpace} {
			s := slot{o.Kind, space, o.Name}
			x.slots[s] = append(x.slots[s], o)
		}
		if x.names[o.Kind] == nil {
			x.names[o.Kind] = &spread[string]{}
		}
		x.names[o.Kind].add(o.Namespace, o.Name)
	}
	return x
}

// spaceOf is the namespace, "" for one that only who applies the objects knows.
func spaceOf(namespace string) string {
	if templated(namespace) {
		return ""
	}
	return namespace
}

// object is the first object that a reference names.
func (x *index) object(to Ref) *Object {
	space := spaceOf(to.Namespace)
	if space == "" {
		return ofGroup(x.slots[slot{to.Kind, everySpace, to.Name}], to.Group)
	}
	here, anywhere := ofGroup(x.slots[slot{to.Kind, space, to.Name}], to.Group), ofGroup(x.slots[slot{to.Kind, "", to.Name}], to.Group)
	if here == nil || anywhere != nil && x.place[anywhere] < x.place[here] {
		return anywhere
	}
	return here
}

// ofGroup is the first of some objects that is of an API group; no group takes any.
func ofGroup(objects []*Object, group string) *Object {
	return lists.First(objects, func(o *Object) bool { return group == "" || o.Group == group })
}

// ofKinds are the objects of some kinds, in the order given to Graph.
func (x *index) ofKinds(kinds ...string) (out []*Object) {
	several := 0
	for _, k := range kinds {
		if list := x.kinds[k]; len(list) > 0 {
			several++
			out = append(out, list...)
		}
	}
	if several > 1 {
		slices.SortFunc(out, func(a, b *Object) int { return x.place[a] - x.place[b] })
	}
	return out
}

// A spread is a list of things by their namespaces. What is in no known namespace may be in
// any.
type spread[T any] struct {
	all    []T
	spaces map[string][]int // places in all
}

func (s *spread[T]) add(namespace string, thing T) {
	if s.spaces == nil {
		s.spaces = map[string][]int{}
	}
	space := spaceOf(namespace)
	s.spaces[space] = append(s.spaces[space], len(s.all))
	s.all = append(s.all, thing)
}

// in visits the places of what may be in a namespace, in order, until visit says no.
func (s *spread[T]) in(namespace string, visit func(i int) bool) {
	if s == nil {
		return
	}
	space := spaceOf(namespace)
	if space == "" {
		for i := range s.all {
			if !visit(i) {
				return
			}
		}
		return
	}
	merge(s.spaces[space], s.spaces[""], visit)
}

// any reports whether anything may be in a namespace.
func (s *spread[T]) any(namespace string) bool {
	found := false
	s.in(namespace, func(int) bool { found = true; return false })
	return found
}

// merge visits the numbers of two ascending lists in order, until visit says no.
func merge(a, b []int, visit func(i int) bool) {
	for len(a)+len(b) > 0 {
		next := &a
		if len(a) == 0 || len(b) > 0 && b[0] < a[0] {
			next = &b
		}
		if !visit((*next)[0]) {
			return
		}
		*next = (*next)[1:]
	}
}
