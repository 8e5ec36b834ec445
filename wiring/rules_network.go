package wiring

var networkRules = []Rule{
	{
		ID: "network-policy-cuts", Severity: Error,
		Doc: "A NetworkPolicy isolates pods, and no policy lets a connection through that the stack needs: from the gateway to the endpoint " +
			"picker (port 9002) and to the servers, from the endpoint picker to the servers' metrics, from decode to prefill and its KV " +
			"transfer (5600), from a pod to a Service that its flags name. The connection times out and nothing says why. Address " +
			"ranges, and what only a cluster knows, are given the benefit of the doubt.",
		find: func(g *G, r *report) {
			for _, f := range g.flows() {
				if o := g.cut(f, ingress); o != nil {
					r.add(o.in("spec", ingress), f.to.ref, "no rule lets %s in to %s, but %s", f.from.ref, f.to.ref, f).
						mend("add an ingress rule for port %d from the pods of %s", f.port, f.from.ref)
				}
				if o := g.cut(f, egress); o != nil {
					r.add(o.in("spec", egress), f.to.ref, "no rule lets %s out to %s, but %s", f.from.ref, f.to.ref, f).
						mend("add an egress rule for port %d to the pods of %s", f.port, f.to.ref)
				}
			}
		},
	},
	{
		ID: "network-policy-dns", Severity: Error,
		Doc: "A NetworkPolicy isolates the way out of pods that name a Service by its DNS name, and no policy lets them ask for it (port 53). " +
			"Every name fails to resolve.",
		find: func(g *G, r *report) {
			for _, u := range g.addresses {
				for _, p := range g.dialling(u.at.object) {
					if o := g.cutDNS(endOf(p)); o != nil {
						r.add(o.in("spec", egress), p.Ref, "no rule lets %s resolve the name of %s", p.Ref, u.service.Ref).mend("add an egress rule for port 53, UDP and TCP")
					}
				}
			}
		},
	},
}

// cutDNS is cut for a name server, wherever it is.
func (g *G) cutDNS(from end) *Object {
	var first *Object
	for _, o := range g.Kinds("NetworkPolicy") {
		if !isolates(o, egress) || o.Namespace != from.namespace || g.takes(o.at("spec", "podSelector"), from) != yes {
			continue
		}
		for _, rule := range o.at("spec", egress).list() {
			ports := rule.at("ports").list()
			if len(ports) == 0 {
				return nil
			}
			for _, p := range ports {
				if text := p.at("port").text(); text == "53" || text == "" || text == "dns" || templated(text) {
					return nil
				}
			}
		}
		if first == nil {
			first = o
		}
	}
	return first
}
