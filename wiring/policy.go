package wiring

import (
	"maps"
	"slices"
	"strconv"
)

// A verdict on whether a policy lets a connection through. What manifests do not show,
// such as the labels of a namespace, makes it perhaps.
type verdict int

const (
	no verdict = iota
	perhaps
	yes
)

// An end of a connection: the pods of a workload, or those that a gateway controller
// makes, of which only some labels are known.
type end struct {
	ref       Ref
	namespace string
	labels    map[string]string
	// partial says that the pods have labels besides.
	partial bool
	pods    *Pods
}

func endOf(p *Pods) end {
	return end{ref: p.Ref, namespace: p.Namespace, labels: p.labels, pods: p}
}

// A flow is a connection that a stack needs.
type flow struct {
	from, to end
	port     int
	why      string
}

const (
	ingress = "ingress"
	egress  = "egress"
)

// cut is the first policy that isolates one end of the flow in a direction while none
// lets the flow through, nil when there is none (networking.k8s.io/v1, NetworkPolicySpec:
// policies add up, and pods that none selects are open).
func (g *G) cut(f flow, direction string) *Object {
	self, other := f.to, f.from
	if direction == egress {
		self, other = f.from, f.to
	}
	return g.closed(self, direction, func(i *isolation) bool { return g.lets(i, f, other) })
}

// closed is the first policy that isolates an end in a direction while no isolation passes.
func (g *G) closed(self end, direction string, passes func(*isolation) bool) (first *Object) {
	g.isolating(self, direction, func(i *isolation) bool {
		if passes(i) {
			first = nil
			return false
		}
		if o := i.policies[0]; first == nil || g.index.place[o] < g.index.place[first] {
			first = o
		}
		return true
	})
	return first
}

// isolates reports whether a policy is about the direction. Without policyTypes it is about
// ingress, and about egress when it has rules for that.
func isolates(policy *Object, direction string) bool {
	types := policy.at("spec", "policyTypes")
	if types.is() {
		return slices.ContainsFunc(types.words(), func(t string) bool { return (t == "Ingress") == (direction == ingress) })
	}
	return direction == ingress || policy.at("spec", egress).is()
}

// opens reports whether the ports of a rule have the flow's; no list has all.
func opens(ports field, f flow) bool {
	list := ports.list()
	for _, p := range list {
		if p.at("protocol").or("TCP") != "TCP" {
			continue
		}
		port := p.at("port")
		n, number := port.number()
		switch last, ranged := p.at("endPort").number(); {
		case !port.is() || templated(port.text()):
			return true
		case number && ranged && n <= f.port && f.port <= last, number && n == f.port:
			return true
		case !number && f.to.pods != nil && f.to.pods.numberOf(port.text()) == f.port:
			return true
		}
	}
	return len(list) == 0
}

// peer reports whether a peer of a policy's rule is the other end.
func (g *G) peer(policy *Object, peer field, other end) verdict {
	if peer.at("ipBlock").is() {
		return perhaps
	}
	where := no
	switch spaces := peer.at("namespaceSelector"); {
	case spaces.is():
		where = g.spaces(spaces, other.namespace)
	case policy.Namespace == other.namespace:
		where = yes
	case sameNamespace(policy.Namespace, other.namespace):
		where = perhaps
	}
	if pods := peer.at("podSelector"); pods.is() {
		where = min(where, g.takes(pods, other))
	}
	return where
}

// spaces reports whether a selector of namespaces takes the one of that name, whose labels
// are known when it is in the set. The name itself is a label of each (Kubernetes 1.22).
func (g *G) spaces(selector field, name string) verdict {
	labels := map[string]string{"kubernetes.io/metadata.name": name}
	known := false
	for _, o := range g.index.slots[slot{"Namespace", everySpace, name}] {
		known = true
		maps.Copy(labels, o.labels)
	}
	onlyName := slices.Equal(selector.at("matchLabels").keys(), []string{"kubernetes.io/metadata.name"}) && !selector.at("matchExpressions").is()
	switch {
	case selectsAll(selector, labels):
		return yes
	case name != "" && (known || onlyName) && !templated(pairs(selector.at("matchLabels"))):
		return no
	default:
		return perhaps
	}
}

// takes reports whether a selector takes an end. One that asks a gateway's pods for labels
// that are not known may take them, unless it is plainly meant for pods of the set.
func (g *G) takes(selector field, e end) verdict {
	switch {
	case selectsAll(selector, e.labels):
		return yes
	case templated(pairs(selector.at("matchLabels"))):
		return perhaps
	case !e.partial || selector.at("matchLabels", gatewayLabel).is():
		return no
	case len(g.pods.take("", selecting(selector))) > 0:
		return no
	default:
		return perhaps
	}
}

// String is how a finding names the port.
func (f flow) String() string { return f.why + " on port " + strconv.Itoa(f.port) }
