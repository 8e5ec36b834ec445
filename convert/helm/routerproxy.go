package helm

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
)

const (
	proxySection = "router.proxy"
	routerPorts  = "router.extraServicePorts"
)

// A proxy is what a standalone chart runs in front of the EPP, in the same pod, and where
// its values have it.
type proxy struct {
	RouterProxy
	section    string // of the proxy
	ports      string // of the ports of the EPP's Service
	extraPorts []corev1.ServicePort
}

// proxied is a standalone chart's installation. In a stack the proxy has a Deployment of
// its own.
func (r *release) proxied(p *draft.Part, x *proxy) {
	to := serving.NextGateway(p.Draft, false)
	p.Set(to+".class", "envoy", x.section+".enabled")
	p.Set(to+".name", r.named("gaie")+"-proxy", "")
	r.proxyPorts(p, to, x)
	p.Copy(to+".replicas", x.section+".replicas")
	serving.Resources(p, to+".resources", x.section+".resources", x.Resources)
	if x.FailOpen != nil {
		p.Set(schedulerSection+".failureMode", map[bool]string{true: "FailOpen", false: "FailClose"}[*x.FailOpen], x.section+".failOpen")
	}
	r.proxyKind(p, to, x)
	r.proxyArgs(p, to, x)
	r.proxyRest(p, to, x)
}

// proxyPorts are those of the proxy's Service: the one that clients use is named http.
func (r *release) proxyPorts(p *draft.Part, to string, x *proxy) {
	from, ports := x.ports, x.extraPorts
	if len(ports) == 0 {
		p.Set(to+".envoy.servicePort", int32(proxyPort), "")
	}
	p.Set(to+".envoy.listenPort", int32(proxyPort), "")
	for i := range ports {
		if ports[i].Name != "http" {
			r.servicePort(p, from, &ports[i], "the proxy's has the port named http alone")
			continue
		}
		if protocol := ports[i].Protocol; protocol != "" && protocol != corev1.ProtocolTCP {
			p.Lost(from, "a port for %s; the proxy speaks HTTP over TCP", protocol)
		}
		p.Set(to+".envoy.servicePort", ports[i].Port, from)
		if target := ports[i].TargetPort; target.Type == intstr.Int && target.IntVal != 0 {
			p.Set(to+".envoy.listenPort", target.IntVal, from)
		} else if target.StrVal != "" {
			p.On(to+".envoy", from).Note("the target port %q follows from the proxy", target.StrVal)
		}
	}
}

// proxyKind is what runs, and where.
func (r *release) proxyKind(p *draft.Part, to string, x *proxy) {
	switch strings.ToLower(x.ProxyType) {
	case "", "envoy":
		p.Copy(to+".image", x.section+".image")
	case "agentgateway":
		p.On(to, x.section+".proxyType").Warn("an Envoy takes the place of agentgateway, which a stack runs only behind a Gateway (class agentgateway); it asks the EPP in the same way")
		if x.Image != "" {
			p.Lost(x.section+".image", "the image of agentgateway, in whose place an Envoy runs")
		}
	default:
		p.On("", x.section+".proxyType").Fail("must be envoy or agentgateway (got %q)", x.ProxyType)
	}
	switch x.Mode {
	case "service":
	case "", "sidecar":
		p.On(to, x.section+".mode").Note("the proxy was a container in the EPP's pod; it has a Deployment and a Service of its own now, named %s-proxy", r.named("gaie"))
	default:
		p.On("", x.section+".mode").Fail("must be sidecar or service (got %q)", x.Mode)
	}
	if x.ImagePullPolicy != "" && x.ImagePullPolicy != "IfNotPresent" {
		p.Set("spec.images.pullPolicy", x.ImagePullPolicy, x.section+".imagePullPolicy")
		p.On("spec.images", x.section+".imagePullPolicy").Note("holds for every image of the stack")
	}
}

// emptied says what becomes of empty lists, which take away what the chart has there by default.
func (x *proxy) emptied(p *draft.Part, to string) {
	for _, from := range []string{x.ports, x.section + ".args", x.section + ".env", x.section + ".ports", x.section + ".volumes", x.section + ".volumeMounts"} {
		if n := p.Doc.At(from); n != nil && n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
			p.On(to, from).Dropped().Warn("the empty list is left out: it takes away what the chart has here, and the stack's proxy has its own")
		}
	}
}

// proxyRest is what the stack writes itself, or has no place for.
func (r *release) proxyRest(p *draft.Part, to string, x *proxy) {
	if x.Name != "" {
		p.On(to, x.section+".name").Note("the proxy's container is called envoy in every stack")
	}
	if len(x.Presets) > 0 {
		p.On(to, x.section+".presets").Dropped().Note("left out: they are the chart's own Envoy and agentgateway, in whose place the stack's Envoy runs")
	}
	x.emptied(p, to)
	spelt := r.usualEnvoy(p, to, x)
	for _, e := range []struct {
		field   string
		there   bool
		instead string
	}{
		{"command", x.Command != "", "the stack starts Envoy itself"},
		{"env", len(x.Env) > 0, "patch the Deployment where the stack is rendered, in a kustomization"},
		{"ports", len(x.Ports) > 0, "gateway.envoy.listenPort and servicePort say where it listens"},
		{"volumes", len(x.Volumes) > 0, "patch the Deployment where the stack is rendered, in a kustomization"},
		{"volumeMounts", len(x.VolumeMounts) > 0, "patch the Deployment where the stack is rendered, in a kustomization"},
		{"livenessProbe", len(x.LivenessProbe) > 0, "the stack has the probes of Envoy's ready port"},
		{"readinessProbe", len(x.ReadinessProbe) > 0, "the stack has the probes of Envoy's ready port"},
		{"startupProbe", len(x.StartupProbe) > 0, "the stack has the probes of Envoy's ready port"},
		{"securityContext", len(x.SecurityContext) > 0, "security.podSecurity and security.runAsUser say how all pods run"},
		{"configMap", len(x.ConfigMap) > 0, "the stack writes Envoy's configuration itself; route.timeouts and scheduler.failureMode change it"},
		{"configMapData", len(x.ConfigMapData) > 0, "the stack writes Envoy's configuration itself; route.timeouts and scheduler.failureMode change it"},
		{"autoscaling", x.Autoscaling["enabled"] == true, "gateway.replicas is a number"},
		{"terminationGracePeriodSeconds", x.TerminationGracePeriodSeconds != nil, "patch the Deployment where the stack is rendered, in a kustomization"},
	} {
		if e.there && !slices.Contains(spelt, e.field) {
			p.Lost(x.section+"."+e.field, "%s of the proxy; %s", e.field, e.instead)
		}
	}
}
