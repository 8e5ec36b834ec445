package generators

import (
	"strings"
	"time"

	"strconv"

	"github.com/inferstack/inferstack/generators/envoy"
)

// maxInFlight bounds connections and requests to the model servers and the EPP. Envoy's
// own default of 1024 throttles a busy pool (llm-d/llm-d 1582).
const maxInFlight = 40000

// extProcTimeout is how long the EPP may take for one message. It is long because the
// EPP queues requests while the pool is saturated; Istio's own filter has the same
// (istio pilot/pkg/xds/filters, InferencePoolExtProc).
const extProcTimeout = "1000s"

// extProcFilter has the EPP, in a cluster that the caller names, choose the server.
func (s *Stack) extProcFilter(filter, cluster string) envoy.HTTPFilter {
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
				EnvoyGRPC: envoy.EnvoyGRPC{ClusterName: cluster, Authority: s.eppAuthority()},
				Timeout:   "10s",
			},
			FailureModeAllow: s.failOpen(),
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

// originalDst is the cluster that goes to the address in the header that the EPP set.
func (s *Stack) originalDst(name string) envoy.Cluster {
	return envoy.Cluster{
		Name:           name,
		Type:           "ORIGINAL_DST",
		LBPolicy:       "CLUSTER_PROVIDED",
		ConnectTimeout: "10s",
		OriginalDstLBConfig: &envoy.OriginalDstLBConfig{
			UseHTTPHeader:  true,
			HTTPHeaderName: s.Line.EPP.DestinationHeader,
		},
		CircuitBreakers:               circuitBreakers(),
		TypedExtensionProtocolOptions: envoy.HTTP1(serverIdle),
	}
}

// serverIdle is how long a connection to a server is kept for the next request. It is
// below keepAliveSeconds: of a connection that the server has just closed a request comes
// back as 503.
const serverIdle = "60s"

func circuitBreakers() envoy.CircuitBreakers {
	return envoy.CircuitBreakers{Thresholds: []envoy.Threshold{{
		MaxConnections:     maxInFlight,
		MaxPendingRequests: maxInFlight,
		MaxRequests:        maxInFlight,
	}}}
}

func (s *Stack) eppHost() string { return serviceHost(s.eppName(), s.eppNamespace()) }

func (s *Stack) eppAuthority() string {
	return s.eppHost() + ":" + strconv.Itoa(int(s.Spec.Scheduler.Port))
}

// seconds writes a duration as protobuf's JSON has it, such as 300s for 5m. The schema
// has let only durations through.
func seconds(duration string) string {
	d, err := time.ParseDuration(duration)
	if err != nil {
		return duration
	}
	text := strconv.FormatFloat(d.Seconds(), 'f', 9, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + "s"
}
