package envoyproxy

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/generators/envoy"
	"github.com/inferstack/inferstack/generators/extproc"
)

// connectionBuffer bounds what Envoy holds of a connection in memory.
const connectionBuffer = 32 << 10

// Pages of Envoy's admin interface.
const (
	readyPath   = "/ready"
	MetricsPath = "/stats/prometheus"
)

// trafficListener takes the clients' requests.
func (f proxy) trafficListener() envoy.Listener {
	var filters []envoy.HTTPFilter
	if f.Scored() {
		filters = append(filters,
			envoy.RemoveHeader("inferstack.guard", f.Line.EPP.DestinationHeader),
			extproc.ExtProcFilter(f.Stack, "envoy.filters.http.ext_proc", clusterExtProc))
	}
	l := f.listener("http", f.Gateway.Envoy.ListenPort, envoy.VirtualHost{
		Name:    "model",
		Domains: f.domains(),
		Routes:  f.trafficRoutes(),
	}, filters)
	manager := &l.FilterChains[0].Filters[0].TypedConfig
	// Speech goes over WebSockets (vLLM's /v1/realtime).
	manager.UpgradeConfigs = []envoy.UpgradeConfig{{UpgradeType: "websocket"}}
	if f.Gateway.Envoy.AccessLog {
		manager.AccessLog = envoy.StdoutLog()
	}
	return l
}

// domains are the host names of the route.
func (f proxy) domains() []string {
	if len(f.Spec.Route.Hostnames) == 0 {
		return []string{"*"}
	}
	return slices.Clone(f.Spec.Route.Hostnames)
}

// trafficRoutes send a request where the EPP said. Envoy looks for the route again once
// the EPP has answered, so a request without its header is one that the EPP did not see.
func (f proxy) trafficRoutes() []envoy.Route {
	if !f.Scored() {
		return []envoy.Route{f.trafficRoute(clusterService)}
	}
	picked := f.trafficRoute(clusterOriginalDst)
	if !f.FailOpen() {
		return []envoy.Route{picked}
	}
	picked.Match.Headers = []envoy.HeaderMatcher{{Name: f.Line.EPP.DestinationHeader, PresentMatch: true}}
	return []envoy.Route{picked, f.trafficRoute(clusterService)}
}

func (f proxy) trafficRoute(cluster string) envoy.Route {
	return envoy.Route{
		Name:  cluster,
		Match: &envoy.RouteMatch{Prefix: "/"},
		// A model may think for long before it says anything: no idle timeout.
		Route: envoy.RouteAction{Cluster: cluster, Timeout: envoy.Seconds(f.Spec.Route.Timeouts.Request), IdleTimeout: "0s"},
	}
}

// adminListener shows two pages of the admin interface: /ready to the probes and
// /stats/prometheus to Prometheus. The others tell addresses, certificates and the whole
// configuration to whoever reaches the pod.
func (f proxy) adminListener() envoy.Listener {
	var routes []envoy.Route
	for _, path := range []string{readyPath, MetricsPath} {
		routes = append(routes, envoy.Route{
			Name: strings.TrimPrefix(path, "/"),
			Match: &envoy.RouteMatch{
				Path:    path,
				Headers: []envoy.HeaderMatcher{{Name: ":method", StringMatch: &envoy.StringMatch{Exact: "GET"}}},
			},
			Route: envoy.RouteAction{Cluster: clusterAdmin, Timeout: "15s"},
		})
	}
	return f.listener("admin", f.Gateway.Envoy.AdminPort, envoy.VirtualHost{
		Name:    "admin",
		Domains: []string{"*"},
		Routes:  routes,
	}, nil)
}

// addresses are the further addresses of a listener: every one of IPv6, for clusters
// whose pods have no other.
func (f proxy) addresses(port int32) []envoy.FurtherAddress {
	if !f.Gateway.Envoy.ListenIPv6 {
		return nil
	}
	return []envoy.FurtherAddress{{Address: envoy.At("::", port)}}
}

// listener is an HTTP listener with Envoy's settings for a proxy at the edge
// (envoyproxy.io, Configuring Envoy as an edge proxy).
func (f proxy) listener(name string, port int32, host envoy.VirtualHost, filters []envoy.HTTPFilter) envoy.Listener {
	return envoy.Listener{
		Name:                          name,
		Address:                       envoy.At("0.0.0.0", port),
		AdditionalAddresses:           f.addresses(port),
		PerConnectionBufferLimitBytes: connectionBuffer,
		FilterChains: []envoy.FilterChain{{Filters: []envoy.NetworkFilter{{
			Name: envoy.HTTPConnectionManagerFilter,
			TypedConfig: envoy.HTTPConnectionManager{
				Type:        envoy.TypeHTTPConnectionManager,
				StatPrefix:  name,
				RouteConfig: envoy.RouteConfiguration{Name: name, VirtualHosts: []envoy.VirtualHost{host}},
				HTTPFilters: append(filters, envoy.HTTPFilter{
					Name:        envoy.RouterFilter,
					TypedConfig: envoy.Router{Type: envoy.TypeRouter},
				}),
				CommonHTTPProtocolOptions: envoy.HTTPProtocolOptions{
					IdleTimeout:                  "3600s",
					HeadersWithUnderscoresAction: "REJECT_REQUEST",
				},
				StreamIdleTimeout: "300s",
				// A host name with a port is the same host.
				StripAnyHostPort:             true,
				UseRemoteAddress:             true,
				NormalizePath:                true,
				MergeSlashes:                 true,
				PathWithEscapedSlashesAction: "UNESCAPE_AND_REDIRECT",
			},
		}}}},
	}
}
