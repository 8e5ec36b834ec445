package helm

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/schema"
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
func (r *release) readPool(f File) {
	var root struct {
		Router yaml.Node `yaml:"router"`
	}
	if yaml.Unmarshal(f.Data, &root) != nil || root.Router.Kind == 0 {
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
	older := schema.Document{Source: doc.Source, Node: node}
	r.poolPart = r.Part(older).As(doc, routerPath)
	r.Decoded(schema.Decode(older, r.pool))
}

// older moves the values to where the inferencepool chart has them.
func (r *release) older(doc schema.Document) *yaml.Node {
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
	to.Move(doc.At("provider"), "provider")
	for _, field := range []string{"inferenceGatewayName", "requestTimeout"} {
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
	r.proxy(p, v)
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
		p.Lost("router.clusterDomain", "another domain than cluster.local")
	}
	if v.Tokenizer["enabled"] == true {
		p.Lost("router.tokenizer", "a tokenizer in the EPP's pod; scheduler.tokenizer makes one beside it for the preset that needs it")
	}
	if n := v.Monitoring.Provider.Name; n == "gmp" {
		p.Lost("router.monitoring.provider", "Google's own monitoring of the EPP")
	}
	route := &r.router.HTTPRoute
	if route.Create && route.Namespace != "" && r.Has(gatewaySection) {
		p.Set(gatewaySection+".namespace", route.Namespace, "httpRoute.inferenceGatewayNamespace")
	}
	if len(route.HeaderMatches) > 0 {
		p.Lost("httpRoute.headerMatches", "a match on headers; route.matches can say it")
	}
}

func (r *release) routerEPP(p *draft.Part, e *RouterEPP) {
	const from = "router.epp."
	if len(e.PodAnnotations) > 0 {
		p.Set(schedulerSection+".podAnnotations", e.PodAnnotations, from+"podAnnotations")
	}
	for _, field := range []string{"failureMode", "monitoring", "tracing", "latencyPredictor", "sidecar", "extraServicePorts"} {
		if p.Doc.At(from+field) != nil {
			p.On("", from+field).Fail("unknown field: the router charts have it elsewhere, if at all (%s)", routerPath("inferenceExtension."+field))
		}
	}
	lost := map[string]bool{
		"parser": e.Parser != "" && e.Parser != "openai-parser", "parsers": len(e.Parsers) > 0, "podSecurityContext": len(e.PodSecurityContext) > 0, "securityContext": len(e.SecurityContext) > 0,
		"deploymentStrategy": e.DeploymentStrategy != nil && e.DeploymentStrategy.Type != "Recreate", "grpcHealthPort": e.GRPCHealthPort != nil && *e.GRPCHealthPort != 9003,
		"terminationGracePeriodSeconds": e.TerminationGracePeriodSeconds != nil && *e.TerminationGracePeriodSeconds != 130,
		"autoscaling":                   e.Autoscaling["enabled"] == true, "pluginsConfig": len(e.PluginsConfig) > 0,
	}
	for _, field := range slices.Sorted(maps.Keys(lost)) {
		if lost[field] {
			p.Lost(from+field, "%s of the EPP; scheduler.config or scheduler.podTemplatePatch may say it", field)
		}
	}
}

// proxy is the standalone chart's. In a stack it has a Deployment of its own.
func (r *release) proxy(p *draft.Part, v *Router) {
	const from, to = "router.proxy", gatewaySection
	x := &v.Proxy
	on := x.Enabled != nil && *x.Enabled
	for i := range v.ExtraServicePorts {
		if !on || v.ExtraServicePorts[i].Name != "http" {
			p.Lost("router.extraServicePorts", "further ports of the EPP")
		}
	}
	if !on {
		if x.Enabled == nil && !r.router.HTTPRoute.Create && r.infra == nil {
			p.On("spec", from+".enabled").Warn("nothing says whether there is a proxy: llm-d-router-standalone has one, which router.proxy.enabled: true says, and llm-d-router-gateway has none")
		}
		return
	}
	if t := strings.ToLower(x.ProxyType); t != "" && t != "envoy" {
		p.Lost(from+".proxyType", "a proxy of type %s without a Gateway; envoy takes its place", t)
	}
	p.Set(to+".class", "envoy", from+".enabled")
	for _, port := range v.ExtraServicePorts {
		if port.Name == "http" {
			p.Set(to+".envoy.servicePort", port.Port, "router.extraServicePorts")
		}
	}
	p.Copy(to+".image", from+".image")
	p.Copy(to+".replicas", from+".replicas")
	serving.Resources(p, to+".resources", from+".resources", x.Resources)
	if x.Mode != "service" {
		p.On(to, from+".mode").Note("the proxy was a container in the EPP's pod; it has a Deployment and a Service of its own now, with another name")
	}
	r.proxyRest(p, x)
}

func (r *release) proxyRest(p *draft.Part, x *RouterProxy) {
	lost := map[string]bool{
		"failOpen": x.FailOpen != nil, "name": x.Name != "", "imagePullPolicy": x.ImagePullPolicy != "", "command": x.Command != "",
		"args": len(x.Args) > 0, "env": len(x.Env) > 0, "ports": len(x.Ports) > 0, "volumes": len(x.Volumes) > 0, "volumeMounts": len(x.VolumeMounts) > 0,
		"livenessProbe": len(x.LivenessProbe) > 0, "readinessProbe": len(x.ReadinessProbe) > 0, "startupProbe": len(x.StartupProbe) > 0,
		"securityContext": len(x.SecurityContext) > 0, "configMap": len(x.ConfigMap) > 0, "presets": len(x.Presets) > 0,
		"autoscaling": x.Autoscaling["enabled"] == true, "terminationGracePeriodSeconds": x.TerminationGracePeriodSeconds != nil,
	}
	for _, field := range slices.Sorted(maps.Keys(lost)) {
		if lost[field] {
			p.Lost("router.proxy."+field, "%s of the proxy, which the stack configures itself", field)
		}
	}
}
