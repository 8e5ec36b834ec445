package wiring

import "slices"

var envoyRules = []Rule{
	{
		ID: "envoyfilter-namespace", Severity: Error,
		Doc: "An EnvoyFilter is in another namespace than the Gateway that it names. Istio looks for the Gateway beside the filter, so that " +
			"the filter is without effect, silently.",
		find: func(g *G, r *report) {
			for _, o := range g.filters().all {
				for _, t := range o.targets {
					if g.Object(t.Ref) != nil {
						continue
					}
					for i, gateway := range g.index.slots[slot{"Gateway", everySpace, t.Name}] {
						if i < mostTaken {
							r.add(t.at, gateway.Ref, "%s is in another namespace, where this filter has no effect", gateway.Ref).fix("move the EnvoyFilter to namespace %s", gateway.Namespace)
						}
					}
				}
			}
		},
	},
	{
		ID: "envoyfilter-target", Severity: Error,
		Doc: "An EnvoyFilter has both targetRefs and a workloadSelector, which Istio refuses.",
		each: ofKinds{[]string{"EnvoyFilter"}, func(g *G, r *report, o *Object) {
			if o.at("spec", "targetRefs").is() && o.at("spec", "workloadSelector").is() {
				r.add(o.in("spec", "workloadSelector"), Ref{}, "targetRefs and workloadSelector exclude each other").fix("keep targetRefs")
			}
		}},
	},
	{
		ID: "envoyfilter-route", Severity: Error,
		Doc: "An EnvoyFilter patches a route of a name that Istio gives no route. The name is <namespace>.<HTTPRoute>.<index of the rule>, " +
			"or the rule's own name; …0.0 matches nothing. The patch is dropped silently and the endpoint picker's choice is ignored.",
		find: func(g *G, r *report) {
			if len(g.Kinds("HTTPRoute")) == 0 {
				return
			}
			for _, o := range g.filters().all {
				for _, name := range o.routes {
					if g.routeNamed(name.field.text()) == nil && !templated(name.field.text()) {
						r.add(name, Ref{}, "no HTTPRoute gives an Envoy route the name %s", name.field.text()).fix("there are %s", list(g.routing().names))
					}
				}
			}
		},
	},
	{
		ID: "envoyfilter-weighted", Severity: Error,
		Doc: "An EnvoyFilter sets the cluster of a route whose rule splits traffic. Merging it replaces the split: all requests go to that " +
			"one cluster and the weights are lost, silently.",
		each: of[*envoyFilter]{(*G).envoyFilters, func(g *G, r *report, f *envoyFilter) {
			for _, name := range f.routes {
				for _, b := range g.backendsOf(name.field.text()) {
					if b.others && len(f.merges) > 0 {
						r.add(name, b.at.object.Ref, "the rule splits traffic, which the patch replaces").fix("route to one backend, or split by rules")
						break
					}
				}
			}
		}},
	},
	{
		ID: "envoyfilter-cluster", Severity: Error,
		Doc: "An EnvoyFilter sends a route to a cluster that no patch of it adds and that is none of Istio's (outbound|…). Envoy answers 503.",
		each: of[*envoyFilter]{(*G).envoyFilters, func(g *G, r *report, f *envoyFilter) {
			for _, m := range f.merges {
				if name := m.field.text(); !f.added[name] && !istioCluster(name) && !g.adds(name) {
					r.add(m, Ref{}, "no CLUSTER patch adds %s", name).fix("add an ORIGINAL_DST cluster of that name")
				}
			}
		}},
	},
	{
		ID: "envoyfilter-filter-name", Severity: Error,
		Doc: "An EnvoyFilter configures a filter on a route by a name that none of its filters has. The key of typed_per_filter_config is " +
			"the filter's name; with another one the filter stays as it is, for a disabled one: off.",
		each: of[*envoyFilter]{(*G).envoyFilters, func(g *G, r *report, f *envoyFilter) {
			var names []string
			for _, p := range f.processors {
				names = append(names, p.name)
			}
			for _, key := range f.perRoute {
				if !slices.Contains(names, key.field.text()) {
					r.add(key, Ref{}, "%s is the name of no filter here", key.field.text()).fix("the ext_proc filter is named %s", list(names))
				}
			}
		}},
	},
	{
		ID: "ext-proc-twice", Severity: Error,
		Doc: "A route that an EnvoyFilter puts ext_proc on goes to an InferencePool, for which Istio adds ext_proc by itself: the endpoint " +
			"picker is asked twice for each request.",
		find: findTwice,
	},
	{
		ID: "ext-proc-body-mode", Severity: Error,
		Doc: "ext_proc's processing mode is one that the endpoint picker cannot work with: it reads bodies in FULL_DUPLEX_STREAMED, which " +
			"wants trailers SEND. SKIP is not a body mode and NONE no header mode; Istio refuses those.",
		find: func(g *G, r *report) {
			for _, f := range g.envoyFilters() {
				for _, p := range f.processors {
					bodyModes(r, f.Object, p)
				}
			}
			for _, x := range g.proxies {
				for _, chain := range x.chains {
					for _, p := range chain {
						bodyModes(r, x.configAt, p)
					}
				}
			}
		},
	},
}

func bodyModes(r *report, o *Object, p processor) {
	mode := p.value.at("typed_config", "processing_mode")
	for _, side := range []string{"request", "response"} {
		bodyMode(r, o, mode, side)
	}
}

func bodyMode(r *report, o *Object, mode field, side string) {
	body := mode.at(side + "_body_mode")
	if text := body.or("NONE"); text != "FULL_DUPLEX_STREAMED" && (side != "response" || text != "NONE") {
		r.add(place{o, body}, Ref{}, "%s_body_mode is %s, and the endpoint picker works with FULL_DUPLEX_STREAMED", side, text).fix("set it to FULL_DUPLEX_STREAMED, and %s_trailer_mode to SEND", side)
	} else if trailer := mode.at(side + "_trailer_mode"); text == "FULL_DUPLEX_STREAMED" && trailer.text() != "SEND" {
		r.add(place{o, trailer}, Ref{}, "%s_body_mode FULL_DUPLEX_STREAMED needs trailers", side).fix("set %s_trailer_mode to SEND", side)
	}
	if header := mode.at(side + "_header_mode"); header.is() && !slices.Contains([]string{"DEFAULT", "SEND", "SKIP"}, header.text()) {
		r.add(place{o, header}, Ref{}, "%s_header_mode has no %s", side, header.text()).fix("set it to SEND")
	}
}

func istioCluster(name string) bool {
	return len(name) > 9 && name[:9] == "outbound|" || templated(name)
}

// adds reports whether another EnvoyFilter adds the cluster.
func (g *G) adds(cluster string) bool { return g.filters().added[cluster] }

// backendsOf are the backends of the rule that Istio makes the Envoy route of.
func (g *G) backendsOf(name string) []backend {
	route := g.routeNamed(name)
	if route == nil {
		return nil
	}
	var out []backend
	for i, rule := range route.at("spec", "rules").list() {
		if envoyRouteName(route, i, rule) == name {
			for _, b := range backends(route) {
				if b.rule == i {
					out = append(out, b)
				}
			}
		}
	}
	return out
}

func findTwice(g *G, r *report) {
	for _, f := range g.envoyFilters() {
		always := slices.ContainsFunc(f.processors, func(p processor) bool { return p.always })
		for _, route := range g.patchedBy(f, always) {
			for _, b := range backends(route) {
				name := envoyRouteName(route, b.rule, route.at("spec", "rules", b.rule))
				patched := slices.ContainsFunc(f.routes, func(p place) bool { return p.field.text() == name })
				if b.Kind == "InferencePool" && (always || patched) {
					r.add(b.at, f.Ref, "Istio adds ext_proc for the pool, and %s adds it again", f.Ref).fix("drop the EnvoyFilter, or route to a Service")
				}
			}
		}
	}
}

// patchedBy are the routes of Istio's Gateways that a filter may be on: all of its Gateways,
// or those that it names.
func (g *G) patchedBy(f *envoyFilter, all bool) []*Object {
	var out []*Object
	istio := func(gateway *Object) bool { return isIstio(gateway) && f.patches(gateway) }
	for _, t := range f.targets {
		for _, gateway := range g.index.slots[slot{"Gateway", everySpace, t.Name}] {
			if all && istio(gateway) {
				out = append(out, first(g, g.routing().on[gateway])...)
			}
		}
	}
	for _, p := range f.routes {
		for _, route := range first(g, g.routing().named[p.field.text()]) {
			if !slices.Contains(out, route) && slices.ContainsFunc(g.gateways(route), istio) {
				out = append(out, route)
			}
		}
	}
	return slices.DeleteFunc(out, func(route *Object) bool { return route.Kind != "HTTPRoute" })
}
