package wiring

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// policies are the NetworkPolicies of a set by namespace and direction. Those with one
// podSelector add up to one isolation, in which each rule stands once.
type policies map[isolated]*rack[*isolation]

type isolated struct{ namespace, direction string }

// An isolation is what lets connections through to, or from, the pods that a selector takes.
type isolation struct {
	selector field
	// policies of the selector, in order.
	policies []*Object
	rules    []field
	doors    rack[door]
	let      remembered[crossing, bool]
	leads    remembered[exit, bool]
}

// A door is one peer of a rule, or everybody, with the ports of the rule.
type door struct {
	peer, ports field
	everybody   bool
}

// A crossing is what a flow asks of an isolation.
type crossing struct {
	other Ref
	pods  *Pods // of the other end
	port  int
	to    *Pods // where ports are named
}

// findPolicies sorts the set's policies.
func (g *G) findPolicies() policies {
	all := policies{}
	known := map[isolated]map[string]*isolation{}
	rules := map[*isolation]map[string]bool{}
	for _, o := range g.Kinds("NetworkPolicy") {
		selector := o.at("spec", "podSelector")
		q := selecting(selector)
		for _, direction := range []string{ingress, egress} {
			if !isolates(o, direction) {
				continue
			}
			at := isolated{o.Namespace, direction}
			if known[at] == nil {
				known[at], all[at] = map[string]*isolation{}, &rack[*isolation]{}
			}
			i := known[at][q.text]
			if i == nil {
				i = &isolation{selector: selector}
				known[at][q.text], rules[i] = i, map[string]bool{}
				all[at].add(q, i)
			}
			i.policies = append(i.policies, o)
			for _, rule := range o.at("spec", direction).list() {
				if text := plainText(rule.node); !rules[i][text] {
					rules[i][text] = true
					i.add(rule, map[string]string{ingress: "from", egress: "to"}[direction])
				}
			}
		}
	}
	return all
}

func (i *isolation) add(rule field, peers string) {
	i.rules = append(i.rules, rule)
	list := rule.at(peers).list()
	for _, peer := range list {
		q := selecting(peer.at("podSelector"))
		if templated(q.text) {
			q.labels = nil
		}
		i.doors.add(q, door{peer: peer, ports: rule.at("ports")})
	}
	if len(list) == 0 {
		i.doors.add(question{}, door{ports: rule.at("ports"), everybody: true})
	}
}

// isolating visits the isolations of an end in a direction, until visit says no.
func (g *G) isolating(e end, direction string, visit func(*isolation) bool) {
	all := g.policies()[isolated{e.namespace, direction}]
	if all == nil {
		return
	}
	all.each(e.labels, func(i *isolation) bool {
		return g.takes(i.selector, e) != yes || visit(i)
	})
}

// lets reports whether an isolation lets a flow through that has its other end there.
func (g *G) lets(i *isolation, f flow, other end) bool {
	ask := crossing{other.ref, other.pods, f.port, nil}
	if i.namesPorts() {
		ask.to = f.to.pods
	}
	return i.let.of(ask, func() bool {
		found := false
		try := func(d door) bool {
			found = (d.everybody || g.peer(i.policies[0], d.peer, other) != no) && opens(d.ports, f)
			return !found
		}
		if other.partial { // it may have any labels
			i.doors.all(try)
		} else {
			i.doors.each(other.labels, try)
		}
		return found
	})
}

// leadsTo reports whether a rule of an isolation leads out of the set, where an exit is.
func (i *isolation) leadsTo(to exit) bool {
	return i.leads.of(to, func() bool { return slices.ContainsFunc(i.rules, exits[to]) })
}

// namesPorts reports whether a rule names a port, which is another one for other pods.
func (i *isolation) namesPorts() bool {
	return slices.ContainsFunc(i.rules, func(rule field) bool {
		return slices.ContainsFunc(rule.at("ports").list(), func(p field) bool { _, number := p.at("port").number(); return !number })
	})
}

// A rack finds selectors that take given labels. Each is under one of the labels that it asks
// for, or loose where it asks for none.
type rack[T any] struct {
	under map[label][]T
	loose []T
}

func (r *rack[T]) add(q question, thing T) {
	for _, one := range q.labels {
		if len(one) == 1 {
			if r.under == nil {
				r.under = map[label][]T{}
			}
			r.under[one[0]] = append(r.under[one[0]], thing)
			return
		}
	}
	r.loose = append(r.loose, thing)
}

// each visits what may take the labels, until visit says no.
func (r *rack[T]) each(labels map[string]string, visit func(T) bool) {
	for k, v := range labels {
		for _, thing := range r.under[label{"", k, v}] {
			if !visit(thing) {
				return
			}
		}
	}
	for _, thing := range r.loose {
		if !visit(thing) {
			return
		}
	}
}

// all visits everything, until visit says no.
func (r *rack[T]) all(visit func(T) bool) {
	for _, list := range r.under {
		for _, thing := range list {
			if !visit(thing) {
				return
			}
		}
	}
	r.each(nil, visit)
}

// plainText is a field's text, the same for fields that say the same in the same order.
func plainText(n *yaml.Node) string {
	var out strings.Builder
	writePlain(&out, n)
	return out.String()
}

func writePlain(out *strings.Builder, n *yaml.Node) {
	if n = resolved(n); n == nil {
		return
	}
	out.WriteByte(byte(n.Kind) + '@')
	out.WriteString(n.Tag + " " + n.Value + "\x00")
	for _, c := range n.Content {
		writePlain(out, c)
	}
	out.WriteByte(')')
}
