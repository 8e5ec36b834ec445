package helm

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
)

// routedElsewhere is a pool whose Gateway and route are none of these charts'. The charts
// make a DestinationRule or GKE's policies for it all the same, whenever provider.name says
// so (inferencepool templates/istio.yaml and gke.yaml, 1.0 to 1.5; llm-d-router-gateway,
// v0.10): without the DestinationRule, Istio speaks plaintext to an EPP that wants TLS.
func (r *release) routedElsewhere(p *draft.Part) {
	const from = "provider.name"
	provider := strings.ToLower(r.pool.Provider.Name)
	if r.Has(gatewaySection) || provider != "istio" && provider != "gke" {
		return
	}
	p.Set(gatewaySection+".class", provider, from)
	p.Set(gatewaySection+".existing", true, "")
	p.Set(gatewaySection+".name", r.named("infra")+"-inference-gateway", "")
	p.Set("spec.route.enabled", false, "")
	what := map[string]string{"istio": "the DestinationRule by which Istio speaks TLS to the EPP", "gke": "GKE's policies for the pool"}[provider]
	p.On(gatewaySection, from).Note("the Gateway and the route to the pool are elsewhere, and nothing here names them; the stack makes %s, as the chart does", what)
}

// destinationRule is one that lets Istio speak TLS to the EPP, which a stack has by
// itself.
func (r *release) destinationRule(p *draft.Part, from string, d *DestinationRule) {
	if !d.Enabled && len(d.TrafficPolicy) == 0 && d.Host == "" {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(d.TrafficPolicy)) {
		switch {
		case key == "connectionPool" && r.pool != nil:
			r.connectionPool(p, from+".trafficPolicy.connectionPool")
		case key == "connectionPool":
			p.On(gatewaySection, from+".trafficPolicy.connectionPool").Dropped().Warn("left out: the EPP that these limits are for is not made here; with the values of its chart (--pool) they are its scheduler.connectionPool")
		case key != "tls":
			p.Lost(from+".trafficPolicy."+key, "a traffic policy for the EPP")
		case !usualTLS(d.TrafficPolicy[key]):
			p.Lost(from+".trafficPolicy.tls", "other TLS to the EPP than mode SIMPLE with insecureSkipVerify, which suits its self-signed certificate")
		}
	}
	if len(d.Subsets) > 0 || len(d.ExportTo) > 0 || len(d.WorkloadSelector) > 0 {
		p.Lost(from, "subsets, exportTo and workloadSelector")
	}
	switch epp := p.Text(schedulerSection + ".name"); {
	case d.Host != "" && d.Host != "localhost" && epp != "" && d.Host != epp && !strings.HasPrefix(d.Host, epp+"."):
		release, _, _ := strings.Cut(d.Host, ".")
		p.Lost(from+".host", "a DestinationRule for %s; the EPP is %s, or the one of this name with --release pool=%s", d.Host, epp, strings.TrimSuffix(release, "-epp"))
	case from == "gateway.destinationRule":
		p.On(gatewaySection, from).Dropped().Note("the chart's DestinationRule is left out: a stack makes one for its EPP's own host, and the chart's default host is localhost")
	default:
		p.On(gatewaySection, from).Note("the stack makes a DestinationRule for its EPP's own host, as the chart does")
	}
}

// installedAs takes the pool's release to be the one whose EPP its DestinationRule is for,
// where the user does not name it: any other EPP would be asked in plaintext.
func (r *release) installedAs() {
	if r.pool == nil || r.values.Pool.Release != "" || !strings.EqualFold(r.pool.Provider.Name, "istio") {
		return
	}
	for _, d := range []struct {
		from string
		rule *DestinationRule
	}{{"provider.istio.destinationRule.host", &r.pool.Provider.Istio.DestinationRule}, {"istio.destinationRule.host", &r.pool.Istio.DestinationRule}} {
		host, _, _ := strings.Cut(d.rule.Host, ".")
		name, ok := strings.CutSuffix(host, "-epp")
		if !ok || name == r.named("gaie") {
			continue
		}
		r.values.Pool.Release = name
		r.poolPart.On(schedulerSection+".name", d.from).Note("the release is taken to be %s, whose EPP the DestinationRule is for; --release pool=NAME names it otherwise", name)
		return
	}
}

// connectionPool is that of Istio's proxies towards the EPP.
func (r *release) connectionPool(p *draft.Part, from string) {
	const to = schedulerSection + ".connectionPool"
	fields := map[string]string{
		"tcp.maxConnections": "maxConnections", "tcp.connectTimeout": "connectTimeout",
		"http.http1MaxPendingRequests": "http1MaxPendingRequests", "http.http2MaxRequests": "http2MaxRequests",
		"http.maxRequestsPerConnection": "maxRequestsPerConnection",
		"http.idleTimeout":              "idleTimeout", "tcp.maxConnectionDuration": "maxConnectionDuration",
	}
	if n := p.Doc.At(from); n.Kind != yaml.MappingNode {
		p.On("", from).Fail("must be a mapping with tcp and http")
	}
	for _, protocol := range []string{"tcp", "http"} {
		n := p.Doc.At(from + "." + protocol)
		for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
			field := protocol + "." + n.Content[i].Value
			if own, ok := fields[field]; ok {
				p.Copy(to+"."+own, from+"."+field)
			} else {
				p.Lost(from+"."+field, "a limit of connections to the EPP; scheduler.connectionPool has maxConnections, connectTimeout, maxConnectionDuration, http1MaxPendingRequests, http2MaxRequests, maxRequestsPerConnection and idleTimeout")
			}
		}
	}
}

// usualTLS reports whether TLS is what a stack speaks to the EPP.
func usualTLS(v any) bool {
	tls, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for key, value := range tls {
		if (key != "mode" || value != "SIMPLE") && (key != "insecureSkipVerify" || value != true) {
			return false
		}
	}
	return true
}
