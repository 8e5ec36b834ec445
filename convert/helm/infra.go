package helm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
)

const (
	gatewaySection = "spec.gateway"
	listenerName   = "default"
)

// gateway is llm-d-infra's, or one that the other charts attach to.
func (r *release) gateway() {
	switch {
	case r.infra != nil && made(r.infra.Gateway.Enabled):
		r.infraGateway(r.infraPart, &r.infra.Gateway)
	case r.pool != nil && r.pool.ExperimentalHTTPRoute.Enabled:
		r.chartRoute(r.poolPart, &r.pool.ExperimentalHTTPRoute)
		return
	case r.olderRoute():
		return
	case r.pool != nil:
		r.routedElsewhere(r.poolPart)
		return
	}
	if r.infra != nil {
		r.infraRest(r.infraPart, r.infra)
	}
	if !r.Has(gatewaySection) {
		return
	}
	p := r.infraPart
	if r.pool == nil && r.model == nil {
		p.Set("spec.route.enabled", false, "")
		return
	}
	if r.olderRoute() {
		return
	}
	p.Set("spec.route.name", "llm-d-"+r.values.Postfix, "")
}

// made reports whether a chart makes what it makes by default.
func made(enabled *bool) bool { return enabled == nil || *enabled }

func (r *release) infraGateway(p *draft.Part, gw *InfraGateway) {
	const to, from = gatewaySection, "gateway"
	class, said := gw.GatewayClassName, from+".gatewayClassName"
	if class == "" {
		class, said = draft.Unless(deref(gw.Provider), "istio"), from+".provider"
	}
	if gw.GatewayClassName != "" && deref(gw.Provider) != "" {
		p.On(to+".class", from+".provider").Dropped().Note("left out: gatewayClassName says the class, and a stack's parameters of the Gateway follow from it")
	}
	if class == "kgateway" {
		class = "agentgateway"
		p.On(to, from).Note("the chart renders kgateway as agentgateway, which serves InferencePools in its place")
	}
	serving.GatewayClass(p, to, class, said)
	name := r.named("infra") + "-inference-gateway"
	if gw.NameOverride != "" {
		name = r.named("infra") + "-" + gw.NameOverride
	}
	p.Set(to+".name", draft.Unless(gw.FullnameOverride, name), "")
	p.Near(to+".name", from+".nameOverride")
	if gw.FullnameOverride != "" {
		p.From(to+".name", from+".fullnameOverride")
	}
	p.Copy(to+".labels", from+".labels")
	p.Copy(to+".annotations", from+".annotations")
	if made(gw.GatewayParameters.Enabled) {
		r.serviceType(p, gw)
		serving.Resources(p, to+".resources", from+".gatewayParameters.resources", gw.GatewayParameters.Resources)
	} else {
		p.On(to, from+".gatewayParameters.enabled").Note("without parameters the Gateway has the Service and the resources that its controller gives it")
	}
	r.listeners(p, gw.Listeners)
	r.gatewayRest(p, gw)
}

func (r *release) serviceType(p *draft.Part, gw *InfraGateway) {
	typ, from := gw.Service.Type, "gateway.service.type"
	if typ == "" && gw.ServiceType != "" {
		typ, from = gw.ServiceType, "gateway.serviceType"
	}
	if typ == "" {
		from = "gateway.exposure.type"
		switch {
		case gw.Exposure.Type == "external":
			typ = "LoadBalancer"
		case gw.Exposure.Type == "internal", p.Text(gatewaySection+".class") == "istio":
			typ = "ClusterIP"
		}
	}
	serving.ServiceType(p, gatewaySection, typ, from)
}

func (r *release) listeners(p *draft.Part, listeners []Listener) {
	if len(listeners) == 0 {
		p.Set(gatewaySection+".allowedNamespaces", []string{"*"}, "")
		return
	}
	var out []any
	plain := true
	for i := range listeners {
		l := &listeners[i]
		if l.TLS != nil && l.TLS.Mode == "Passthrough" {
			p.Lost("gateway.listeners", "a listener with TLS passthrough")
			plain = false
			continue
		}
		section := map[string]any{"name": draft.Unless(l.Name, listenerName), "port": l.Port, "protocol": l.Protocol}
		if l.Hostname != "" {
			section["hostname"] = l.Hostname
		}
		r.certificate(p, l, section)
		plain = plain && len(section) == 3 && section["name"] == listenerName && l.Port == 80 && l.Protocol == "HTTP"
		out = append(out, section)
		switch l.AllowedRoutes.Namespaces.From {
		case "", "All":
			p.Set(gatewaySection+".allowedNamespaces", []string{"*"}, "gateway.listeners")
		case "Same":
		case "Selector":
			p.Lost("gateway.listeners", "a selector of namespaces; gateway.allowedNamespaces lists them")
		default:
			p.On("", fmt.Sprintf("gateway.listeners[%d].allowedRoutes.namespaces.from", i)).Fail("must be All, Same or Selector (got %q)", l.AllowedRoutes.Namespaces.From)
		}
	}
	if len(out) > 0 && (!plain || len(listeners) > 1) {
		p.Set(gatewaySection+".listeners", out, "gateway.listeners")
	}
}

func (r *release) certificate(p *draft.Part, l *Listener, section map[string]any) {
	if l.TLS == nil {
		return
	}
	if len(l.TLS.CertificateRefs) > 1 {
		p.Lost("gateway.listeners", "several certificates of a listener")
	}
	if l.TLS.Hostname != "" {
		section["hostname"] = l.TLS.Hostname
	}
	for _, ref := range l.TLS.CertificateRefs {
		section["tlsSecret"] = ref.Name
		if ref.Namespace != "" {
			section["tlsSecretNamespace"] = ref.Namespace
		}
	}
}

// gatewayRest is what a stack cannot say, or says by itself.
func (r *release) gatewayRest(p *draft.Part, gw *InfraGateway) {
	parameters := &gw.GatewayParameters
	if parameters.LogLevel != "" && parameters.LogLevel != "warn" {
		p.On(gatewaySection, "gateway.gatewayParameters.logLevel").Dropped().Warn("left out: the gateway's proxies log as their controller has them do; an annotation of the Gateway or the mesh's configuration changes it")
	}
	if !blank(parameters.Agentgateway) {
		p.Lost("gateway.gatewayParameters.agentgateway", "settings of agentgateway")
	}
	r.accessLog(p, gw)
	r.proxyUser(p, gw)
	if len(gw.Service.Ports) > 0 || gw.Service.LoadBalancerClass != "" {
		p.Lost("gateway.service", "ports and class of the gateway's Service")
	}
	if grant, ok := gw.TLS["referenceGrant"].(map[string]any); ok && grant["enabled"] == true {
		p.On(gatewaySection, "gateway.tls.referenceGrant").Dropped().Note("a ReferenceGrant is made for each listener whose tlsSecretNamespace is another one")
	}
	if gw.DestinationRule.Enabled {
		r.destinationRule(p, "gateway.destinationRule", &gw.DestinationRule)
	}
}

// accessLog is that of Istio's proxies.
func (r *release) accessLog(p *draft.Part, gw *InfraGateway) {
	from, value := "gateway.gatewayParameters.istio.accessLogging", gw.GatewayParameters.Istio["accessLogging"]
	if older := gw.GatewayParameters.AccessLogging; older != nil {
		from, value = "gateway.gatewayParameters.accessLogging", *older
	}
	switch on := p.On(gatewaySection, from); value {
	case true:
		on.Warn("the access log stays as the mesh has it: the chart's Telemetry, which turns it on, is not made")
	case false:
		on.Note("the access log stays as the mesh has it, as with the chart")
	}
}

// proxyUser is the user that kgateway's proxies run as, of which older charts had a say.
func (r *release) proxyUser(p *draft.Part, gw *InfraGateway) {
	const left = "left out: the gateway's controller chooses the user that its proxies run as"
	if uid := gw.GatewayParameters.ProxyUID; uid != nil && uid != false {
		p.On(gatewaySection, "gateway.gatewayParameters.proxyUID").Dropped().Warn(left)
	}
	if gw.GatewayParameters.FloatingUserID {
		p.On(gatewaySection, "gateway.gatewayParameters.floatingUserId").Dropped().Warn(left + "; on OpenShift, see that the proxies start")
	}
}

func (r *release) infraRest(p *draft.Part, in *Infra) {
	r.ingress(p, in)
	if in.NameOverride != "" {
		p.On("", "nameOverride").Dropped().Note("left out: the chart writes it into the label app.kubernetes.io/name of its objects")
	}
	p.Copy("spec.delivery.labels", "commonLabels")
	p.Copy("spec.delivery.annotations", "commonAnnotations")
	if in.ClusterDomain != "" && in.ClusterDomain != "cluster.local" {
		p.Lost("clusterDomain", "another domain than cluster.local")
	}
	r.extra(p, "extraDeploy", in.ExtraDeploy)
}

// chartRoute is the inferencepool chart's route to a Gateway that exists.
func (r *release) chartRoute(p *draft.Part, route *HTTPRoute) {
	const from = "experimentalHttpRoute"
	class := strings.ToLower(draft.Unless(r.pool.Provider.Name, "none"))
	if class == "none" {
		class = "istio"
		p.On(gatewaySection, "provider.name").Warn("nothing says what runs the Gateway; correct the class if it is not istio")
	}
	serving.GatewayClass(p, gatewaySection, class, "provider.name")
	p.Set(gatewaySection+".existing", true, from+".enabled")
	p.Set(gatewaySection+".name", draft.Unless(route.InferenceGatewayName, "inference-gateway"), from+".inferenceGatewayName")
	p.Copy(gatewaySection+".namespace", from+".inferenceGatewayNamespace")
	p.Set("spec.route.name", r.named("gaie"), "")
	r.headers(p, route)
	if class != "gke" {
		p.Set("spec.route.timeouts.request", draft.Unless(route.RequestTimeout, "300s"), from+".requestTimeout")
	}
}

// baseModelHeader is what the body-based router writes the model's name into
// (gateway-api-inference-extension pkg/bbr, v1.5.0).
const baseModelHeader = "X-Gateway-Base-Model-Name"

// headers are what a request must have for the route.
func (r *release) headers(p *draft.Part, route *HTTPRoute) {
	const from = "experimentalHttpRoute"
	var headers []any
	if route.BaseModel != "" {
		headers = append(headers, map[string]any{"type": "Exact", "name": baseModelHeader, "value": route.BaseModel})
		p.From("spec.route.matches", from+".baseModel")
	}
	for _, name := range slices.Sorted(maps.Keys(route.HeaderMatches)) {
		headers = append(headers, map[string]any{"type": "Exact", "name": name, "value": route.HeaderMatches[name]})
	}
	if len(headers) > 0 {
		path := map[string]any{"type": "PathPrefix", "value": "/"}
		p.Set("spec.route.matches", []any{map[string]any{"path": path, "headers": headers}}, from)
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// blank reports whether free-form values say nothing, as a chart's own defaults do.
func blank(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if !blank(e) {
				return false
			}
		}
		return true
	case []any:
		return len(v) == 0
	}
	return v == nil || v == "" || v == false
}
