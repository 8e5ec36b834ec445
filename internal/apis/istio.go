package apis

// EnvoyFilter of networking.istio.io/v1alpha3.
type EnvoyFilter = Resource[EnvoyFilterSpec]

// EnvoyFilterSpec patches the configuration of the proxies it applies to.
type EnvoyFilterSpec struct {
	TargetRefs       []TargetReference `json:"targetRefs,omitempty"`
	WorkloadSelector *WorkloadSelector `json:"workloadSelector,omitempty"`
	ConfigPatches    []ConfigPatch     `json:"configPatches"`
}

// WorkloadSelector selects proxies by pod labels.
type WorkloadSelector struct {
	Labels map[string]string `json:"labels"`
}

// ConfigPatch is one patch.
type ConfigPatch struct {
	ApplyTo string     `json:"applyTo"`
	Match   PatchMatch `json:"match"`
	Patch   Patch      `json:"patch"`
}

// PatchMatch says where a patch applies.
type PatchMatch struct {
	Context            string                   `json:"context"`
	Listener           *ListenerMatch           `json:"listener,omitempty"`
	RouteConfiguration *RouteConfigurationMatch `json:"routeConfiguration,omitempty"`
}

// ListenerMatch matches a filter of a listener.
type ListenerMatch struct {
	FilterChain FilterChainMatch `json:"filterChain"`
}

// FilterChainMatch matches a filter of a filter chain.
type FilterChainMatch struct {
	Filter FilterMatch `json:"filter"`
}

// FilterMatch matches a network filter, and an HTTP filter in it.
type FilterMatch struct {
	Name      string          `json:"name"`
	SubFilter *SubFilterMatch `json:"subFilter,omitempty"`
}

// SubFilterMatch matches an HTTP filter.
type SubFilterMatch struct {
	Name string `json:"name"`
}

// RouteConfigurationMatch matches a route.
type RouteConfigurationMatch struct {
	VHost VHostMatch `json:"vhost"`
}

// VHostMatch matches a route of a virtual host.
type VHostMatch struct {
	Route RouteMatch `json:"route"`
}

// RouteMatch matches a route by name.
type RouteMatch struct {
	Name string `json:"name"`
}

// Patch is the operation and its value, a message of Envoy's API.
type Patch struct {
	Operation string `json:"operation"`
	Value     any    `json:"value"`
}

// DestinationRule of networking.istio.io.
type DestinationRule = Resource[DestinationRuleSpec]

// DestinationRuleSpec says how proxies talk to a host.
type DestinationRuleSpec struct {
	Host          string        `json:"host"`
	TrafficPolicy TrafficPolicy `json:"trafficPolicy"`
}

// TrafficPolicy holds the settings of a host.
type TrafficPolicy struct {
	LoadBalancer      *LoadBalancer       `json:"loadBalancer,omitempty"`
	ConnectionPool    *ConnectionPool     `json:"connectionPool,omitempty"`
	TLS               *ClientTLS          `json:"tls,omitempty"`
	PortLevelSettings []PortTrafficPolicy `json:"portLevelSettings,omitempty"`
}

// PortTrafficPolicy holds the settings of one port.
type PortTrafficPolicy struct {
	Port           PortSelector    `json:"port"`
	ConnectionPool *ConnectionPool `json:"connectionPool,omitempty"`
	TLS            ClientTLS       `json:"tls"`
}

// PortSelector names a port of a Service.
type PortSelector struct {
	Number int32 `json:"number"`
}

// LoadBalancer names an algorithm.
type LoadBalancer struct {
	Simple string `json:"simple"`
}

// ConnectionPool bounds connections and requests.
type ConnectionPool struct {
	TCP  *ConnectionPoolTCP  `json:"tcp,omitempty"`
	HTTP *ConnectionPoolHTTP `json:"http,omitempty"`
}

// ConnectionPoolTCP bounds connections.
type ConnectionPoolTCP struct {
	MaxConnections        *int32 `json:"maxConnections,omitempty"`
	ConnectTimeout        string `json:"connectTimeout,omitempty"`
	MaxConnectionDuration string `json:"maxConnectionDuration,omitempty"`
}

// ConnectionPoolHTTP bounds requests.
type ConnectionPoolHTTP struct {
	HTTP1MaxPendingRequests  *int32 `json:"http1MaxPendingRequests,omitempty"`
	HTTP2MaxRequests         *int32 `json:"http2MaxRequests,omitempty"`
	MaxRequestsPerConnection *int32 `json:"maxRequestsPerConnection,omitempty"`
	IdleTimeout              string `json:"idleTimeout,omitempty"`
}

// ClientTLS is the client's side of TLS.
type ClientTLS struct {
	Mode               string `json:"mode"`
	InsecureSkipVerify bool   `json:"insecureSkipVerify,omitempty"`
}
