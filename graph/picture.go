package graph

import (
	"strconv"

	"github.com/inferstack/inferstack/wiring"
)

// Options of Draw.
type Options struct {
	// All draws every object, rather than fold what is not on a request's way into what
	// it belongs to.
	All bool
}

// A Lane is a column: how far a request has come.
type Lane int

// The lanes, in a request's order.
const (
	Client Lane = iota
	Entry
	Routing
	Picking
	Serving
	lanes
)

// A Role is what a node does for a request.
type Role string

// The roles.
const (
	Caller   Role = "client"
	Gateway  Role = "gateway"
	Route    Role = "route"
	Filter   Role = "filter"
	Picker   Role = "picker"
	Pool     Role = "pool"
	Service  Role = "service"
	Server   Role = "server"
	Prefill  Role = "prefill"
	Encode   Role = "encode"
	Workload Role = "workload"
	Part     Role = "part"
	Rest     Role = "rest"
)

// A Node is an object, or something that should be one.
type Node struct {
	ID   string
	Role Role
	Lane Lane
	// Ref is empty for the client and for the rest.
	Ref wiring.Ref
	// Object is nil when it is not in the set.
	Object *wiring.Object
	State  wiring.State
	// Kind and Name as they are shown, and what is worth knowing.
	Kind, Name string
	Facts      []string
	// Holds are the objects that are folded into it.
	Holds []*wiring.Object
	// Parent is what a part belongs to.
	Parent *Node
	// Findings are the errors and warnings of it and what it holds.
	Findings []wiring.Finding
	band     *Band
	// traits of a workload.
	traits wiring.Traits
}

// An Edge is a reference, or a step of a request.
type Edge struct {
	ID       string
	From, To *Node
	// Types of the references, such as selects, Back those of references the other way,
	// and Detail, such as a port.
	Types, Back []string
	Detail      string
	// Stage of a request's way, 0 for other references.
	Stage Stage
	State wiring.State
}

// A Band is what belongs to one pool or Service.
type Band struct {
	Title, Namespace string
	// Model that its servers serve.
	Model string
	Nodes []*Node
}

// A Path is the way of a request to one pool or Service.
type Path struct {
	Title, Namespace string
	Steps            []Step
}

// A Step of a path.
type Step struct {
	// Number that the picture shows.
	Number int
	Text   string
	Edges  []*Edge
}

// A Picture is what is drawn.
type Picture struct {
	Nodes []*Node
	Edges []*Edge
	Bands []*Band
	Paths []*Path
	// Objects that were given.
	Objects []*wiring.Object
	// Omitted is how many edges are not drawn, of sets in which all refer to all.
	Omitted int
	// numbers of the stages that any path has.
	numbers map[Stage]int
	// pairs of nodes that an edge is between.
	pairs map[[2]*Node]bool
}

// Draw finds out what to draw.
func Draw(objects []*wiring.Object, opts Options) *Picture {
	g := wiring.Graph(objects)
	b := &builder{
		g:          g,
		references: newReferences(g.Edges),
		all:        opts.All,
		picture:    &Picture{Objects: objects, numbers: map[Stage]int{}},
		nodeOf:     map[*wiring.Object]*Node{},
		ghosts:     map[wiring.Ref]*Node{},
		between:    map[[2]*Node]*Edge{},
	}
	b.place()
	b.fold()
	b.shadows()
	b.describe()
	b.follow()
	b.connect()
	b.group()
	b.find(g.Check(wiring.Options{}))
	for i, n := range b.picture.Nodes {
		n.ID = "n" + strconv.Itoa(i+1)
	}
	b.picture.pairs = make(map[[2]*Node]bool, len(b.picture.Edges))
	for i, e := range b.picture.Edges {
		e.ID = "e" + strconv.Itoa(i+1)
		b.picture.pairs[[2]*Node{e.From, e.To}] = true
	}
	return b.picture
}

// A builder makes a picture.
type builder struct {
	g          *wiring.G
	references references
	askers     askers
	all        bool
	picture    *Picture
	// nodeOf is the node that an object is, or is folded into.
	nodeOf map[*wiring.Object]*Node
	// ghosts are the nodes of what is not in the set.
	ghosts  map[wiring.Ref]*Node
	between map[[2]*Node]*Edge
	client  *Node
	// uses are how many paths lead over a node.
	uses map[*Node]int
}

func (b *builder) add(n *Node) *Node {
	b.picture.Nodes = append(b.picture.Nodes, n)
	if n.Object != nil {
		b.nodeOf[n.Object] = n
	}
	return n
}

// find gives findings to the nodes they are about.
func (b *builder) find(findings []wiring.Finding) {
	for _, f := range findings {
		if f.Severity == wiring.Info {
			continue
		}
		if o := b.g.Object(f.Object); o != nil && b.nodeOf[o] != nil {
			n := b.nodeOf[o]
			n.Findings = append(n.Findings, f)
		}
	}
}
