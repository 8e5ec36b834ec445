package generators

import (
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/generators/envoy"
)

// Clusters of the standalone proxy.
const (
	clusterOriginalDst = "original_destination_cluster"
	clusterExtProc     = "ext_proc"
	clusterService     = "model_servers"
	clusterAdmin       = "admin"
)

// envoyAdminPort is Envoy's own admin port, on the loopback address. What the pod shows
// of it is read-only: anyone who reaches the real one can stop the proxy.
const envoyAdminPort = 9901

// envoyConfig is the proxy's whole configuration.
func (f front) envoyConfig() string {
	data, err := yaml.Marshal(envoy.Bootstrap{
		Admin: envoy.Admin{Address: envoy.At("127.0.0.1", envoyAdminPort)},
		StaticResources: envoy.StaticResources{
			Listeners: []envoy.Listener{f.trafficListener(), f.adminListener()},
			Clusters:  f.envoyClusters(),
		},
	})
	if err != nil {
		panic(err) // the messages marshal
	}
	return string(data)
}

func (f front) envoyClusters() []envoy.Cluster {
	var clusters []envoy.Cluster
	if f.scored() {
		clusters = append(clusters, f.originalDst(clusterOriginalDst), f.extProcCluster())
	}
	if f.toService() {
		clusters = append(clusters, f.serviceCluster())
	}
	return append(clusters, adminCluster())
}

// extProcCluster is the EPP's Service. The kernel looks for dead connections there, and
// not Envoy by PING frames: the EPP's gRPC server has no keepalive policy
// (llm-d-router pkg/epp/server/runserver.go), so that grpc-go closes a connection with
// ENHANCE_YOUR_CALM after the third PING within five minutes of a quiet stream, and an
// answer that takes longer to come dies with it.
func (f front) extProcCluster() envoy.Cluster {
	return envoy.Cluster{
		Name:                          clusterExtProc,
		Type:                          "STRICT_DNS",
		LBPolicy:                      "LEAST_REQUEST",
		ConnectTimeout:                "5s",
		DNSLookupFamily:               "V4_PREFERRED",
		CircuitBreakers:               circuitBreakers(),
		TypedExtensionProtocolOptions: envoy.HTTP2(),
		UpstreamConnectionOptions: &envoy.ConnectionOptions{
			TCPKeepalive: envoy.TCPKeepalive{KeepaliveTime: 30, KeepaliveInterval: 5, KeepaliveProbes: 3},
		},
		TransportSocket: f.extProcTLS(),
		LoadAssignment:  envoy.Assignment(clusterExtProc, envoy.At(f.eppHost(), f.Spec.Scheduler.Port)),
	}
}

// extProcTLS does not verify the EPP's certificate, which is its own unless a Secret
// holds another.
func (f front) extProcTLS() *envoy.TransportSocket {
	if !f.Spec.Scheduler.SecureServing {
		return nil
	}
	return &envoy.TransportSocket{
		Name: envoy.TLSSocket,
		TypedConfig: envoy.UpstreamTLSContext{
			Type:             envoy.TypeUpstreamTLSContext,
			CommonTLSContext: envoy.CommonTLSContext{ALPNProtocols: []string{"h2"}},
		},
	}
}

// serviceCluster is the plain Service: the bypass, or the way past an EPP that is down.
func (f front) serviceCluster() envoy.Cluster {
	host := serviceHost(f.serviceName(), f.namespace())
	return envoy.Cluster{
		Name:            clusterService,
		Type:            "STRICT_DNS",
		LBPolicy:        "LEAST_REQUEST",
		ConnectTimeout:  "10s",
		DNSLookupFamily: "V4_PREFERRED",
		CircuitBreakers: circuitBreakers(),
		LoadAssignment:  envoy.Assignment(clusterService, envoy.At(host, f.servicePort())),

		TypedExtensionProtocolOptions: envoy.HTTP1(serverIdle),
	}
}

func adminCluster() envoy.Cluster {
	return envoy.Cluster{
		Name:            clusterAdmin,
		Type:            "STATIC",
		LBPolicy:        "ROUND_ROBIN",
		ConnectTimeout:  "1s",
		CircuitBreakers: circuitBreakers(),
		LoadAssignment:  envoy.Assignment(clusterAdmin, envoy.At("127.0.0.1", envoyAdminPort)),
	}
}
