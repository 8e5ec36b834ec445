package envoy

// Type URLs of the external processing messages.
const (
	TypeExternalProcessor = "type.googleapis.com/envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor"
	TypeExtProcPerRoute   = "type.googleapis.com/envoy.extensions.filters.http.ext_proc.v3.ExtProcPerRoute"
)

// FullDuplexStreamed is the body mode in which the processor answers while it is still
// being sent the body. Envoy demands that trailers are sent as well then.
const FullDuplexStreamed = "FULL_DUPLEX_STREAMED"

// ExternalProcessor has a gRPC service look at requests and responses.
type ExternalProcessor struct {
	Type              string         `json:"@type"`
	GRPCService       GRPCService    `json:"grpc_service"`
	FailureModeAllow  bool           `json:"failure_mode_allow"`
	ProcessingMode    ProcessingMode `json:"processing_mode"`
	MessageTimeout    string         `json:"message_timeout"`
	AllowModeOverride bool           `json:"allow_mode_override"`
}

// ProcessingMode says which parts are sent.
type ProcessingMode struct {
	RequestHeaderMode   string `json:"request_header_mode"`
	ResponseHeaderMode  string `json:"response_header_mode"`
	RequestBodyMode     string `json:"request_body_mode"`
	ResponseBodyMode    string `json:"response_body_mode"`
	RequestTrailerMode  string `json:"request_trailer_mode"`
	ResponseTrailerMode string `json:"response_trailer_mode"`
}

// GRPCService is where the processor is.
type GRPCService struct {
	EnvoyGRPC EnvoyGRPC `json:"envoy_grpc"`
	Timeout   string    `json:"timeout"`
}

// EnvoyGRPC is a gRPC service in a cluster.
type EnvoyGRPC struct {
	ClusterName string `json:"cluster_name"`
	Authority   string `json:"authority"`
}

// ExtProcPerRoute turns the filter on for a route: an empty override enables a filter
// that is disabled on the listener.
type ExtProcPerRoute struct {
	Type      string           `json:"@type"`
	Overrides ExtProcOverrides `json:"overrides"`
}

// ExtProcOverrides overrides nothing.
type ExtProcOverrides struct{}
