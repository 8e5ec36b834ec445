package graph

import (
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/wiring"
)

// fold gives each object that stands in no lane to the node it is nearest to, along
// references in any direction, then by name; what is left is the rest.
func (b *builder) fold() {
	near := map[wiring.Ref][]wiring.Ref{}
	for _, e := range b.g.Edges {
		if e.State == wiring.Present {
			near[e.From] = append(near[e.From], e.To)
			near[e.To] = append(near[e.To], e.From)
		}
	}
	owners := map[*wiring.Object]*Node{}
	var queue []*wiring.Object
	for _, n := range b.picture.Nodes {
		queue, owners[n.Object] = append(queue, n.Object), n
	}
	for _, e := range b.g.Edges { // a Service is its pods' before it is its callers'
		if o, n := b.g.Object(e.From), b.node(e.To); e.Type == "selects" && e.From.Kind == "Service" && n != nil && owners[o] == nil {
			queue, owners[o] = append(queue, o), n
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, ref := range near[queue[0].Ref] {
			if o := b.g.Object(ref); o != nil && owners[o] == nil {
				owners[o] = owners[queue[0]]
				queue = append(queue, o)
			}
		}
	}
	b.own(owners)
}

// own makes the objects parts of their owners.
func (b *builder) own(owners map[*wiring.Object]*Node) {
	named := namesakes(b.picture.Nodes)
	var rest *Node
	for _, o := range b.g.Objects {
		if b.nodeOf[o] != nil {
			continue
		}
		owner := owners[o]
		if owner == nil {
			owner = named.of(o)
		}
		if owner == nil {
			if rest == nil {
				rest = b.add(&Node{Role: Rest, Lane: Serving, State: wiring.Present})
			}
			owner = rest
		}
		if b.all {
			b.add(&Node{Role: Part, Lane: owner.Lane, Object: o, Ref: o.Ref, State: wiring.Present, Kind: o.Kind, Name: o.Name, Parent: owner})
			continue
		}
		owner.Holds = append(owner.Holds, o)
		b.nodeOf[o] = owner
	}
	if rest != nil {
		rest.name(b.all)
	}
}

// name says how many there are.
func (n *Node) name(all bool) {
	n.Kind, n.Name = "On no request path", "Other objects"
	if !all {
		n.Name = strconv.Itoa(len(n.Holds)) + " other objects"
		if len(n.Holds) == 1 {
			o := n.Holds[0]
			n.Kind, n.Name, n.Ref, n.Object, n.Holds = o.Kind, o.Name, o.Ref, o, nil
		}
	}
}

// A namesaker finds nodes by their namespaces and names.
type namesaker map[[2]string]*Node

// namesakes are the nodes by their names, a pool before others.
func namesakes(all []*Node) namesaker {
	out := namesaker{}
	for _, n := range all {
		at := [2]string{n.Ref.Namespace, n.Ref.Name}
		if out[at] == nil || n.Role == Pool {
			out[at] = n
		}
	}
	return out
}

// of is the node whose name the object's begins with, the longest such name.
func (names namesaker) of(o *wiring.Object) *Node {
	for name := o.Name; name != ""; name = name[:max(0, strings.LastIndexByte(name, '-'))] {
		if n := names[[2]string{o.Namespace, name}]; n != nil {
			return n
		}
	}
	return nil
}

// standing are the kinds that stand in a lane when they are referred to and not there.
var standing = map[string]struct {
	Role
	Lane
}{
	"Gateway": {Gateway, Entry}, "HTTPRoute": {Route, Routing},
	"InferencePool": {Pool, Picking}, "Service": {Service, Picking},
	"Deployment": {Workload, Serving}, "StatefulSet": {Workload, Serving}, "LeaderWorkerSet": {Workload, Serving},
	"DisaggregatedSet": {Workload, Serving},
}

// shadows makes nodes of what is referred to and not in the set. What has to be there
// beforehand and is on no request's way is only told of, unless all is drawn.
func (b *builder) shadows() {
	for _, e := range b.g.Edges {
		if e.State == wiring.Present || b.ghosts[e.To] != nil {
			continue
		}
		at, stands := standing[e.To.Kind]
		from := b.node(e.From)
		if from == nil || !stands && e.State == wiring.Prerequisite && !b.all {
			continue
		}
		n := &Node{Role: at.Role, Lane: at.Lane, Ref: e.To, State: e.State, Kind: e.To.Kind, Name: e.To.Name}
		if !stands {
			for from.Parent != nil {
				from = from.Parent
			}
			n.Role, n.Lane, n.Parent = Part, from.Lane, from
		}
		b.ghosts[e.To] = b.add(n)
	}
}

// node is the node of what a reference names.
func (b *builder) node(ref wiring.Ref) *Node {
	if o := b.g.Object(ref); o != nil {
		return b.nodeOf[o]
	}
	return b.ghosts[ref]
}
