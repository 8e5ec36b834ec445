package helm

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/convert/draft"
)

// The charts of Gateway API Inference Extension that share the EPP's values (config/charts,
// 1.4 and 1.5).
const (
	poolChart          = "inferencepool"
	gieStandaloneChart = "standalone"
)

const sidecarSection = extensionSection + ".sidecar"

// A Sidecar is a container beside the EPP (gateway-api-inference-extension
// config/charts/epplib/templates/_deployment.yaml, v1.5.0).
type Sidecar struct {
	Enabled         bool                        `json:"enabled,omitempty"`
	ProxyType       string                      `json:"proxyType,omitempty"`
	Name            string                      `json:"name,omitempty"`
	Image           string                      `json:"image,omitempty"`
	ImagePullPolicy string                      `json:"imagePullPolicy,omitempty"`
	Command         string                      `json:"command,omitempty"`
	Args            []string                    `json:"args,omitempty"`
	Env             []corev1.EnvVar             `json:"env,omitempty"`
	Ports           []corev1.ContainerPort      `json:"ports,omitempty"`
	LivenessProbe   *corev1.Probe               `json:"livenessProbe,omitempty"`
	ReadinessProbe  *corev1.Probe               `json:"readinessProbe,omitempty"`
	Resources       corev1.ResourceRequirements `json:"resources,omitempty"`
	VolumeMounts    []corev1.VolumeMount        `json:"volumeMounts,omitempty"`
	Volumes         []corev1.Volume             `json:"volumes,omitempty"`
	ConfigMap       struct {
		Name string            `json:"name,omitempty"`
		Data map[string]string `json:"data,omitempty"`
	} `json:"configMap,omitempty"`
}

// beside is what runs in the EPP's pod: the proxy of the chart standalone, or a container
// of the user's own.
func (r *release) beside(p *draft.Part, ext *Extension) {
	const ports = extensionSection + ".extraServicePorts"
	switch {
	case r.router != nil:
	case r.gieStandalone(p, ext, ports):
		x := &proxy{section: sidecarSection, ports: ports, extraPorts: ext.ExtraServicePorts}
		r.decode(p, sidecarSection, &x.RouterProxy)
		r.proxied(p, x)
	default:
		if ext.Sidecar["enabled"] == true {
			r.sidecarContainer(p)
		}
		r.proxyless(p, ports, ext.ExtraServicePorts)
	}
	for _, port := range ext.ExtraContainerPorts {
		if r.forEvents(port.Name, intstr.FromInt32(port.ContainerPort)) {
			r.events(p, extensionSection+".extraContainerPorts")
			continue
		}
		p.On(schedulerSection, extensionSection+".extraContainerPorts").Dropped().Note("the port %d of the EPP's container is left out: a container can be reached on every port on which it listens, whether it is listed or not", port.ContainerPort)
	}
}

// gieStandalone reports whether values are those of the chart standalone, which runs an Envoy
// beside the EPP. Where the user does not say so, it follows from values that only this chart
// reads.
func (r *release) gieStandalone(p *draft.Part, ext *Extension, ports string) bool {
	on, said := ext.Sidecar["enabled"].(bool)
	provider := r.pool.Provider.Name
	switch {
	case said:
		return on && proxies(ext.Sidecar)
	case r.values.PoolChart != "":
		return r.values.PoolChart == gieStandaloneChart
	case r.pool.ExperimentalHTTPRoute.Enabled, provider != "" && provider != "none", r.infra != nil:
		return false
	case ext.EndpointsServer != nil || leadsToProxy(ext.ExtraServicePorts):
		p.On("spec.gateway", ports).Note("taken for values of the chart %s, which has a proxy of its own; for those of %s, --pool-chart %s says so", gieStandaloneChart, poolChart, poolChart)
		return true
	}
	return false
}

// proxies reports whether a container beside the EPP is the chart's Envoy or one in its
// place.
func proxies(sidecar map[string]any) bool {
	image, _ := sidecar["image"].(string)
	return image == "" || strings.Contains(image, "envoy") || strings.Contains(image, "agentgateway")
}

// sidecarContainer is a container of the user's own.
func (r *release) sidecarContainer(p *draft.Part) {
	var x Sidecar
	r.decode(p, sidecarSection, &x)
	if r.replaced(x.Image) {
		p.On(schedulerSection+".preset", sidecarSection).Dropped().Note("the tokenizer beside the EPP is left out: the stack makes a render service in its place")
		return
	}
	c := corev1.Container{
		Name: x.Name, Image: x.Image, ImagePullPolicy: corev1.PullPolicy(x.ImagePullPolicy), Args: x.Args, Env: x.Env, Ports: x.Ports,
		LivenessProbe: x.LivenessProbe, ReadinessProbe: x.ReadinessProbe, Resources: x.Resources, VolumeMounts: x.VolumeMounts,
	}
	if x.Command != "" {
		c.Command = []string{x.Command}
	}
	p.Append(schedulerSection+".containers", c, sidecarSection)
	for i := range x.Volumes {
		p.Append(schedulerSection+".volumes", x.Volumes[i], sidecarSection+".volumes")
	}
	if m := x.ConfigMap; m.Name != "" && len(m.Data) > 0 {
		r.keep(p, sidecarSection+".configMap", map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": r.objectMeta(m.Name), "data": m.Data})
	}
}

// replaced reports whether a container is a tokenizer of which the stack has no need, since it
// makes a render service.
func (r *release) replaced(image string) bool {
	return strings.Contains(image, "uds-tokenizer") && r.Text(schedulerSection+".preset") == precisePreset
}

// eppVolumes are those of the EPP's pod, without the ones that it shares with a container
// that the stack does not make.
func (r *release) eppVolumes(p *draft.Part, ext *Extension) {
	const volumes, mounts = "volumes", "volumeMounts"
	image, _ := ext.Sidecar["image"].(string)
	if ext.Sidecar["enabled"] != true || !r.replaced(image) {
		p.Copy(schedulerSection+"."+volumes, extensionSection+"."+volumes)
		p.Copy(schedulerSection+"."+mounts, extensionSection+"."+mounts)
		return
	}
	shared := map[string]bool{}
	list, _ := ext.Sidecar[mounts].([]any)
	for _, e := range list {
		mount, _ := e.(map[string]any)
		name, _ := mount["name"].(string)
		shared[name] = true
	}
	for i := range ext.Volumes {
		if at := fmt.Sprintf("%s[%d]", volumes, i); !shared[ext.Volumes[i].Name] {
			p.Append(schedulerSection+"."+volumes, ext.Volumes[i], extensionSection+"."+at)
		}
	}
	for i := range ext.VolumeMounts {
		if at := fmt.Sprintf("%s[%d]", mounts, i); !shared[ext.VolumeMounts[i].Name] {
			p.Append(schedulerSection+"."+mounts, ext.VolumeMounts[i], extensionSection+"."+at)
		}
	}
}

// eventsPort is what llm-d's guides call the port for KV-cache events.
const eventsPort = "zmq"

// forEvents reports whether a port of the EPP is the one on which servers send it KV-cache
// events (llm-d guides, precise-prefix-cache-aware).
func (r *release) forEvents(name string, port intstr.IntOrString) bool {
	const events = "spec.kvCache.events."
	follows := r.Text(schedulerSection+".preset") == precisePreset || r.Has(events+"mode")
	return follows && (name == eventsPort || port.String() == cmp.Or(r.Text(events+"centralPort"), "5557"))
}

// events says what becomes of the port for KV-cache events.
func (r *release) events(p *draft.Part, from string) {
	const mode = "spec.kvCache.events.mode"
	if p.Text(mode) == "centralized" {
		p.On(mode, from).Dropped().Note("left out: the port for KV-cache events follows from kvCache.events")
		return
	}
	p.On(schedulerSection, from).Dropped().Note("the port for KV-cache events is left out: the EPP dials the servers for them, and none dials it")
}

// poolFor reports whether the EPP has an InferencePool all the same. The chart inferencepool, which
// shares the EPP's templates with standalone, has no default of its own for createInferencePool.
func (r *release) poolFor(s *EndpointsServer) bool {
	if s.CreateInferencePool != nil {
		return *s.CreateInferencePool
	}
	return r.values.PoolChart != poolChart
}

// endpoints says which servers an EPP without an InferencePool picks from.
func (r *release) endpoints(p *draft.Part, s *EndpointsServer) {
	const from = extensionSection + ".endpointsServer"
	p.Set("spec.pool.create", false, from+".createInferencePool")
	selector, err := labels.ConvertSelectorToLabelsMap(s.EndpointSelector)
	if err != nil || len(selector) == 0 {
		p.On("", from+".endpointSelector").Fail("must be labels, as in app=a,role=b, when no InferencePool is made (got %q)", s.EndpointSelector)
	}
	pool := &r.pool.InferencePool
	pool.ModelServers.MatchLabels = selector
	pool.ModelServerType, pool.ModelServerProtocol = s.ModelServerType, s.ModelServerProtocol
	pool.TargetPorts = nil
	for _, word := range strings.Split(draft.Unless(scalar(p, from+".targetPorts", s.TargetPorts), "8000"), ",") {
		var port TargetPort
		if _, err := fmt.Sscan(word, &port.Number); err != nil {
			p.On("", from+".targetPorts").Fail("must be ports with commas between them (got %q)", word)
		}
		pool.TargetPorts = append(pool.TargetPorts, port)
	}
}
