package helm

import (
	"cmp"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema"
)

// ingress keeps the Ingress that leads from outside to the gateway's Service. The chart makes it
// where that Service is a ClusterIP, before 1.3 where it is a NodePort (llm-d-infra
// templates/gateway-infrastructure/ingress.yaml, v1.2.5 and v1.4.0).
func (r *release) ingress(p *draft.Part, in *Infra) {
	const from = "ingress"
	switch typ := p.Text(gatewaySection + ".serviceType"); {
	case !in.Ingress.Enabled:
		return
	case typ != "ClusterIP" && (in.Gateway.ServiceType == "" || typ != "NodePort"):
		p.On(gatewaySection, from).Dropped().Note("left out, as by the chart: it makes an Ingress only where the gateway's Service is a ClusterIP")
		return
	}
	name := p.Text(gatewaySection + ".name")
	metadata := r.objectMeta(name)
	if len(in.Ingress.Annotations) > 0 {
		metadata["annotations"] = in.Ingress.Annotations
	}
	spec := map[string]any{"rules": in.ingressRules(r.ingressHost(in, name), proxyService(p, name))}
	if class := in.Ingress.IngressClassName; class != "" {
		spec["ingressClassName"] = class
	}
	if tls := r.ingressTLS(p, in, name); len(tls) > 0 {
		spec["tls"] = tls
	}
	r.keep(p, from, map[string]any{"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": metadata, "spec": spec})
	p.On(gatewaySection, from).Note("the chart's Ingress, which is printed behind the stack")
}

// proxyService is the Service that a gateway's controller makes.
func proxyService(p *draft.Part, name string) string {
	gateway := schema.Gateway{Class: p.Text(gatewaySection + ".class")}
	return gateway.ProxyServiceName(name)
}

// ingressHost is the host of the Ingress. Charts before 1.3 made one of the router's domain.
func (r *release) ingressHost(in *Infra, gateway string) string {
	if in.Ingress.Host == "" && in.Ingress.ClusterRouterBase != "" {
		return gateway + "." + in.Ingress.ClusterRouterBase
	}
	return in.Ingress.Host
}

// ingressRules are one for all listeners of the Gateway, and one for each further host.
func (in *Infra) ingressRules(host, service string) []any {
	listeners := in.Gateway.Listeners
	if len(listeners) == 0 {
		listeners = []Listener{{Port: 80}}
	}
	var paths []any
	for i := range listeners {
		paths = append(paths, ingressPath(cmp.Or(listeners[i].Path, in.Ingress.Path, "/"), listeners[i].PathType, service, listeners[i].Port))
	}
	rules := []any{ingressRule(host, paths...)}
	for _, h := range in.Ingress.ExtraHosts {
		rules = append(rules, ingressRule(h.Name, ingressPath(cmp.Or(h.Path, in.Ingress.Path, "/"), h.PathType, service, or(h.Port, listeners[0].Port))))
	}
	return rules
}

func ingressPath(path, pathType, service string, port int32) map[string]any {
	backend := map[string]any{"service": map[string]any{"name": service, "port": map[string]any{"number": port}}}
	return map[string]any{"path": path, "pathType": draft.Unless(pathType, "Prefix"), "backend": backend}
}

func ingressRule(host string, paths ...any) map[string]any {
	rule := map[string]any{"http": map[string]any{"paths": paths}}
	if host != "" {
		rule["host"] = host
	}
	return rule
}

func (r *release) ingressTLS(p *draft.Part, in *Infra, gateway string) []any {
	var out []any
	if tls := &in.Ingress.TLS; tls.Enabled {
		if tls.SecretName == "" {
			p.On("", "ingress.tls.secretName").Fail("required with ingress.tls.enabled: the Secret with the certificate")
		}
		entry := map[string]any{"secretName": tls.SecretName}
		if host := r.ingressHost(in, gateway); host != "" {
			entry["hosts"] = []string{host}
		}
		out = append(out, entry)
	}
	return append(out, in.Ingress.ExtraTLS...)
}
