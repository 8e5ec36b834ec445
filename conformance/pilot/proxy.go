package pilot

// Proxy is what one gateway's Envoy is sent.
type Proxy struct {
	Gateway   string
	Listeners []Listener
	Routes    []RouteConfiguration
	Clusters  []Cluster
	// Invalid are messages that Envoy would refuse.
	Invalid []string
}

// Listener is an Envoy listener.
type Listener struct {
	Name         string `json:"name"`
	FilterChains []struct {
		Filters []struct {
			TypedConfig struct {
				HTTPFilters []HTTPFilter `json:"http_filters"`
			} `json:"typed_config"`
		} `json:"filters"`
	} `json:"filter_chains"`
}

// HTTPFilter is one filter of an HTTP connection manager.
type HTTPFilter struct {
	Name        string  `json:"name"`
	Disabled    bool    `json:"disabled"`
	TypedConfig ExtProc `json:"typed_config"`
}

// ExtProc is the configuration of an ext_proc filter, or of a route's override of it.
type ExtProc struct {
	Type        string `json:"@type"`
	GRPCService *struct {
		EnvoyGRPC struct {
			ClusterName string `json:"cluster_name"`
		} `json:"envoy_grpc"`
	} `json:"grpc_service"`
	ProcessingMode   map[string]string `json:"processing_mode"`
	FailureModeAllow *bool             `json:"failure_mode_allow"`
}

// RouteConfiguration holds the routes of a port.
type RouteConfiguration struct {
	Name         string `json:"name"`
	VirtualHosts []struct {
		Domains []string `json:"domains"`
		Routes  []Route  `json:"routes"`
	} `json:"virtual_hosts"`
}

// Route is one Envoy route.
type Route struct {
	Name  string `json:"name"`
	Route struct {
		Cluster          string `json:"cluster"`
		WeightedClusters struct {
			Clusters []WeightedCluster `json:"clusters"`
		} `json:"weighted_clusters"`
	} `json:"route"`
	TypedPerFilterConfig map[string]PerRoute `json:"typed_per_filter_config"`
}

// WeightedCluster is one branch of a traffic split.
type WeightedCluster struct {
	Name                 string              `json:"name"`
	TypedPerFilterConfig map[string]PerRoute `json:"typed_per_filter_config"`
}

// PerRoute is a route's own configuration of a filter.
type PerRoute struct {
	Type      string   `json:"@type"`
	Disabled  bool     `json:"disabled"`
	Overrides *ExtProc `json:"overrides"`
}

// Cluster is an Envoy cluster.
type Cluster struct {
	Name                string         `json:"name"`
	Type                string         `json:"type"`
	LBPolicy            string         `json:"lb_policy"`
	TransportSocket     map[string]any `json:"transport_socket"`
	OriginalDstLBConfig struct {
		UseHTTPHeader  bool   `json:"use_http_header"`
		HTTPHeaderName string `json:"http_header_name"`
	} `json:"original_dst_lb_config"`
	ProtocolOptions map[string]struct {
		Explicit map[string]any `json:"explicit_http_config"`
	} `json:"typed_extension_protocol_options"`
}

const (
	extProcType  = "type.googleapis.com/envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor"
	routerFilter = "envoy.filters.http.router"
)

// HTTPFilters returns the filter list of every HTTP connection manager of the proxy.
func (p *Proxy) HTTPFilters() [][]HTTPFilter {
	var lists [][]HTTPFilter
	for _, listener := range p.Listeners {
		for _, chain := range listener.FilterChains {
			for _, filter := range chain.Filters {
				if len(filter.TypedConfig.HTTPFilters) > 0 {
					lists = append(lists, filter.TypedConfig.HTTPFilters)
				}
			}
		}
	}
	return lists
}

// Cluster returns the cluster of that name, or nil.
func (p *Proxy) Cluster(name string) *Cluster {
	for i := range p.Clusters {
		if p.Clusters[i].Name == name {
			return &p.Clusters[i]
		}
	}
	return nil
}

// AllRoutes returns every Envoy route of the proxy.
func (p *Proxy) AllRoutes() []Route {
	var routes []Route
	for _, configuration := range p.Routes {
		for _, host := range configuration.VirtualHosts {
			routes = append(routes, host.Routes...)
		}
	}
	return routes
}

// HTTP2 reports whether Envoy speaks HTTP/2 to the cluster, which gRPC needs.
func (c *Cluster) HTTP2() bool {
	for _, options := range c.ProtocolOptions {
		if _, ok := options.Explicit["http2_protocol_options"]; ok {
			return true
		}
	}
	return false
}
