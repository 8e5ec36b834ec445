package wiring

import (
	"maps"
	"slices"
	"strings"
)

// An envoyFilter is what an EnvoyFilter says, as far as ext_proc goes.
type envoyFilter struct {
	*Object
	// targets are the Gateways it patches.
	targets []target
	// clusters are the Services of Istio that its filters ask.
	clusters []clusterUse
	// processors are its ext_proc filters.
	processors []processor
	// added are the names of the clusters it adds.
	added map[string]bool
	// routes are the names of the Envoy routes it patches.
	routes []place
	// merges are the clusters it sends routes to, beside the route's name.
	merges []place
	// perRoute are the filters that it configures on a route.
	perRoute []place
}

type target struct {
	Ref
	at place
}

type clusterUse struct {
	at         place
	host, port string
}

type processor struct {
	name   string
	value  field
	always bool
}

const extProcType = "envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor"

func envoyFilterOf(o *Object) *envoyFilter {
	f := &envoyFilter{Object: o, added: map[string]bool{}}
	for _, t := range o.at("spec", "targetRefs").list() {
		f.target(t.at("kind").or("Gateway"), t.at("name"))
	}
	f.target("Gateway", o.at("spec", "workloadSelector", "labels", gatewayLabel))
	for _, p := range o.at("spec", "configPatches").list() {
		f.patch(p)
	}
	return f
}

func (f *envoyFilter) target(kind string, name field) {
	if kind == "Gateway" && name.is() {
		f.targets = append(f.targets, target{Ref{Group: gatewayGroup, Kind: kind, Namespace: f.Namespace, Name: name.text()}, place{f.Object, name}})
	}
}

func (f *envoyFilter) patch(p field) {
	value := p.at("patch", "value")
	switch p.at("applyTo").text() {
	case "CLUSTER":
		f.added[value.at("name").text()] = true
	case "HTTP_FILTER":
		f.filter(value)
	case "HTTP_ROUTE":
		if name := p.at("match", "routeConfiguration", "vhost", "route", "name"); name.is() {
			f.routes = append(f.routes, place{f.Object, name})
		}
		if cluster := value.at("route", "cluster"); cluster.is() {
			f.merges = append(f.merges, place{f.Object, cluster})
		}
		configs := value.at("typed_per_filter_config")
		for _, key := range configs.keys() {
			f.perRoute = append(f.perRoute, place{f.Object, field{node: scalar(key), parent: configs.at(key).parent}})
		}
	}
}

func (f *envoyFilter) filter(value field) {
	config := value.at("typed_config")
	if !strings.HasSuffix(config.at("@type").text(), extProcType) {
		return
	}
	f.processors = append(f.processors, processor{value.at("name").text(), value, value.at("disabled").text() != "true"})
	cluster := config.at("grpc_service", "envoy_grpc", "cluster_name")
	if parts := strings.Split(cluster.text(), "|"); len(parts) == 4 {
		f.clusters = append(f.clusters, clusterUse{place{f.Object, cluster}, parts[3], parts[1]})
	}
}

// filters are the EnvoyFilters of a set.
type filters struct {
	all []*envoyFilter
	// processing are those that put ext_proc before a Gateway.
	processing []*envoyFilter
	// added are the names of the clusters that they add.
	added map[string]bool
}

func (g *G) findFilters() *filters {
	out := &filters{added: map[string]bool{}}
	for _, o := range g.Kinds("EnvoyFilter") {
		f := envoyFilterOf(o)
		out.all = append(out.all, f)
		maps.Copy(out.added, f.added)
		if len(f.processors) > 0 {
			out.processing = append(out.processing, f)
		}
	}
	return out
}

// envoyFilters are those that put ext_proc before a Gateway.
func (g *G) envoyFilters() []*envoyFilter { return g.filters().processing }

// patches reports whether the filter is about the Gateway, wherever the Gateway is.
func (f *envoyFilter) patches(gateway *Object) bool {
	return slices.ContainsFunc(f.targets, func(t target) bool {
		return t.Name == gateway.Name && sameNamespace(f.Namespace, gateway.Namespace)
	})
}
