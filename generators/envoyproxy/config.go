package envoyproxy

import (
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/envoy"
	"github.com/inferstack/inferstack/generators/extproc"
)

// Clusters of the standalone proxy.
const (
	clusterOriginalDst = "original_destination_cluster"
	clusterExtProc     = "ext_proc"
	clusterService     = "model_servers"
	clusterAdmin       = "admin"
)

// adminPort is Envoy's own admin port, on the loopback address. What the pod shows
// of it is read-only: anyone who reaches the real one can stop the proxy.
const adminPort = 9901

// config is the proxy's whole configuration.
func (f proxy) config() string {
	data, err := yaml.Marshal(envoy.Bootstrap{
		Admin: envoy.Admin{Address: envoy.At("127.0.0.1", adminPort)},
		StaticResources: envoy.StaticResources{
			Listeners: []envoy.Listener{f.trafficListener(), f.adminListener()},
			Clusters:  f.clusters(),
		},
	})
	if err != nil {
		panic(err) // the messages marshal
	}
	return string(data)
}

func (f proxy) clusters() []envoy.Cluster {
	var clusters []envoy.Cluster
	if f.Scored() {
		clusters = append(clusters, extproc.OriginalDst(f.Stack, clusterOriginalDst), f.extProcCluster())
	}
	if f.ToService() {
		clusters = append(clusters, f.serviceCluster())
	}
	return append(clusters, adminCluster())
}

// extProcCluster is the EPP's Service. The kernel looks for dead connections there, and
// not Envoy by PING frames: the EPP's gRPC server has no keepalive policy
// (llm-d-router pkg/epp/server/runserver.go), so that grpc-go closes a connection with
// ENHANCE_YOUR_CALM after the third PING within five minutes of a quiet stream, and an
// answer that takes longer to come dies with it.
func (f proxy) extProcCluster() envoy.Cluster {
	return envoy.Cluster{
		Name:                          clusterExtProc,
		Type:                          "STRICT_DNS",
		LBPolicy:                      "LEAST_REQUEST",
		ConnectTimeout:                "5s",
		DNSLookupFamily:               "V4_PREFERRED",
		CircuitBreakers:               extproc.CircuitBreakers(),
		TypedExtensionProtocolOptions: envoy.HTTP2(),
		UpstreamConnectionOptions: &envoy.ConnectionOptions{
			TCPKeepalive: envoy.TCPKeepalive{KeepaliveTime: 30, KeepaliveInterval: 5, KeepaliveProbes: 3},
		},
		TransportSocket: f.extProcTLS(),
		LoadAssignment:  envoy.Assignment(clusterExtProc, envoy.At(f.EPPHost(), f.Spec.Scheduler.Port)),
	}
}

// extProcTLS does not verify the EPP's certificate, which is its own unless a Secret
// holds another.
func (f proxy) extProcTLS() *envoy.TransportSocket {
	if !f.Spec.Scheduler.SecureServing {
		return nil
	}
	return envoy.TLS("h2")
}

// serviceCluster is the plain Service: the bypass, or the way past an EPP that is down.
func (f proxy) serviceCluster() envoy.Cluster {
	host := base.ServiceHost(f.ServiceName(), f.Namespace())
	return envoy.Cluster{
		Name:            clusterService,
		Type:            "STRICT_DNS",
		LBPolicy:        "LEAST_REQUEST",
		ConnectTimeout:  "10s",
		DNSLookupFamily: "V4_PREFERRED",
		CircuitBreakers: extproc.CircuitBreakers(),
		LoadAssignment:  envoy.Assignment(clusterService, envoy.At(host, f.ServicePort())),

		TypedExtensionProtocolOptions: envoy.HTTP1(extproc.ServerIdle),
		TransportSocket:               extproc.ServerTLS(f.Stack),
	}
}

func adminCluster() envoy.Cluster {
	return envoy.Cluster{
		Name:            clusterAdmin,
		Type:            "STATIC",
		LBPolicy:        "ROUND_ROBIN",
		ConnectTimeout:  "1s",
		CircuitBreakers: extproc.CircuitBreakers(),
		LoadAssignment:  envoy.Assignment(clusterAdmin, envoy.At("127.0.0.1", adminPort)),
	}
}
