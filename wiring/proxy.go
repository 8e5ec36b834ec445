package wiring

import (
	"slices"
	"strings"
)

// A proxy is an Envoy that nobody but its own bootstrap configures, beside or in the pods
// of an endpoint picker.
type proxy struct {
	*container
	pods *Pods
	// configAt holds the bootstrap.
	configAt  *Object
	bootstrap field
	// chains are the HTTP filters of each connection manager that has ext_proc.
	chains [][]processor
	// asked are the clusters that routes and filters name.
	asked []field
}

// isProxy knows Envoy by its image or its command.
func (c *container) isProxy() bool {
	return !c.init && (c.imageIs("envoyproxy/envoy") || len(c.words) > 0 && c.words[0] == "envoy")
}

func (g *G) findProxies() {
	for _, p := range g.Pods {
		for _, c := range p.containers {
			file := c.flag("config-path", "c")
			if m, key := g.mounted(p, c, file); c.isProxy() && m != nil {
				x := &proxy{container: c, pods: p, configAt: m, bootstrap: m.at("data", key).embedded()}
				x.read()
				g.proxies = append(g.proxies, x)
			}
		}
	}
}

func (x *proxy) read() {
	x.bootstrap.at("static_resources", "listeners").walk(func(key string, f field) {
		switch {
		case (key == "cluster" || key == "cluster_name") && f.text() != "":
			x.asked = append(x.asked, f)
		case key == "http_filters":
			if chain := processorsOf(f); len(chain) > 0 {
				x.chains = append(x.chains, chain)
			}
		case key == "weighted_clusters":
			for _, c := range f.at("clusters").list() {
				x.asked = append(x.asked, c.at("name"))
			}
		}
	})
}

func processorsOf(filters field) (chain []processor) {
	for _, f := range filters.list() {
		if strings.HasSuffix(f.at("typed_config", "@type").text(), extProcType) {
			chain = append(chain, processor{f.at("name").text(), f, f.at("disabled").text() != "true"})
		}
	}
	return chain
}

// asks is the cluster that a processor names.
func (p processor) asks() field {
	return p.value.at("typed_config", "grpc_service", "envoy_grpc", "cluster_name")
}

// cluster of the bootstrap by its name.
func (x *proxy) cluster(name string) field {
	all := x.bootstrap.at("static_resources", "clusters").list()
	if i := slices.IndexFunc(all, func(c field) bool { return c.at("name").text() == name }); i >= 0 {
		return all[i]
	}
	return field{}
}

// endpoints are the addresses of a cluster.
func endpoints(cluster field) (all []field) {
	for _, locality := range cluster.at("load_assignment", "endpoints").list() {
		for _, e := range locality.at("lb_endpoints").list() {
			all = append(all, e.at("endpoint", "address", "socket_address"))
		}
	}
	return all
}

// static says that the bootstrap alone configures the proxy.
func (x *proxy) static(resource string) bool {
	return !x.bootstrap.at("dynamic_resources", resource).is()
}

// linkProxy follows the clusters that are Services.
func (g *G) linkProxy(x *proxy) {
	for _, c := range x.bootstrap.at("static_resources", "clusters").list() {
		for _, e := range endpoints(c) {
			port := e.at("port_value")
			if to, ok := serviceOf(e.at("address").text(), x.pods.Namespace); ok && !templated(to.Name) {
				if s := g.link(place{x.configAt, e.at("address")}, to, "asks", port.text()); s != nil {
					g.addresses = append(g.addresses, portUse{place{x.configAt, port}, s, port.text(), false})
				}
			}
		}
	}
}

// A pickerUse is a cluster of a proxy by which ext_proc asks an endpoint picker.
type pickerUse struct {
	proxy   *proxy
	cluster field
	address field
	service *Object
	epps    []*epp
}

// local reports whether an address is the pod's own.
func local(address string) bool {
	return address == "localhost" || strings.HasPrefix(address, "127.") || address == "::1"
}

func (u *pickerUse) find(g *G) {
	host := u.address.at("address").text()
	if local(host) {
		for _, e := range g.epps {
			if e.pods == u.proxy.pods {
				u.epps = append(u.epps, e)
			}
		}
		return
	}
	if to, ok := serviceOf(host, u.proxy.pods.Namespace); ok {
		if u.service = g.Object(to); u.service != nil {
			u.epps = g.eppsBehind(u.service)
		}
	}
}

// tls reports whether the cluster speaks TLS.
func (u *pickerUse) tls() bool {
	return strings.HasSuffix(u.cluster.at("transport_socket", "typed_config", "@type").text(), "UpstreamTlsContext")
}

// http2 reports whether the cluster speaks HTTP/2, as gRPC needs: by the protocol options of
// today, or by the field that they replaced.
func (u *pickerUse) http2() bool {
	options := u.cluster.at("typed_extension_protocol_options", "envoy.extensions.upstreams.http.v3.HttpProtocolOptions")
	return options.at("explicit_http_config", "http2_protocol_options").node != nil || options.at("auto_config").node != nil ||
		options.at("use_downstream_protocol_config", "http2_protocol_options").node != nil || u.cluster.at("http2_protocol_options").node != nil
}
