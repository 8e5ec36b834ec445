package graph

import (
	"slices"

	"github.com/inferstack/inferstack/wiring"
)

// workloads are the kinds that have pods.
var workloads = map[string]bool{
	"Deployment": true, "StatefulSet": true, "DaemonSet": true, "ReplicaSet": true,
	"LeaderWorkerSet": true, "DisaggregatedSet": true, "Pod": true, "Job": true, "CronJob": true,
}

// place makes a node of each object that stands in a lane.
func (b *builder) place() {
	for _, o := range b.g.Objects {
		n := &Node{Object: o, Ref: o.Ref, State: wiring.Present, Kind: o.Kind, Name: o.Name}
		if workloads[o.Kind] {
			n.traits = b.g.Traits(o)
		}
		if n.Role, n.Lane = b.role(n); n.Role != Part {
			b.add(n)
		}
	}
}

// role says what an object does and where it stands.
func (b *builder) role(n *Node) (Role, Lane) {
	switch {
	case n.Ref.Kind == "Gateway":
		return Gateway, Entry
	case n.Ref.Kind == "HTTPRoute" || n.Ref.Kind == "GRPCRoute":
		return Route, Routing
	case n.Ref.Kind == "EnvoyFilter" && len(b.from(n.Ref, "asks")) > 0:
		return Filter, Routing
	case n.Ref.Kind == "InferencePool":
		return Pool, Picking
	case n.Ref.Kind == "Service" && b.referred(n.Object, "routes to"):
		return Service, Picking
	case workloads[n.Ref.Kind]:
		return b.workload(n)
	default:
		return Part, 0
	}
}

func (b *builder) workload(n *Node) (Role, Lane) {
	switch t := n.traits; {
	case t.Picker:
		return Picker, Picking
	case t.Server && t.Prefills && !t.Decodes:
		return Prefill, Serving
	case t.Server && t.Encodes && !t.Decodes:
		return Encode, Serving
	case t.Server:
		return Server, Serving
	case len(b.picked(n.Object)) > 0:
		return Gateway, Entry
	default:
		return Workload, Serving
	}
}

// picked are the Services of endpoint pickers that a proxy without a Gateway asks: by its
// command line, or by the bootstrap that it mounts.
func (b *builder) picked(o *wiring.Object) (out []*wiring.Object) {
	asks := slices.Clone(b.from(o.Ref, "asks"))
	for _, mount := range b.from(o.Ref, "mounts") {
		if config := b.g.Object(mount.To); config != nil {
			asks = append(asks, b.from(config.Ref, "asks")...)
		}
	}
	for _, e := range asks {
		service := b.g.Object(e.To)
		if service == nil {
			continue
		}
		for _, pods := range b.from(service.Ref, "selects") {
			if w := b.g.Object(pods.To); w != nil && b.g.Traits(w).Picker {
				out = append(out, service)
			}
		}
	}
	return out
}
