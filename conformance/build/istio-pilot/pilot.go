package main

import (
	"time"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/gateway-api/pkg/consts"

	"istio.io/istio/pilot/pkg/config/kube/gateway"
	"istio.io/istio/pilot/pkg/model"
	"istio.io/istio/pilot/test/xds"
	"istio.io/istio/pkg/config/schema/gvr"
	kubelib "istio.io/istio/pkg/kube"
	"istio.io/istio/pkg/kube/kclient/clienttest"
	"istio.io/istio/pkg/test"
)

// serve starts the control plane over the manifests and collects what it has to say once it has nothing new to say.
func serve(t test.Failer, m *Manifests) *Result {
	server := xds.NewFakeDiscoveryServer(t, xds.FakeOptions{
		KubernetesObjects: append(m.kubernetes, surroundings(m)...),
		Configs:           m.istio,
		KubeClientModifier: func(c kubelib.Client) {
			// The fake server installs the kinds of Istio's ambient tests; these are the rest that routes can refer to.
			// Pilot ignores Gateway API kinds whose CRD does not name a bundle version.
			bundle := map[string]string{consts.BundleVersionAnnotation: consts.BundleVersion}
			clienttest.MakeCRDWithAnnotations(t, c, gvr.InferencePool, bundle)
			clienttest.MakeCRDWithAnnotations(t, c, gvr.BackendTLSPolicy, bundle)
			clienttest.MakeCRDWithAnnotations(t, c, gvr.GRPCRoute, bundle)
			clienttest.MakeCRDWithAnnotations(t, c, gvr.ListenerSet, bundle)
		},
	})
	statuses := newStatusStore(server.KubeClient())
	controller := server.Env().GatewayAPIController.(*gateway.Controller)
	controller.SetStatusWrite(true, statuses.manager(test.NewStop(t)))
	settle(server, statuses)

	result := &Result{Refused: m.refused, Ignored: m.ignored, Statuses: statuses.list()}
	for _, g := range m.gateways {
		if g.Spec.GatewayClassName == "istio" {
			result.Proxies = append(result.Proxies, proxy(server, g))
		}
	}
	return result
}

// settle waits until a second has passed without a push or a status: the shadow Service of an InferencePool is
// written by one controller and read by another, so the first answer is not the last.
func settle(server *xds.FakeDiscoveryServer, statuses *statusStore) {
	for quiet := 0; quiet < 10; quiet++ {
		pushes, writes := server.Discovery.InboundUpdates.Load(), statuses.writes.Load()
		time.Sleep(100 * time.Millisecond)
		if pushes != server.Discovery.InboundUpdates.Load() || writes != statuses.writes.Load() {
			quiet = -1
		}
	}
}

func proxy(server *xds.FakeDiscoveryServer, g *gwapiv1.Gateway) Proxy {
	node := server.SetupProxy(&model.Proxy{
		Type:            model.Router,
		ConfigNamespace: g.Namespace,
		Labels:          proxyLabels(g),
		Metadata: &model.NodeMetadata{
			Labels: proxyLabels(g), Namespace: g.Namespace, IstioVersion: "1.31.0",
		},
	})
	p := Proxy{Gateway: g.Namespace + "/" + g.Name}
	listeners := server.Listeners(node)
	p.Listeners = dump(&p, listeners)
	p.Routes = dump(&p, server.RoutesFromListeners(node, listeners))
	p.Clusters = dump(&p, server.Clusters(node))
	p.Endpoints = dump(&p, server.Endpoints(node))
	return p
}
