package helm

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema/document"
)

// moved says where the router charts have what the inferencepool chart had elsewhere
// (llm-d-router config/charts/routerlib/values.yaml, v0.10).
var moved = []struct{ old, now string }{
	{"inferenceExtension.failureMode", "router.inferencePool.failureMode"},
	{"inferenceExtension.monitoring.interval", "router.monitoring.interval"},
	{"inferenceExtension.monitoring.prometheus", "router.monitoring.prometheus"},
	{"inferenceExtension.monitoring", "router.monitoring"},
	{"inferenceExtension.tracing", "router.tracing"},
	{"inferenceExtension.latencyPredictor", "router.latencyPredictor"},
	{"inferenceExtension.extraServicePorts", "router.extraServicePorts"},
	{"inferencePool.modelServers.matchLabels", "router.modelServers.matchLabels"},
	{"inferencePool.targetPorts", "router.modelServers.targetPorts"},
	{"inferencePool.targetPortNumber", "router.modelServers.targetPortNumber"},
	{"inferencePool.apiVersion", "router.inferencePool.apiVersion"},
	{"inferencePool.modelServerType", "router.modelServers.type"},
	{"inferencePool.modelServerProtocol", "router.modelServers.protocol"},
	{"inferencePool", "router.modelServers"},
	{"inferenceObjectives", "router.inferenceObjectives"},
	{"experimentalHttpRoute.enabled", "httpRoute.create"},
	{"experimentalHttpRoute", "httpRoute"},
	{"inferenceExtension", "router.epp"},
}

// routerPath is the path in a router's values for one of the inferencepool chart.
func routerPath(old string) string {
	for _, m := range moved {
		if rest, ok := strings.CutPrefix(old, m.old); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return m.now + rest
		}
	}
	return old
}

// readPool reads the values of either chart into those of the inferencepool chart.
func (r *release) readPool(f *document.Document) {
	if !f.Has("router") {
		r.poolPart = r.read(f, r.pool)
		return
	}
	r.router = new(RouterValues)
	r.routerPart = r.read(f, r.router)
	if len(r.Problems.Errors()) > 0 {
		return
	}
	doc := r.routerPart.Doc
	node := r.older(doc)
	older := document.Document{Source: doc.Source, Node: node}
	r.poolPart = r.Part(older).As(doc, routerPath)
	r.Decoded(document.Decode(older, r.pool))
}

// older moves the values to where the inferencepool chart has them.
func (r *release) older(doc document.Document) *yaml.Node {
	to := r.Draft.Sheet()
	for _, field := range []string{
		"replicas", "image", "extProcPort", "env", "flags", "pluginsConfigFile", "pluginsCustomConfig", "extraContainerPorts", "affinity",
		"tolerations", "nodeSelector", "resources", "volumes", "volumeMounts", "metricsDataSource", "logVerbosity",
	} {
		to.Move(doc.At("router.epp."+field), "inferenceExtension."+field)
	}
	for _, m := range moved {
		switch m.old {
		case "inferenceExtension", "inferencePool", "experimentalHttpRoute", "inferenceExtension.monitoring", "inferenceExtension.extraServicePorts":
			continue
		}
		to.Move(doc.At(m.now), m.old)
	}
	for _, field := range []string{"replicas", "affinity", "tolerations"} { // 0.9
		if doc.At("router.epp."+field) == nil {
			to.Move(doc.At("router."+field), "inferenceExtension."+field)
		}
	}
	to.Move(doc.At("provider"), "provider")
	for _, field := range []string{"inferenceGatewayName", "inferenceGatewayNamespace", "requestTimeout", "headerMatches"} {
		to.Move(doc.At("httpRoute."+field), "experimentalHttpRoute."+field)
	}
	return to.Root
}

// routerRest is what the older chart had no value for.
func (r *release) routerRest() {
	if r.router == nil {
		return
	}
	p, v := r.routerPart, &r.router.Router
	r.routerEPP(p, &v.EPP)
	if r.standalone(p, v) {
		r.proxied(p, &proxy{v.Proxy, proxySection, routerPorts, v.ExtraServicePorts})
	} else {
		r.proxyless(p, routerPorts, v.ExtraServicePorts)
	}
	if v.InferencePool.Create != nil && !*v.InferencePool.Create {
		p.Set("spec.pool.create", false, "router.inferencePool.create")
	}
	var secrets []string
	for _, s := range v.ImagePullSecrets {
		secrets = append(secrets, s.Name)
	}
	if len(secrets) > 0 {
		p.Set("spec.images.pullSecrets", secrets, "router.imagePullSecrets")
	}
	if v.ClusterDomain != "" && v.ClusterDomain != "cluster.local" {
		p.Lost("router.clusterDomain", "another domain than cluster.local, which the generated host names end with")
	}
	if v.Tokenizer.Enabled {
		r.tokenizer(p, &v.Tokenizer)
	}
	r.provider(p, v.Monitoring.Provider.Name)
}

// provider is who scrapes the EPP.
func (r *release) provider(p *draft.Part, name string) {
	const from = "router.monitoring.provider.name"
	switch name {
	case "", "prometheusoperator":
	case "gmp":
		p.Lost(from, "Google's own PodMonitoring; with the Prometheus operator's CRDs, prometheusoperator makes a ServiceMonitor")
	default:
		p.On("", from).Fail("must be prometheusoperator or gmp (got %q)", name)
	}
}
