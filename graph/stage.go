package graph

import "strings"

// A Stage is what happens to a request on an edge.
type Stage int

// The stages, in a request's order.
const (
	none    Stage = iota
	enter         // the client calls the gateway
	match         // a route takes the request
	patched       // an EnvoyFilter has put ext_proc on the route
	ask           // the gateway asks the endpoint picker
	pick          // the picker chooses among the pool's pods
	hand          // without a picker: the route names the backend
	serve         // the request goes to a pod
	prefill       // a prefill pod fills the KV cache first
	stages
)

// stageTexts say what happens, for one path and for several.
var stageTexts = [stages][2]string{
	enter:   {"The client calls {to}", "The client calls the gateway"},
	match:   {"{to} takes the request", "A route takes the request by host, path or header"},
	patched: {"{to} puts the ext_proc filter on the route", "An EnvoyFilter puts the ext_proc filter on the route"},
	ask:     {"The gateway asks the endpoint picker over ext_proc{port}", "The gateway asks the route's endpoint picker over ext_proc"},
	pick:    {"The picker chooses a pod of {to}", "The picker chooses a pod of its InferencePool"},
	hand:    {"The route hands it to {to}{port}", "The route hands it to its backend"},
	serve:   {"The request goes to that pod{port}", "The request goes to that pod"},
	prefill: {"Its sidecar has a prefill pod fill the KV cache first", "Its sidecar has a prefill pod fill the KV cache first"},
}

// text of a step along these edges.
func (s Stage) text(edges []*Edge) string {
	port := ""
	if d := edges[0].Detail; d != "" {
		port = ", port " + d
	}
	if s == serve && edges[0].From.Role == Service {
		return "Service " + edges[0].From.Name + " spreads requests over its pods" + port
	}
	var to []string
	known := map[string]bool{}
	for _, e := range edges {
		if name := strings.TrimSpace(e.To.Ref.Kind + " " + e.To.Name); !known[name] {
			known[name], to = true, append(to, name)
		}
	}
	return strings.NewReplacer("{to}", strings.Join(shorten(to, 2), " or "), "{port}", port).Replace(stageTexts[s][0])
}

// Legend says what the numbers mean: in the words of the path when there is one.
func (p *Picture) Legend() (out []Step) {
	if len(p.Paths) == 1 {
		return p.Paths[0].Steps
	}
	for s := none + 1; s < stages; s++ {
		if n := p.numbers[s]; n > 0 {
			out = append(out, Step{Number: n, Text: stageTexts[s][1]})
		}
	}
	return out
}
