package wiring

import (
	"slices"
	"strings"
)

// pickHeader is the header in which the endpoint picker names its choice.
const pickHeader = "x-gateway-destination-endpoint"

// patchRules look at how an EnvoyFilter says things; envoyRules at what it names.
var patchRules = []Rule{
	{
		ID: "envoyfilter-context", Severity: Error,
		Doc: "A patch of an EnvoyFilter on a Gateway is for sidecars (SIDECAR_INBOUND, SIDECAR_OUTBOUND). A Gateway's proxy is of context " +
			"GATEWAY and never gets it, silently.",
		each: of[*envoyFilter]{(*G).envoyFilters, func(g *G, r *report, f *envoyFilter) {
			for _, p := range f.at("spec", "configPatches").list() {
				context := p.at("match", "context")
				if len(f.targets) > 0 && strings.HasPrefix(context.text(), "SIDECAR") {
					r.add(place{f.Object, context}, Ref{}, "%s is not a context of a Gateway's proxy", context.text()).fix("set it to GATEWAY")
				}
			}
		}},
	},
	{
		ID: "envoyfilter-order", Severity: Error,
		Doc: "An EnvoyFilter puts ext_proc behind the router, or in its place. The router ends the chain: what is behind it is never asked, " +
			"and Envoy refuses a chain that ends with anything else (Envoy, HTTP connection manager, http_filters).",
		each: of[*envoyFilter]{(*G).envoyFilters, func(g *G, r *report, f *envoyFilter) {
			for _, p := range f.at("spec", "configPatches").list() {
				f.order(r, p)
			}
		}},
	},
	{
		ID: "envoyfilter-original-dst", Severity: Error,
		Doc: "The cluster that an EnvoyFilter sends a route to does not go where the endpoint picker says. It is of type ORIGINAL_DST, with " +
			"lb_policy CLUSTER_PROVIDED and an original_dst_lb_config that reads x-gateway-destination-endpoint; any other kind " +
			"balances by itself and the choice is ignored.",
		each: of[*envoyFilter]{(*G).envoyFilters, func(g *G, r *report, f *envoyFilter) {
			for _, p := range f.at("spec", "configPatches").list() {
				cluster := p.at("patch", "value")
				if p.at("applyTo").text() == "CLUSTER" && f.picksFor(cluster.at("name").text()) {
					f.originalDst(r, cluster)
				}
			}
		}},
	},
}

// picksFor reports whether a route to the cluster passes the endpoint picker: other clusters are nobody's business here.
func (f *envoyFilter) picksFor(cluster string) bool {
	for _, p := range f.at("spec", "configPatches").list() {
		value := p.at("patch", "value")
		if p.at("applyTo").text() != "HTTP_ROUTE" || value.at("route", "cluster").text() != cluster {
			continue
		}
		if slices.ContainsFunc(f.processors, func(x processor) bool { return x.always || value.at("typed_per_filter_config", x.name).is() }) {
			return true
		}
	}
	return false
}

// order looks at where a patch puts ext_proc. ADD appends (istio pilot/pkg/networking/core/envoyfilter/listener_patch.go).
func (f *envoyFilter) order(r *report, patch field) {
	if !strings.HasSuffix(patch.at("patch", "value", "typed_config", "@type").text(), extProcType) {
		return
	}
	operation := patch.at("patch", "operation")
	beside := patch.at("match", "listener", "filterChain", "filter", "subFilter", "name").text()
	router := beside == "" || beside == "envoy.filters.http.router"
	switch operation.text() {
	case "ADD":
		r.add(place{f.Object, operation}, Ref{}, "ADD appends: ext_proc comes behind the router").fix("use INSERT_BEFORE with subFilter envoy.filters.http.router")
	case "INSERT_AFTER":
		if router {
			r.add(place{f.Object, operation}, Ref{}, "ext_proc comes behind the router").fix("use INSERT_BEFORE")
		}
	case "REPLACE":
		if router {
			r.add(place{f.Object, operation}, Ref{}, "ext_proc replaces the router, or nothing").fix("use INSERT_BEFORE")
		}
	}
}

// originalDst looks at a cluster that requests go to after the endpoint picker has chosen. Envoy's override_host policy
// follows a choice too (load_balancing_policy), and a metadata key instead of a header.
func (f *envoyFilter) originalDst(r *report, cluster field) {
	kind, policy := either(cluster, "type"), either(cluster, "lb_policy", "lbPolicy")
	config := either(cluster, "original_dst_lb_config", "originalDstLbConfig")
	header := either(config, "http_header_name", "httpHeaderName")
	switch {
	case either(cluster, "load_balancing_policy", "loadBalancingPolicy").is():
	case kind.text() != "ORIGINAL_DST":
		r.add(place{f.Object, kind}, Ref{}, "a cluster of type %s goes its own way", kind.or("STATIC")).fix("set type to ORIGINAL_DST")
	case policy.text() != "CLUSTER_PROVIDED":
		r.add(place{f.Object, policy}, Ref{}, "lb_policy is %s, and an ORIGINAL_DST cluster knows CLUSTER_PROVIDED only", policy.or("ROUND_ROBIN")).fix("set lb_policy to CLUSTER_PROVIDED")
	case either(config, "metadata_key", "metadataKey").is():
	case either(config, "use_http_header", "useHttpHeader").text() != "true":
		r.add(place{f.Object, config}, Ref{}, "the cluster reads no header").fix("set original_dst_lb_config: {use_http_header: true, http_header_name: %s}", pickHeader)
	case header.text() != pickHeader && !templated(header.text()):
		r.add(place{f.Object, header}, Ref{}, "the cluster reads %s, and the endpoint picker writes %s", header.or("x-envoy-original-dst-host"), pickHeader).fix("set http_header_name to %s", pickHeader)
	}
}

// either is the field under the first of the names that is there: Envoy takes the names of protobuf and those of JSON.
func either(f field, names ...string) field {
	for _, name := range names {
		if v := f.at(name); v.is() {
			return v
		}
	}
	return f.at(names[0])
}
