package simop

import (
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/imageref"
)

// gatewayName is the name of the standalone proxy, and of the Gateway for which Istio
// makes the Deployment and Service infra-sim-inference-gateway-istio.
const (
	gatewayName = "infra-sim-inference-gateway"
	gatewayPort = 8080
)

// gateways converts up to three gateways; the first has the stack's gateway section,
// unless a SchedulerInstall takes that.
func (s *simulator) gateways() {
	if s.spec.Gateway.Enabled {
		s.legacyGateway(s.nextGateway())
	}
	if s.spec.Gateway.Enabled || s.spec.InferenceGateway.Enabled {
		s.backend()
	}
	if !s.spec.InferenceGateway.Enabled {
		return
	}
	if s.spec.InferenceGateway.Istio.Enabled {
		s.istioGateway(s.nextGateway(), &s.spec.InferenceGateway.Istio)
	}
	if s.spec.InferenceGateway.Standard.Enabled {
		s.standardGateway(s.nextGateway(), &s.spec.InferenceGateway.Standard)
	}
}

// backend is the Service where there is no EPP to ask. A SchedulerInstall with a route
// says itself where that leads.
func (s *simulator) backend() {
	if s.Text("spec.scheduler.enabled") == "false" && (s.install == nil || !s.install.Routing.Enabled) {
		s.Set("spec.route.backend", "service", "")
	}
}

// nextGateway is the section for one more gateway.
func (s *simulator) nextGateway() string {
	return serving.NextGateway(s.Draft, s.install != nil && (s.install.Gateway.Enabled || s.install.Routing.Enabled))
}

// legacyGateway is the block of the single-deployment mode, which no version of the
// operator reads.
func (s *simulator) legacyGateway(to string) {
	const from = "spec.gateway"
	name := draft.Unless(s.spec.Gateway.RouteName, s.fixed(gatewayName))
	serving.GatewayClass(s.Part, to, draft.Unless(s.spec.Gateway.ClassName, "istio"), from+".className")
	encrypted(s.Part, to, from+".className")
	s.Set(to+".name", name, from+".routeName")
	if to == "spec.gateway" {
		s.Set("spec.route.name", name, from+".routeName")
	}
	s.reach(to)
	s.On(to, from).Note("the operator accepts this block and makes nothing of it; the Gateway and its HTTPRoute are made now")
}

// istioGateway asks Istio for a gateway instead of running its proxy by hand.
func (s *simulator) istioGateway(to string, gw *Instance) {
	const from = "spec.inferenceGateway.istio"
	s.Set(to+".class", "istio", "")
	s.Set(to+".name", s.fixed(gatewayName), "")
	s.Set(to+".listeners", []any{map[string]any{"name": "default", "port": or(gw.Port, gatewayPort)}}, from+".port")
	s.Set(to+".serviceType", "ClusterIP", "")
	s.Copy(to+".replicas", from+".replicas")
	serving.Resources(s.Part, to+".resources", from+".resources", gw.Resources)
	s.istioVersion(to, gw.Image, from+".image")
	s.reach(to)
	s.On(to, from).Note("a Gateway in place of a hand-made Deployment: an Istio proxy without istiod's bootstrap cannot route; Istio names its Deployment and Service %s-istio", gatewayName)
}

// reach lets an Istio gateway reach an EPP of another namespace, as the
// SchedulerInstall's gateway does.
func (s *simulator) reach(to string) {
	in := s.install
	if in != nil && in.EPP.Enabled && in.EnvoyFilter.Enabled && s.Text(to+".class") == "istio" {
		s.Set(to+".extProc", "envoyFilter", "")
	}
}

// istioVersion takes the version of Istio from the proxy's tag; the image itself is
// injected by Istio.
func (s *simulator) istioVersion(to, image, from string) {
	if image == "" {
		return
	}
	parts := strings.Split(imageref.Parse(image).Tag, ".")
	if !strings.Contains(image, "/proxyv2:") || len(parts) < 2 {
		s.Set(to+".image", image, from)
		s.On(to+".image", from).Note("kept, since it is not Istio's own proxyv2, which Istio injects by itself in its own version")
		return
	}
	s.Set(to+".istio.version", parts[0]+"."+parts[1], from)
	s.On(to+".istio", from).Note("Istio injects the image of its proxy itself; the tag says which Istio the cluster has")
}

// standardGateway is the standalone Envoy proxy.
func (s *simulator) standardGateway(to string, gw *Instance) {
	const from = "spec.inferenceGateway.standard"
	s.Set(to+".class", "envoy", "")
	s.Set(to+".name", s.fixed(gatewayName), "")
	s.Set(to+".envoy.servicePort", or(gw.Port, gatewayPort), from+".port")
	s.Copy(to+".replicas", from+".replicas")
	s.Copy(to+".image", from+".image")
	serving.Resources(s.Part, to+".resources", from+".resources", gw.Resources)
	if s.spec.EPP.Enabled || s.install != nil && s.install.EPP.Enabled {
		s.On(to, from).Note("the operator's proxy sends everything straight to the decode Service; this one asks the EPP. It does not run as root")
	}
}
