package envoy

// Names of Envoy's own filters, by which Istio's patches match them.
const (
	HTTPConnectionManagerFilter = "envoy.filters.network.http_connection_manager"
	RouterFilter                = "envoy.filters.http.router"
)

// Type URLs of the messages that are packed into an Any.
const (
	TypeHTTPConnectionManager = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
	TypeRouter                = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"
	TypeStdoutAccessLog       = "type.googleapis.com/envoy.extensions.access_loggers.stream.v3.StdoutAccessLog"
	TypeHeaderMutation        = "type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3.HeaderMutation"
)

// Listener accepts connections.
type Listener struct {
	Name                          string           `json:"name"`
	Address                       Address          `json:"address"`
	AdditionalAddresses           []FurtherAddress `json:"additional_addresses,omitempty"`
	PerConnectionBufferLimitBytes int32            `json:"per_connection_buffer_limit_bytes"`
	FilterChains                  []FilterChain    `json:"filter_chains"`
}

// FurtherAddress is one on which a listener accepts connections as well.
type FurtherAddress struct {
	Address Address `json:"address"`
}

// FilterChain is what a connection goes through.
type FilterChain struct {
	Filters []NetworkFilter `json:"filters"`
}

// NetworkFilter handles a connection.
type NetworkFilter struct {
	Name        string                `json:"name"`
	TypedConfig HTTPConnectionManager `json:"typed_config"`
}

// HTTPConnectionManager speaks HTTP on a connection.
type HTTPConnectionManager struct {
	Type                         string              `json:"@type"`
	StatPrefix                   string              `json:"stat_prefix"`
	RouteConfig                  RouteConfiguration  `json:"route_config"`
	HTTPFilters                  []HTTPFilter        `json:"http_filters"`
	CommonHTTPProtocolOptions    HTTPProtocolOptions `json:"common_http_protocol_options"`
	StreamIdleTimeout            string              `json:"stream_idle_timeout"`
	UpgradeConfigs               []UpgradeConfig     `json:"upgrade_configs,omitempty"`
	AccessLog                    []AccessLog         `json:"access_log,omitempty"`
	StripAnyHostPort             bool                `json:"strip_any_host_port"`
	UseRemoteAddress             bool                `json:"use_remote_address"`
	NormalizePath                bool                `json:"normalize_path"`
	MergeSlashes                 bool                `json:"merge_slashes"`
	PathWithEscapedSlashesAction string              `json:"path_with_escaped_slashes_action"`
}

// HTTPProtocolOptions hold for every version of HTTP.
type HTTPProtocolOptions struct {
	IdleTimeout                  string `json:"idle_timeout"`
	HeadersWithUnderscoresAction string `json:"headers_with_underscores_action"`
}

// UpgradeConfig admits requests to change to another protocol.
type UpgradeConfig struct {
	UpgradeType string `json:"upgrade_type"`
}

// AccessLog tells of each request.
type AccessLog struct {
	Name        string          `json:"name"`
	TypedConfig StdoutAccessLog `json:"typed_config"`
}

// StdoutAccessLog writes Envoy's usual line to standard output.
type StdoutAccessLog struct {
	Type string `json:"@type"`
}

// StdoutLog is the access log on standard output.
func StdoutLog() []AccessLog {
	return []AccessLog{{Name: "envoy.access_loggers.stdout", TypedConfig: StdoutAccessLog{Type: TypeStdoutAccessLog}}}
}

// HTTPFilter handles a request. TypedConfig is one of the messages below.
type HTTPFilter struct {
	Name        string `json:"name"`
	TypedConfig any    `json:"typed_config"`
	Disabled    bool   `json:"disabled,omitempty"`
}

// Router sends requests to their cluster.
type Router struct {
	Type string `json:"@type"`
}

// HeaderMutation changes headers.
type HeaderMutation struct {
	Type      string    `json:"@type"`
	Mutations Mutations `json:"mutations"`
}

// Mutations are the changes to a request.
type Mutations struct {
	RequestMutations []Mutation `json:"request_mutations"`
}

// Mutation removes a header.
type Mutation struct {
	Remove string `json:"remove"`
}

// RemoveHeader is a filter that takes a header from every request.
func RemoveHeader(filter, header string) HTTPFilter {
	return HTTPFilter{
		Name: filter,
		TypedConfig: HeaderMutation{
			Type:      TypeHeaderMutation,
			Mutations: Mutations{RequestMutations: []Mutation{{Remove: header}}},
		},
	}
}
