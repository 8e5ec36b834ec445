package wiring

import (
	"slices"
	"strings"
)

var networkRules = []Rule{
	{
		ID: "network-policy-cuts", Severity: Error,
		Doc: "A NetworkPolicy isolates pods, and no policy lets a connection through that the stack needs: from the gateway to the endpoint " +
			"picker (port 9002) and to the servers, from the endpoint picker to the servers' metrics, from decode to prefill and its KV " +
			"transfer (5600), from a pod to a Service that its flags name. The connection times out and nothing says why. Address " +
			"ranges, and what only a cluster knows, are given the benefit of the doubt.",
		each: of[flow]{(*G).flows, func(g *G, r *report, f flow) {
			if o := g.cut(f, ingress); o != nil {
				r.add(o.in("spec", ingress), f.to.ref, "no rule lets %s in to %s, but %s", f.from.ref, f.to.ref, f).
					fix("add an ingress rule for port %d from the pods of %s", f.port, f.from.ref)
			}
			if o := g.cut(f, egress); o != nil {
				r.add(o.in("spec", egress), f.to.ref, "no rule lets %s out to %s, but %s", f.from.ref, f.to.ref, f).
					fix("add an egress rule for port %d to the pods of %s", f.port, f.to.ref)
			}
		}},
	},
	{
		ID: "network-policy-dns", Severity: Error,
		Doc: "A NetworkPolicy isolates the way out of pods that name a Service by its DNS name, and no policy lets them ask for it (port 53, " +
			"or 5353, on which OpenShift's name servers listen). Every name fails to resolve.",
		find: func(g *G, r *report) {
			for _, u := range g.addresses {
				for _, p := range g.dialling(u.at.object) {
					if o := g.cutOutside(endOf(p), nameServer); o != nil {
						r.add(o.in("spec", egress), p.Ref, "no rule lets %s resolve the name of %s", p.Ref, u.service.Ref).fix("add an egress rule for ports 53 and, on OpenShift, 5353, UDP and TCP")
					}
				}
			}
		},
	},
	{
		ID: "network-policy-api-server", Severity: Error,
		Doc: "A NetworkPolicy isolates the way out of the endpoint picker, and no policy lets it reach the API server (port 443 or 6443), where " +
			"it reads the pool and its pods. It never becomes ready. The API server is not a pod that a podSelector takes, on most clusters " +
			"it runs in the network of its node.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			if o := g.cutOutside(endOf(e.pods), apiServer); o != nil {
				r.add(o.in("spec", egress), e.pods.Ref, "no rule lets %s reach the API server", e.pods.Ref).fix("add an egress rule for ports 443 and 6443, TCP, without a podSelector")
			}
		}},
	},
}

// An exit is something outside of the set that pods have to reach.
type exit int

const (
	nameServer exit = iota
	apiServer
)

// exits say which egress rules lead there.
var exits = map[exit]func(rule field) bool{nameServer: toNameServer, apiServer: toAPIServer}

// toNameServer reports whether an egress rule leads to a name server, wherever it is.
func toNameServer(rule field) bool {
	ports := rule.at("ports").list()
	return len(ports) == 0 || slices.ContainsFunc(ports, func(p field) bool {
		text := p.at("port").text()
		return text == "" || strings.HasPrefix(text, "dns") || templated(text) || covers(p, 53) || covers(p, 5353)
	})
}

// covers reports whether a port of a rule, or its range, has the number.
func covers(port field, number int) bool {
	first, ok := port.at("port").number()
	last := first
	if end, ranged := port.at("endPort").number(); ranged {
		last = end
	}
	return ok && first <= number && number <= last
}

// toAPIServer reports whether an egress rule may lead to the API server: at its Service's port or
// at its own, which distributions choose (kubeadm and k3s 6443, minikube 8443, MicroK8s 16443).
func toAPIServer(rule field) bool {
	peers := rule.at("to").list()
	if len(peers) > 0 && !slices.ContainsFunc(peers, func(p field) bool { return p.at("ipBlock").is() || p.at("namespaceSelector").is() }) {
		return false
	}
	return slices.ContainsFunc([]int{443, 6443, 8443, 16443}, func(port int) bool {
		return opens(rule.at("ports"), flow{port: port})
	})
}

// cutOutside is cut for what is not in the set.
func (g *G) cutOutside(from end, to exit) *Object {
	return g.closed(from, egress, func(i *isolation) bool { return i.leadsTo(to) })
}
