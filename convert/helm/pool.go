package helm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/lists"
)

const (
	schedulerSection = "spec.scheduler"
	extensionSection = "inferenceExtension"
	poolAPIVersion   = "inference.networking.k8s.io/v1"
)

// picker is the EPP and the pool of the inferencepool chart.
func (r *release) picker() {
	if r.pool == nil {
		r.pickerless()
		return
	}
	p, ext := r.poolPart, &r.pool.InferenceExtension
	release := r.named("gaie")
	p.Set("spec.pool.name", release, "")
	p.Set(schedulerSection+".name", release+"-epp", "")
	p.Set(schedulerSection+".configMap.name", release+"-epp", "")
	p.Copy(schedulerSection+".replicas", extensionSection+".replicas")
	p.Copy(schedulerSection+".port", extensionSection+".extProcPort")
	r.failureMode(p, ext.FailureMode)
	p.Set(schedulerSection+".verbosity", 1, "")
	p.Copy(schedulerSection+".verbosity", extensionSection+".logVerbosity")
	r.eppImage(p, &ext.Image)
	r.eppFlags(p, ext)
	for _, field := range []string{"affinity", "tolerations", "nodeSelector"} {
		p.Copy(schedulerSection+"."+field, extensionSection+"."+field)
	}
	serving.Resources(p, schedulerSection+".resources", extensionSection+".resources", ext.Resources)
	if s := ext.EndpointsServer; s != nil && !r.poolFor(s) {
		r.endpoints(p, s)
	}
	r.plugins(p, ext)
	r.eppVolumes(p, ext)
	r.poolSection(p, &r.pool.InferencePool)
	r.poolRest(p, ext)
	p.Copy("spec.objectives", "inferenceObjectives")
	if r.own {
		r.olderPool()
	}
}

// pickerless is an installation without the chart of the EPP.
func (r *release) pickerless() {
	p := r.Part(r.anyDoc())
	p.Set(schedulerSection+".enabled", false, "")
	switch {
	case r.model == nil:
	case r.infra != nil && made(r.infra.Gateway.Enabled):
		r.infraPart.On("", "gateway").Fail("a gateway sends requests to the pool of an endpoint picker, and nothing says which: --pool takes the values file of the chart inferencepool or llm-d-router-gateway, an empty one for what the chart does by default")
	default:
		p.On(schedulerSection, "").Note("no endpoint picker is made: --pool takes the values of its chart")
	}
}

// failureMode is what happens without the EPP. The charts' documents spell one of the
// two as no API does.
func (r *release) failureMode(p *draft.Part, mode string) {
	const from = extensionSection + ".failureMode"
	if mode == "FailClosed" {
		mode = "FailClose"
		p.On(schedulerSection+".failureMode", from).Note("FailClosed is called FailClose; the API server refuses the charts' spelling")
	}
	p.Set(schedulerSection+".failureMode", draft.Unless(mode, "FailOpen"), from)
}

func (r *release) eppImage(p *draft.Part, image *Image) {
	const from = extensionSection + ".image"
	repository := cmp.Or(image.Repository, image.Name)
	host := cmp.Or(image.Registry, image.Hub)
	if host != "" && repository != "" {
		repository = host + "/" + repository
	}
	switch {
	case repository == "" || strings.HasSuffix(repository, "gateway-api-inference-extension/epp"):
		if image.Tag != "" || repository != "" || host != "" {
			p.On(schedulerSection, from).Replaced().Note("the EPP of Gateway API Inference Extension became llm-d's; the one of the release catalogue takes its place")
		}
	default:
		serving.EPPImage(p, strings.TrimSuffix(repository+":"+image.Tag, ":"), from)
	}
	if image.PullPolicy != "" {
		p.Set("spec.images.pullPolicy", image.PullPolicy, from+".pullPolicy")
		p.On("spec.images", from+".pullPolicy").Note("holds for every image of the stack")
	}
}

// eppFlags are a mapping, or in old charts a list of names and values; so is the
// environment.
func (r *release) eppFlags(p *draft.Part, ext *Extension) {
	words := lists.Map(r.measured(p, r.variables(p, extensionSection+".flags", ext.Flags)), func(f corev1.EnvVar) string {
		return strings.TrimSuffix("--"+f.Name+"="+f.Value, "=")
	})
	serving.EPPFlags(p, words, extensionSection+".flags")
	if env := r.variables(p, extensionSection+".env", ext.Env); len(env) > 0 {
		p.Set(schedulerSection+".env", env, extensionSection+".env")
	}
}

// variables reads {name: value} or [{name, value}].
func (r *release) variables(p *draft.Part, from string, v any) (out []corev1.EnvVar) {
	switch v := v.(type) {
	case nil:
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(out, corev1.EnvVar{Name: name, Value: scalar(p, from+"["+name+"]", v[name])})
		}
	case []any:
		for i, e := range v {
			out = append(out, r.variable(p, fmt.Sprintf("%s[%d]", from, i), e))
		}
	default:
		p.On("", from).Fail("must be a mapping of names to values, or a list of names and values (got %v)", v)
	}
	return out
}

func (r *release) variable(p *draft.Part, from string, v any) (out corev1.EnvVar) {
	m, _ := v.(map[string]any)
	if out.Name, _ = m["name"].(string); out.Name == "" {
		p.On("", from).Fail("must be a mapping with a name and a value")
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		switch at := from + "." + key; key {
		case "name":
		case "value":
			out.Value = scalar(p, at, m[key])
		case "valueFrom":
			out.ValueFrom = &corev1.EnvVarSource{}
			r.decode(p, at, out.ValueFrom)
		default:
			p.On("", at).Fail("unknown field; there are name, value and valueFrom")
		}
	}
	return out
}

// scalar is a value as text.
func scalar(p *draft.Part, from string, v any) string {
	switch v.(type) {
	case map[string]any, []any:
		p.On("", from).Fail("must be text, a number, or true or false")
		return ""
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

func (r *release) poolSection(p *draft.Part, pool *InferencePool) {
	const from = "inferencePool"
	switch labels := pool.ModelServers.MatchLabels; {
	case len(labels) > 0:
		p.Set("spec.pool.selector", labels, from+".modelServers.matchLabels")
	case r.model == nil:
		p.On("", from+".modelServers.matchLabels").Fail("required, as by the chart: it says which servers the EPP picks from")
	}
	ports, portsFrom := []int32{}, from+".targetPorts"
	for _, t := range pool.TargetPorts {
		ports = append(ports, t.Number)
	}
	switch {
	case len(ports) > 0:
	case pool.TargetPort != nil:
		ports, portsFrom = []int32{*pool.TargetPort}, from+".targetPort"
	case pool.TargetPortNumber != nil:
		ports, portsFrom = []int32{*pool.TargetPortNumber}, from+".targetPortNumber"
	}
	server := cmp.Or(p.Text("spec.server.port"), "8000")
	for i := range ports {
		if r.behind() { // what is named are the ports of the sidecar
			ports[i] += or(r.model.Routing.Proxy.TargetPort, sidecarTarget) - or(r.model.Routing.ServicePort, 8000)
		}
	}
	switch {
	case len(ports) == 1 && r.model == nil:
		p.Set("spec.server.port", ports[0], portsFrom)
	case len(ports) > 1 || len(ports) == 1 && fmt.Sprint(ports[0]) != server:
		p.Set("spec.pool.targetPorts", ports, portsFrom)
	}
	if v := pool.APIVersion; v != "" && v != poolAPIVersion {
		p.On("spec.pool", from+".apiVersion").Note("InferencePool is %s now; %s is no longer served", poolAPIVersion, v)
	}
	if t := pool.ModelServerType; t != "" && !slices.Contains(serverTypes, t) {
		p.On("", from+".modelServerType").Fail("must be one of %s (got %q)", strings.Join(serverTypes, ", "), t)
	}
	switch pool.ModelServerProtocol {
	case "", "http":
	case "grpc":
		p.Lost(from+".modelServerProtocol", "servers that speak gRPC; the pools, routes and probes of a stack speak HTTP/1.1")
	default:
		p.On("", from+".modelServerProtocol").Fail("must be http or grpc (got %q)", pool.ModelServerProtocol)
	}
}

// poolRest is what a stack cannot say, when it is used.
func (r *release) poolRest(p *draft.Part, ext *Extension) {
	kind := giePredictor
	if r.router != nil {
		kind = routerPredictor
	}
	r.latencyPredictor(p, extensionSection+".latencyPredictor", ext.LatencyPredictor, kind)
	r.beside(p, ext)
	if r.pool.LatencyPredictor["enabled"] == true {
		p.Lost("latencyPredictor", "a container beside the EPP; write it into scheduler.containers")
	}
	if on := ext.LeaderElection; on != nil {
		p.On(schedulerSection+".replicas", extensionSection+".enableLeaderElection").Note("follows from scheduler.replicas: of several, one leads")
	}
	if n := ext.MetricsPort; n != nil && *n != metricsPort {
		p.Lost(extensionSection+".metricsPort", "another port for metrics on the EPP's Service than %d", metricsPort)
	}
	if strings.EqualFold(r.pool.Provider.Name, "gke") && !blank(r.pool.GKE) {
		p.On(schedulerSection, "gke").Dropped().Warn("left out: the Secret with which Google's ClusterPodMonitoring reads the EPP's metrics; monitoring.serviceMonitor and scheduler.metricsAuth make a ServiceMonitor and its Secret")
	}
	if ext.Monitoring.GKE["enabled"] == true {
		p.Lost(extensionSection+".monitoring.gke", "Google's own PodMonitoring; with the Prometheus operator's CRDs, monitoring.prometheus makes a ServiceMonitor")
	}
	if b, ok := r.pool.Provider.GKE["preferredBackends"].(map[string]any); ok && b["enabled"] == true {
		p.Lost("provider.gke.preferredBackends", "GKE's preferred backends, for which the EPP would be a StatefulSet; use scheduler.highAvailability")
	}
	if strings.EqualFold(r.pool.Provider.Name, "istio") {
		r.destinationRule(p, "provider.istio.destinationRule", &r.pool.Provider.Istio.DestinationRule)
		r.destinationRule(p, "istio.destinationRule", &r.pool.Istio.DestinationRule)
	}
}
