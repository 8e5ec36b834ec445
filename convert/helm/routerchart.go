package helm

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/internal/pattern"
)

// The charts that share a router's values (llm-d-router config/charts).
const (
	standaloneChart = "llm-d-router-standalone"
	gatewayChart    = "llm-d-router-gateway"
)

// proxyPort is where the standalone chart's proxy listens, and its default Service port
// (llm-d-router config/charts/llm-d-router-standalone/values.yaml, v0.10).
const proxyPort = 8081

// metricsPort is the EPP's own.
const metricsPort = 9090

// standalone reports whether a router has the proxy that llm-d-router-standalone brings.
// Where neither the user nor router.proxy.enabled says so, it follows from values that
// only one of the charts reads.
func (r *release) standalone(p *draft.Part, v *Router) bool {
	named := r.values.PoolChart
	switch on := v.Proxy.Enabled; {
	case on != nil:
		return *on
	case named != "":
		return named == standaloneChart
	case r.router.HTTPRoute.Create, r.router.Provider.Name != "" && r.router.Provider.Name != "none", r.infra != nil:
		return false
	}
	for _, from := range []string{routerPorts, proxySection} {
		if from == proxySection && p.Doc.Has(from) || from != proxySection && leadsToProxy(v.ExtraServicePorts) {
			p.On("spec.gateway", from).Note("taken for values of %s, which has a proxy of its own; for those of %s, --pool-chart %s says so", standaloneChart, gatewayChart, gatewayChart)
			return true
		}
	}
	p.On("spec", proxySection+".enabled").Warn("nothing here reports whether there is a proxy: %s has one, %s has none, and none is made; --pool-chart names the chart", standaloneChart, gatewayChart)
	return false
}

// leadsToProxy reports whether a port of the EPP's Service leads to the proxy in its pod.
func leadsToProxy(ports []corev1.ServicePort) bool {
	for i := range ports {
		if target(&ports[i]) == intstr.FromInt32(proxyPort) {
			return true
		}
	}
	return false
}

// target is the port of the pod that a Service's port leads to.
func target(p *corev1.ServicePort) intstr.IntOrString {
	if p.TargetPort == (intstr.IntOrString{}) {
		return intstr.FromInt32(p.Port)
	}
	return p.TargetPort
}

// proxyless are the ports of the EPP's Service where there is no proxy.
func (r *release) proxyless(p *draft.Part, from string, ports []corev1.ServicePort) {
	for i := range ports {
		port := &ports[i]
		if target(port) == intstr.FromInt32(proxyPort) {
			p.On(schedulerSection, from).Dropped().Note("port %d of the EPP's Service is left out: it leads to the proxy of a standalone chart, and there is none", port.Port)
			continue
		}
		r.servicePort(p, from, port, "write a Service of your own over the EPP's pods")
	}
}

// servicePort is a port of the EPP's Service that does not lead to a proxy.
func (r *release) servicePort(p *draft.Part, from string, port *corev1.ServicePort, instead string) {
	switch at := target(port); {
	case at == intstr.FromInt32(metricsPort) && port.Port == metricsPort:
		p.On(schedulerSection, from).Dropped().Note("port %d is left out: the EPP's Service has it for the metrics, as http-metrics", port.Port)
	case r.forEvents(port.Name, at):
		r.events(p, from)
	case port.Name == eventsPort || at.String() == "5557":
		p.On(schedulerSection, from).Dropped().Warn("port %d of the EPP's Service, for KV-cache events, is left out: no plugin of the EPP's configuration receives them", port.Port)
	default:
		p.Lost(from, "the port %d of the EPP's Service; %s", port.Port, instead)
	}
}

// chartRelease is the end of a chart's name as helm list prints it, with its release.
var chartRelease = pattern.Lazy(`^(.+)-v?(\d+\.\d+(?:\.\d+)?)$`)

// PoolChart takes the name of a chart of an EPP apart, which may end with the chart's release. It
// reports whether there is such a chart.
func PoolChart(text string) (name, version string, known bool) {
	name = text
	if m := chartRelease().FindStringSubmatch(text); m != nil {
		name, version = m[1], m[2]
	}
	return name, version, slices.Contains(PoolCharts(), name)
}

// PoolCharts are the charts of an EPP and its pool.
func PoolCharts() []string {
	return []string{poolChart, gieStandaloneChart, gatewayChart, standaloneChart}
}
