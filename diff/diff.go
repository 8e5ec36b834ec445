// Package diff compares two sets of Kubernetes objects by what they mean: object by
// object and field by field, entries of lists by their names, quantities by their size.
// It says of each difference what applying it does to a running stack. It reads no files
// and asks no cluster.
package diff

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/serverside"
)

// Risk is what happens when a difference is applied.
type Risk string

// The risks, the worst first.
const (
	LosesData   Risk = "loses-data"   // a claim or a namespace goes, and what is in it
	Replaces    Risk = "replaces"     // a field that cannot change: delete, then create
	RestartsGPU Risk = "restarts-gpu" // pods with accelerators are made anew
	StopsGPU    Risk = "stops-gpu"    // fewer pods with accelerators
	Readdresses Risk = "readdresses"  // clients may have to use another address
	Restarts    Risk = "restarts"     // other pods are made anew
	Removes     Risk = "removes"
	Changes     Risk = "changes" // in place
	Adds        Risk = "adds"
)

// Risks are all risks in order.
var Risks = []Risk{LosesData, Replaces, RestartsGPU, StopsGPU, Readdresses, Restarts, Removes, Changes, Adds}

// ID is what tells objects apart. The version is none of it: the same object can be
// written in several.
type ID struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	// In is the kustomization that makes it, of an object that several make.
	In string `json:"in,omitempty"`
}

// String is Kind namespace/name.
func (id ID) String() string {
	name := id.Name
	if id.Namespace != "" {
		name = id.Namespace + "/" + name
	}
	if id.In != "" {
		name += " in " + id.In
	}
	return id.Kind + " " + name
}

// A Set is what one kustomization makes; In is its name on either side.
type Set struct {
	In      string
	Objects []Object
}

// Object is an object as decoded from YAML or JSON.
type Object map[string]any

// Decode takes an object out of a document. (To decode into an Object itself would make
// Objects of all mappings in it.)
func Decode(n *yaml.Node) (Object, error) {
	var m map[string]any
	err := n.Decode(&m)
	return m, err
}

// ID is the object's identity.
func (o Object) ID() ID {
	apiVersion, _ := o["apiVersion"].(string)
	group, _, versioned := strings.Cut(apiVersion, "/")
	if !versioned {
		group = ""
	}
	meta := mapping(o["metadata"])
	return ID{Group: group, Kind: str(o["kind"]), Namespace: str(meta["namespace"]), Name: str(meta["name"])}
}

// Change is a field that differs. Old is nil for one that is new, New for one that goes.
type Change struct {
	Path      string `json:"path"`
	Old       any    `json:"old,omitempty"`
	New       any    `json:"new,omitempty"`
	Immutable bool   `json:"immutable,omitempty"` // the API server refuses the change
	Note      string `json:"note,omitempty"`      // what else comes of it

	path      path
	order     bool   // entries of a list have changed places
	dashboard string // key of the one that it is in
}

// Difference is an object that differs.
type Difference struct {
	Risk Risk `json:"risk"`
	ID
	Changes []Change `json:"changes,omitempty"` // none for an object that comes or goes
	// NeedsCRD says that it comes, is of a kind that has a CustomResourceDefinition, and that nothing
	// before was of that kind.
	NeedsCRD bool `json:"needsCRD,omitempty"`
}

// Compare finds what differs between two sets of objects, the riskiest first and then by
// kind and name. Of an object that is there twice the last counts, as if applied.
func Compare(before, after []Object) []Difference {
	return CompareSets([]Set{{Objects: before}}, []Set{{Objects: after}})
}

// CompareSets is Compare of what several kustomizations make. An object that more than one of
// a side has is compared with that of the same one.
func CompareSets(before, after []Set) []Difference {
	several := map[ID]bool{}
	repeated(several, before)
	repeated(several, after)
	old, now := index(before, several), index(after, several)
	out := []Difference{}
	for id, o := range old {
		n, stays := now[id]
		if !stays {
			out = append(out, Difference{Risk: removal(o), ID: id})
			continue
		}
		if changes := compare(id, o, n); len(changes) > 0 {
			out = append(out, Difference{Risk: riskOf(id, [2]Object{o, n}, changes), ID: id, Changes: changes})
		}
	}
	known := customKinds(old, now)
	for id := range now {
		if _, was := old[id]; !was {
			out = append(out, Difference{Risk: Adds, ID: id, NeedsCRD: custom(id) && !known[kindOf(id)]})
		}
	}
	slices.SortFunc(out, func(a, b Difference) int {
		return cmp.Or(
			cmp.Compare(slices.Index(Risks, a.Risk), slices.Index(Risks, b.Risk)),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Group, b.Group),
			cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.In, b.In))
	})
	return out
}

// repeated adds what more than one of the sets has.
func repeated(several map[ID]bool, sets []Set) {
	first := map[ID]int{}
	for i, set := range sets {
		for _, o := range set.Objects {
			id := o.ID()
			if j, seen := first[id]; seen && j != i {
				several[id] = true
			}
			first[id] = i
		}
	}
}

func index(sets []Set, several map[ID]bool) map[ID]Object {
	out := map[ID]Object{}
	for _, set := range sets {
		for _, o := range set.Objects {
			id := o.ID()
			if several[id] {
				id.In = set.In
			}
			out[id] = o
		}
	}
	return out
}

// compare returns the fields of an object that differ, in the order of their paths.
func compare(id ID, old, now Object) []Change {
	if reflect.DeepEqual(old, now) {
		return nil // as most objects are: spares the copies
	}
	var c comparer
	c.maps(nil, serverside.Without(old), serverside.Without(now))
	c.asWritten(old, now)
	for i := range c.changes {
		ch := &c.changes[i]
		ch.Path = ch.path.String()
		ch.Immutable = immutable(id, ch.path, [2]Object{old, now})
		ch.Note = note(id, *ch)
		ch.dashboard = dashboardOf(*ch, old, now)
		if id.Group == "" && id.Kind == "Secret" && len(ch.path) > 1 && (ch.path[0].key == "data" || ch.path[0].key == "stringData") {
			ch.Old, ch.New = hidden(ch.Old, "***"), hidden(ch.New, "*** (another)")
			continue
		}
		ch.redact()
	}
	return c.changes
}

// asWritten says what differs with the values that both objects have: those that are defaults are
// left out only where they are the whole difference.
func (c *comparer) asWritten(old, now Object) {
	if len(c.changes) == 0 {
		return
	}
	var full comparer
	full.maps(nil, serverside.Owned(old), serverside.Owned(now))
	differs, leads := map[string]bool{}, map[string]bool{} // paths, and those on the way to them
	for _, ch := range c.changes {
		differs[ch.path.String()] = !ch.order
		for i := range ch.path {
			leads[ch.path[:i+1].String()] = true
		}
	}
	c.changes = slices.DeleteFunc(full.changes, func(ch Change) bool {
		for i := range ch.path {
			if differs[ch.path[:i+1].String()] {
				return false
			}
		}
		return !leads[ch.path.String()]
	})
}

// hidden keeps secrets out of terminals and pull requests.
func hidden(v any, word string) any {
	if v == nil {
		return nil
	}
	return word
}

func mapping(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func str(v any) string {
	s, _ := v.(string)
	return s
}
