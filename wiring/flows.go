package wiring

import (
	"slices"
	"strconv"
	"strings"
)

// flows are the connections without which the set does not serve, each once, with the
// first reason for it.
func (g *G) flows() []flow {
	type key struct {
		from, to Ref
		port     int
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(g.everyFlow(), func(f flow) bool {
		k := key{f.from.ref, f.to.ref, f.port}
		defer func() { seen[k] = true }()
		return seen[k]
	})
}

func (g *G) everyFlow() (all []flow) {
	for _, pool := range g.Kinds("InferencePool") {
		all = append(all, g.poolFlows(pool)...)
	}
	all = append(all, g.serviceFlows()...)
	all = append(all, g.transfers()...)
	all = append(all, g.embeddings()...)
	for _, u := range g.addresses {
		all = append(all, g.dials(u)...)
	}
	return all
}

// poolFlows are those around a pool: its gateways ask the endpoint picker and the
// servers, and the endpoint picker reads the servers' metrics.
func (g *G) poolFlows(pool *Object) (all []flow) {
	fronts, servers := paired(g.fronts(pool), g.selected(pool, poolSelector(pool)))
	for _, from := range fronts {
		for _, e := range g.pickers(pool) {
			if port, known := e.port(9002, "grpc-port"); known {
				all = append(all, flow{from, endOf(e.pods), port, "the gateway asks the endpoint picker"})
			}
		}
		all = append(all, to(g.picked(pool, servers), from, pool, "the gateway sends requests to the servers")...)
	}
	for _, e := range g.pickers(pool) {
		all = append(all, to(servers, endOf(e.pods), pool, "the endpoint picker reads the servers' metrics")...)
	}
	return all
}

// picked are the servers that a gateway sends requests to. With a sidecar those are the
// ones that decode: it is the sidecar that asks a prefill server. A configuration that does
// not tell the two apart may pick any.
func (g *G) picked(pool *Object, servers []*Pods) []*Pods {
	anyServer := func(e *epp) bool {
		return e.configAt != nil && (!e.plugin(disaggregators...).is() || !e.plugin("decode-filter", "by-label", "by-label-selector", "label-selector-filter").is())
	}
	if !slices.ContainsFunc(servers, func(p *Pods) bool { return p.sidecar() != nil }) || slices.ContainsFunc(g.pickers(pool), anyServer) {
		return servers
	}
	return slices.DeleteFunc(slices.Clone(servers), func(p *Pods) bool { return !p.decodes() })
}

func to(servers []*Pods, from end, pool *Object, why string) (all []flow) {
	for _, s := range servers {
		for _, p := range targetPorts(pool) {
			all = append(all, flow{from, endOf(s), p, why})
		}
	}
	return all
}

func targetPorts(pool *Object) (ports []int) {
	for _, p := range pool.at("spec", "targetPorts").list() {
		if n, ok := p.at("number").number(); ok {
			ports = append(ports, n)
		}
	}
	if n, ok := pool.at("spec", "targetPortNumber").number(); ok {
		ports = append(ports, n)
	}
	return ports
}

// pickers are the endpoint pickers behind the Service that a pool names.
func (g *G) pickers(pool *Object) []*epp {
	ref := pool.at("spec", "endpointPickerRef")
	if s := g.Object(Ref{Kind: "Service", Namespace: pool.Namespace, Name: ref.at("name").text()}); s != nil {
		return g.eppsBehind(s)
	}
	return nil
}

// fronts are the gateways of a pool, as far as their pods are in the cluster: GKE's are
// not. Controllers label the pods that they make for a Gateway with its name (Gateway
// API, GEP-1762).
func (g *G) fronts(pool *Object) []end {
	var all []end
	known := map[Ref]bool{}
	for _, route := range g.routing().to[pool] {
		if route.Kind != "HTTPRoute" {
			continue
		}
		for _, e := range gatewayEnds(g.gateways(route)) {
			if !known[e.ref] {
				known[e.ref], all = true, append(all, e)
			}
		}
	}
	return append(all, g.asking().fronts[pool]...)
}

func gatewayEnds(gateways []*Object) (all []end) {
	for _, o := range gateways {
		if !strings.HasPrefix(o.at("spec", "gatewayClassName").text(), "gke-") {
			all = append(all, end{ref: o.Ref, namespace: o.Namespace, labels: map[string]string{gatewayLabel: o.Name}, partial: true})
		}
	}
	return all
}

// serviceFlows are those of routes that go to a Service, past the pool or with ext_proc by
// an EnvoyFilter.
func (g *G) serviceFlows() (all []flow) {
	type way struct {
		from    Ref
		service *Object
		port    string
	}
	known := map[way]bool{}
	for _, route := range g.Kinds("HTTPRoute") {
		for _, b := range backends(route) {
			s := g.Object(b.Ref)
			if s == nil || s.Kind != "Service" {
				continue
			}
			for _, from := range gatewayEnds(g.gateways(route)) {
				w := way{from.ref, s, b.port.text()}
				if !known[w] {
					known[w], all = true, append(all, g.into(from, s, w.port, "the gateway sends requests to the servers")...)
				}
			}
		}
	}
	return all
}

// into are the flows to the pods of a Service.
func (g *G) into(from end, s *Object, port, why string) (all []flow) {
	target := targetOf(s, port)
	pods := g.selected(s, s.at("spec", "selector"))
	for _, p := range pods[:min(len(pods), mostPaired)] {
		if n := p.numberOf(target.text()); n != 0 {
			all = append(all, flow{from, endOf(p), n, why})
		}
	}
	return all
}

// transfers are those of prefill and decode of a pool: the sidecar sends a request to a prefill
// server first, and the decode server then asks that one for the KV cache over NIXL's side
// channel (vLLM, VLLM_NIXL_SIDE_CHANNEL_PORT).
func (g *G) transfers() (all []flow) {
	type pair struct{ decode, prefill *Pods }
	known := map[pair]bool{}
	for _, pool := range g.Kinds("InferencePool") {
		decodes, prefills := paired(sides(g.selected(pool, poolSelector(pool))))
		for _, d := range decodes {
			for _, p := range prefills {
				if at := (pair{d, p}); p != d && sameNamespace(d.Namespace, p.Namespace) && !known[at] {
					known[at], all = true, append(all, flowsBetween(d, p)...)
				}
			}
		}
	}
	return all
}

// sides are the pods with a sidecar and those that prefill.
func sides(servers []*Pods) (decodes, prefills []*Pods) {
	for _, p := range servers {
		if p.sidecar() != nil {
			decodes = append(decodes, p)
		}
		if p.server() != nil && p.labels[roleLabel] == "prefill" {
			prefills = append(prefills, p)
		}
	}
	return decodes, prefills
}

func flowsBetween(decode, prefill *Pods) (all []flow) {
	server := prefill.server()
	if port, known := server.port(8000, "port"); known {
		all = append(all, flow{endOf(decode), endOf(prefill), port, "the sidecar sends requests to the prefill servers"})
	}
	if channel := server.env["VLLM_NIXL_SIDE_CHANNEL_PORT"].at("value"); server.isVLLM() {
		if n, err := strconv.Atoi(channel.or("5600")); err == nil {
			all = append(all, flow{endOf(decode), endOf(prefill), n, "decode servers fetch the KV cache from prefill servers"})
		}
	}
	return all
}

// dials are the flows to a Service that a flag or a configuration names.
func (g *G) dials(u portUse) (all []flow) {
	why := "it is told to ask " + u.service.String()
	if u.at.object.Kind == "EnvoyFilter" {
		for _, t := range envoyFilterOf(u.at.object).targets {
			if gateway := g.Object(t.Ref); gateway != nil {
				for _, from := range gatewayEnds([]*Object{gateway}) {
					all = append(all, g.into(from, u.service, u.port, why)...)
				}
			}
		}
	}
	for _, from := range g.dialling(u.at.object) {
		all = append(all, g.into(endOf(from), u.service, u.port, why)...)
	}
	return all
}

// dialling are the pods that an object speaks for: a workload for its own, a ConfigMap for
// those of the endpoint picker or the proxy that reads it.
func (g *G) dialling(o *Object) []*Pods {
	return append(slices.Clip(g.podsOf[o]), g.asking().readers[o]...)
}
