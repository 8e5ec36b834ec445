package envoy

// Type URLs of the messages that a cluster packs into an Any.
const (
	TypeHTTPProtocolOptions = "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions"
	TypeUpstreamTLSContext  = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext"
)

// HTTPProtocolOptionsKey is the key of HTTPUpstream in a cluster.
const HTTPProtocolOptionsKey = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions"

// TLSSocket is the name of the TLS transport socket.
const TLSSocket = "envoy.transport_sockets.tls"

// Cluster is a group of servers.
type Cluster struct {
	Name                          string                  `json:"name"`
	Type                          string                  `json:"type"`
	LBPolicy                      string                  `json:"lb_policy"`
	ConnectTimeout                string                  `json:"connect_timeout"`
	DNSLookupFamily               string                  `json:"dns_lookup_family,omitempty"`
	OriginalDstLBConfig           *OriginalDstLBConfig    `json:"original_dst_lb_config,omitempty"`
	CircuitBreakers               CircuitBreakers         `json:"circuit_breakers"`
	TypedExtensionProtocolOptions map[string]HTTPUpstream `json:"typed_extension_protocol_options,omitempty"`
	UpstreamConnectionOptions     *ConnectionOptions      `json:"upstream_connection_options,omitempty"`
	TransportSocket               *TransportSocket        `json:"transport_socket,omitempty"`
	LoadAssignment                *LoadAssignment         `json:"load_assignment,omitempty"`
}

// OriginalDstLBConfig says where an ORIGINAL_DST cluster finds the address.
type OriginalDstLBConfig struct {
	UseHTTPHeader  bool   `json:"use_http_header"`
	HTTPHeaderName string `json:"http_header_name"`
}

// CircuitBreakers bound what goes on at the same time.
type CircuitBreakers struct {
	Thresholds []Threshold `json:"thresholds"`
}

// Threshold bounds one priority.
type Threshold struct {
	MaxConnections     int32 `json:"max_connections"`
	MaxPendingRequests int32 `json:"max_pending_requests"`
	MaxRequests        int32 `json:"max_requests"`
}

// LoadAssignment lists the servers.
type LoadAssignment struct {
	ClusterName string              `json:"cluster_name"`
	Endpoints   []LocalityEndpoints `json:"endpoints"`
}

// LocalityEndpoints lists the servers of a locality.
type LocalityEndpoints struct {
	LBEndpoints []LBEndpoint `json:"lb_endpoints"`
}

// LBEndpoint is a server.
type LBEndpoint struct {
	Endpoint Endpoint `json:"endpoint"`
}

// Endpoint is the address of a server.
type Endpoint struct {
	Address Address `json:"address"`
}

// Assignment returns a LoadAssignment of one address.
func Assignment(cluster string, at Address) *LoadAssignment {
	return &LoadAssignment{
		ClusterName: cluster,
		Endpoints:   []LocalityEndpoints{{LBEndpoints: []LBEndpoint{{Endpoint{at}}}}},
	}
}

// HTTPUpstream says how HTTP is spoken to a cluster.
type HTTPUpstream struct {
	Type                      string                   `json:"@type"`
	CommonHTTPProtocolOptions *UpstreamProtocolOptions `json:"common_http_protocol_options,omitempty"`
	ExplicitHTTPConfig        ExplicitHTTPConfig       `json:"explicit_http_config"`
}

// UpstreamProtocolOptions hold for every version of HTTP.
type UpstreamProtocolOptions struct {
	IdleTimeout string `json:"idle_timeout"`
}

// ExplicitHTTPConfig is HTTP/1.1 or HTTP/2, with Envoy's own settings.
type ExplicitHTTPConfig struct {
	HTTPProtocolOptions  *struct{} `json:"http_protocol_options,omitempty"`
	HTTP2ProtocolOptions *struct{} `json:"http2_protocol_options,omitempty"`
}

// HTTP2 speaks HTTP/2.
func HTTP2() map[string]HTTPUpstream {
	return map[string]HTTPUpstream{HTTPProtocolOptionsKey: {
		Type:               TypeHTTPProtocolOptions,
		ExplicitHTTPConfig: ExplicitHTTPConfig{HTTP2ProtocolOptions: &struct{}{}},
	}}
}

// HTTP1 speaks HTTP/1.1 and drops a connection that was idle for so long.
func HTTP1(idle string) map[string]HTTPUpstream {
	return map[string]HTTPUpstream{HTTPProtocolOptionsKey: {
		Type:                      TypeHTTPProtocolOptions,
		CommonHTTPProtocolOptions: &UpstreamProtocolOptions{IdleTimeout: idle},
		ExplicitHTTPConfig:        ExplicitHTTPConfig{HTTPProtocolOptions: &struct{}{}},
	}}
}

// ConnectionOptions are the socket options of the connections to a cluster.
type ConnectionOptions struct {
	TCPKeepalive TCPKeepalive `json:"tcp_keepalive"`
}

// TCPKeepalive has the kernel find connections that died silently. Times are in
// seconds.
type TCPKeepalive struct {
	KeepaliveTime     int32 `json:"keepalive_time"`
	KeepaliveInterval int32 `json:"keepalive_interval"`
	KeepaliveProbes   int32 `json:"keepalive_probes"`
}

// TransportSocket encrypts.
type TransportSocket struct {
	Name        string             `json:"name"`
	TypedConfig UpstreamTLSContext `json:"typed_config"`
}

// TLS encrypts and verifies nothing.
func TLS(protocol string) *TransportSocket {
	return &TransportSocket{
		Name: TLSSocket,
		TypedConfig: UpstreamTLSContext{
			Type:             TypeUpstreamTLSContext,
			CommonTLSContext: CommonTLSContext{ALPNProtocols: []string{protocol}},
		},
	}
}

// UpstreamTLSContext is the client's side of TLS. An empty validation context accepts
// any certificate.
type UpstreamTLSContext struct {
	Type             string           `json:"@type"`
	CommonTLSContext CommonTLSContext `json:"common_tls_context"`
}

// CommonTLSContext is what both sides of TLS have.
type CommonTLSContext struct {
	ALPNProtocols     []string          `json:"alpn_protocols"`
	ValidationContext ValidationContext `json:"validation_context"`
}

// ValidationContext validates nothing.
type ValidationContext struct{}
