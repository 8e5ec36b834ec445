// Package extproc is the wiring of an Envoy to the endpoint picker, which the standalone
// proxy and Istio's EnvoyFilter share.
package extproc

import (
	"strconv"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/envoy"
)

// maxInFlight bounds connections and requests to the model servers and the EPP. Envoy's
// own default of 1024 throttles a busy pool (llm-d/llm-d 1582).
const maxInFlight = 40000

// extProcTimeout is how long the EPP may take for one message. It is long because the
// EPP queues requests while the pool is saturated; Istio's own filter has the same
// (istio pilot/pkg/xds/filters, InferencePoolExtProc).
const extProcTimeout = "1000s"

// ExtProcFilter has the EPP, in a cluster that the caller names, choose the server.
func ExtProcFilter(s *base.Stack, filter, cluster string) envoy.HTTPFilter {
	mode := s.Line.EPP.BodyMode
	trailers := "SKIP"
	if mode == envoy.FullDuplexStreamed {
		trailers = "SEND"
	}
	return envoy.HTTPFilter{
		Name: filter,
		TypedConfig: envoy.ExternalProcessor{
			Type: envoy.TypeExternalProcessor,
			GRPCService: envoy.GRPCService{
				EnvoyGRPC: envoy.EnvoyGRPC{ClusterName: cluster, Authority: eppAuthority(s)},
				Timeout:   "10s",
			},
			FailureModeAllow: s.FailOpen(),
			ProcessingMode: envoy.ProcessingMode{
				RequestHeaderMode:   "SEND",
				ResponseHeaderMode:  "SEND",
				RequestBodyMode:     mode,
				ResponseBodyMode:    mode,
				RequestTrailerMode:  trailers,
				ResponseTrailerMode: trailers,
			},
			MessageTimeout:    extProcTimeout,
			AllowModeOverride: true,
		},
	}
}

// OriginalDst is the cluster that goes to the address in the header that the EPP set.
func OriginalDst(s *base.Stack, name string) envoy.Cluster {
	return envoy.Cluster{
		Name:           name,
		Type:           "ORIGINAL_DST",
		LBPolicy:       "CLUSTER_PROVIDED",
		ConnectTimeout: "10s",
		OriginalDstLBConfig: &envoy.OriginalDstLBConfig{
			UseHTTPHeader:  true,
			HTTPHeaderName: s.Line.EPP.DestinationHeader,
		},
		CircuitBreakers:               CircuitBreakers(),
		TypedExtensionProtocolOptions: envoy.HTTP1(ServerIdle),
		TransportSocket:               ServerTLS(s),
	}
}

// ServerTLS encrypts on the way to the servers where they want it, and verifies nothing: a
// server is asked by the address of its pod.
func ServerTLS(s *base.Stack) *envoy.TransportSocket {
	if !s.ServesTLS() {
		return nil
	}
	return envoy.TLS("http/1.1")
}

// ServerIdle is how long a connection to a server is kept for the next request. It is
// below keepAliveSeconds: of a connection that the server has just closed a request comes
// back as 503.
const ServerIdle = "60s"

func CircuitBreakers() envoy.CircuitBreakers {
	return envoy.CircuitBreakers{Thresholds: []envoy.Threshold{{
		MaxConnections:     maxInFlight,
		MaxPendingRequests: maxInFlight,
		MaxRequests:        maxInFlight,
	}}}
}

func eppAuthority(s *base.Stack) string {
	return s.EPPHost() + ":" + strconv.Itoa(int(s.Spec.Scheduler.Port))
}
