package graph

import (
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/untrusted"
	"github.com/inferstack/inferstack/wiring"
)

// roles in the order of a request.
var roles = []Role{Caller, Gateway, Route, Filter, Picker, Pool, Service, Server, Prefill, Encode, Workload, Part, Rest}

// strokes are the colours of the roles where the page's theme is not known.
var strokes = map[Role]string{
	Caller: "#57606a", Gateway: "#0969da", Route: "#1b7c83", Filter: "#bf3989", Picker: "#8250df",
	Pool: "#9a6700", Service: "#6e7781", Server: "#1a7f37", Prefill: "#bc4c00", Encode: "#cf222e",
	Workload: "#57606a", Part: "#8c959f", Rest: "#8c959f",
}

// class is the node's style.
func (n *Node) class() string {
	if n.State != wiring.Present {
		return string(n.State)
	}
	return string(n.Role)
}

// facts are those of the node and what it holds.
func (n *Node) facts() []string {
	out := n.Facts
	if len(n.Holds) > 0 {
		out = append(out[:len(out):len(out)], "+ "+n.held())
	}
	return out
}

// held are the kinds that a node holds, each with how many there are.
func (n *Node) held() string {
	var kinds []string
	count := map[string]int{}
	for _, o := range n.Holds {
		if count[o.Kind]++; count[o.Kind] == 1 {
			kinds = append(kinds, o.Kind)
		}
	}
	for i, k := range kinds {
		if count[k] > 1 {
			kinds[i] = strconv.Itoa(count[k]) + "×" + k
		}
	}
	return strings.Join(kinds, ", ")
}

// beside is the title of the band of what is on no path.
const beside = "on no request path"

// title is the band's name.
func (b *Band) title() string {
	switch {
	case b.Title == "":
		return beside
	case b.Namespace != "":
		return b.Namespace + "/" + b.Title
	default:
		return b.Title
	}
}

// heading is the band's name and what it serves.
func (b *Band) heading() string { return b.title() + suffix(" · ", b.Model) }

// label of an edge: the step's number, or what is missing, or what kind of reference it is.
func (p *Picture) label(e *Edge) string {
	port := suffix(" :", e.Detail)
	switch {
	case e.State == wiring.Missing:
		return "missing: " + e.To.Ref.Kind + " " + e.To.Ref.Name
	case e.Stage == ask:
		return strconv.Itoa(p.numbers[e.Stage]) + " ext_proc" + port
	case e.Stage != none:
		return strconv.Itoa(p.numbers[e.Stage]) + port
	default:
		return strings.Join(e.Types, ", ") + port
	}
}

// linked reports whether an edge is between two nodes.
func (p *Picture) linked(a, b *Node) bool {
	return p.pairs[[2]*Node{a, b}] || p.pairs[[2]*Node{b, a}]
}

// escape makes text of XML. Characters that XML 1.0 does not have become the one that
// stands for them.
func escape(text string) string {
	var out strings.Builder
	for _, r := range untrusted.Redact(text) {
		switch {
		case r == '&':
			out.WriteString("&amp;")
		case r == '<':
			out.WriteString("&lt;")
		case r == '>':
			out.WriteString("&gt;")
		case r == '"':
			out.WriteString("&#34;")
		case r == '\'':
			out.WriteString("&#39;")
		case r == '\n' || r == '\t' || r == '\r':
			out.WriteByte(' ')
		case r < ' ' || r == 0xFFFE || r == 0xFFFF || r >= 0x7F && r < 0xA0:
			out.WriteRune('\uFFFD')
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
