package wiring

import "slices"

var proxyRules = []Rule{
	{
		ID: "proxy-cluster-missing", Severity: Error,
		Doc: "The bootstrap of a standalone Envoy names a cluster that it does not have. Envoy refuses the configuration and ends.",
		find: func(g *G, r *report) {
			for _, x := range g.proxies {
				for _, c := range x.asked {
					if name := c.text(); x.static("cds_config") && !templated(name) && x.cluster(name).node == nil {
						r.add(place{x.configAt, c}, x.pods.Ref, "there is no cluster %s", name).fix("add it to static_resources.clusters")
					}
				}
			}
		},
	},
	{
		ID: "proxy-picker-port", Severity: Error,
		Doc: "The cluster by which a standalone Envoy asks the endpoint picker leads to another port than the one that --grpc-port opens.",
		each: of[pickerUse]{(*G).picks, func(g *G, r *report, u pickerUse) {
			port := u.address.at("port_value")
			n, _ := port.number()
			for _, e := range u.epps {
				want, known := e.port(9002, "grpc-port")
				if u.service != nil {
					n = e.pods.numberOf(targetOf(u.service, port.text()).text())
				}
				if known && n != 0 && n != want {
					r.add(place{u.proxy.configAt, port}, e.pods.Ref, "leads to port %d, but the endpoint picker listens on %d", n, want).fix("ask port %d", want)
				}
			}
		}},
	},
	{
		ID: "proxy-picker-protocol", Severity: Error,
		Doc: "The cluster by which a standalone Envoy asks the endpoint picker has no http2_protocol_options. Envoy speaks HTTP/1.1 to it, " +
			"and ext_proc is gRPC.",
		each: of[pickerUse]{(*G).picks, func(g *G, r *report, u pickerUse) {
			if !u.http2() {
				r.add(place{u.proxy.configAt, u.cluster}, Ref{}, "cluster %s speaks HTTP/1.1, and ext_proc needs gRPC", u.cluster.at("name").text()).
					fix("set explicit_http_config.http2_protocol_options in its typed_extension_protocol_options")
			}
		}},
	},
	{
		ID: "proxy-picker-tls", Severity: Error,
		Doc: "A standalone Envoy speaks TLS to an endpoint picker that is started with --secure-serving=false, or plaintext to one that is " +
			"not. No request gets an endpoint.",
		find: findProxyTLS,
	},
	{
		ID: "proxy-ext-proc-twice", Severity: Error,
		Doc: "Two ext_proc filters of one filter chain ask the same cluster: the endpoint picker is asked twice for each request, and the " +
			"second choice wins.",
		find: func(g *G, r *report) {
			for _, x := range g.proxies {
				for _, chain := range x.chains {
					asked := map[string]bool{}
					for _, p := range chain {
						if name := p.asks(); p.always && asked[name.text()] {
							r.add(place{x.configAt, name}, Ref{}, "another filter asks %s already", name.text()).fix("keep one ext_proc filter")
						} else if p.always {
							asked[name.text()] = true
						}
					}
				}
			}
		},
	},
	{
		ID: "proxy-original-dst", Severity: Error,
		Doc: "The ORIGINAL_DST cluster of a standalone Envoy does not read the header in which the endpoint picker puts its choice, so that " +
			"Envoy sends requests to itself; or its lb_policy is not CLUSTER_PROVIDED, which Envoy refuses.",
		find: func(g *G, r *report) {
			for _, x := range g.proxies {
				for _, c := range x.bootstrap.at("static_resources", "clusters").list() {
					if c.at("type").text() != "ORIGINAL_DST" {
						continue
					}
					if header := c.at("original_dst_lb_config", "use_http_header"); header.text() != "true" && len(x.chains) > 0 {
						r.add(place{x.configAt, c}, Ref{}, "cluster %s reads no header", c.at("name").text()).fix("set original_dst_lb_config.use_http_header to true")
					}
					if policy := c.at("lb_policy"); policy.text() != "CLUSTER_PROVIDED" {
						r.add(place{x.configAt, policy}, Ref{}, "lb_policy is %s, and ORIGINAL_DST takes only CLUSTER_PROVIDED", policy.or("ROUND_ROBIN")).fix("set lb_policy to CLUSTER_PROVIDED")
					}
				}
			}
		},
	},
	{
		ID: "proxy-listener", Severity: Error,
		Doc: "A Service in front of a standalone Envoy leads to a port on which no listener of its bootstrap listens. Clients get connection " +
			"refused.",
		find: findListeners,
	},
}

func findProxyTLS(g *G, r *report) {
	for _, u := range g.picks() {
		at := place{u.proxy.configAt, u.cluster}
		for _, e := range u.epps {
			flag, _ := e.given("secure-serving")
			secure := e.on("secure-serving", true)
			switch {
			case templated(flag.value) || secure == u.tls():
			case secure:
				r.add(at, e.pods.Ref, "cluster %s speaks plaintext, and %s serves TLS", u.cluster.at("name").text(), e.pods.Ref).
					fix("give it a transport_socket with UpstreamTlsContext, or start the endpoint picker with --secure-serving=false")
			default:
				r.add(at, e.pods.Ref, "cluster %s speaks TLS, and %s is started with --secure-serving=false", u.cluster.at("name").text(), e.pods.Ref).
					fix("drop its transport_socket, or the flag")
			}
		}
	}
}

func findListeners(g *G, r *report) {
	for _, x := range g.proxies {
		var ports []string
		for _, l := range x.bootstrap.at("static_resources", "listeners").list() {
			ports = append(ports, l.at("address", "socket_address", "port_value").text())
		}
		ports = append(ports, x.bootstrap.at("admin", "address", "socket_address", "port_value").text())
		if !x.static("lds_config") || slices.ContainsFunc(ports, templated) {
			continue
		}
		for _, s := range g.Kinds("Service") {
			if !slices.Contains(g.selected(s, s.at("spec", "selector")), x.pods) {
				continue
			}
			for _, p := range s.at("spec", "ports").list() {
				target := targetOf(s, p.at("port").text())
				if n := x.pods.numberOf(target.text()); n != 0 && !slices.Contains(ports, itoa(n)) && !x.others(n) {
					r.add(place{s, target}, x.pods.Ref, "port %s leads to %d, on which Envoy does not listen", p.at("port").text(), n).fix("it listens on %s", list(ports))
				}
			}
		}
	}
}

// others reports whether another container of the pod has the port, as the endpoint picker
// has in the pod of the standalone chart.
func (x *proxy) others(port int) bool {
	return slices.ContainsFunc(x.pods.containers, func(c *container) bool { return c != x.container && c.hasPort(itoa(port)) })
}
