package schema

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/inferstack/inferstack/release"
)

// UsesEnvoyFilter reports whether the gateway's ext_proc is wired by an EnvoyFilter: for
// Istio, when asked for, or when the declared Istio does not understand InferencePool.
func (g *Gateway) UsesEnvoyFilter() bool {
	switch {
	case g == nil || !g.Row().EnvoyFilter:
		return false
	case g.ExtProc != "auto":
		return g.ExtProc == "envoyFilter"
	default:
		_, why := g.MissesPools()
		return why != ""
	}
}

// Has reports whether the declared Istio can do something, by its name in the release
// catalogue.
func (i Istio) Has(ability string) bool {
	known := release.ComponentNamed("istio").At(i.Version)
	return known != nil && known.Value(ability) != ""
}

// IstioSince is the first version that can.
func IstioSince(ability string) string { return release.ComponentNamed("istio").Since(ability) }

func (i Istio) understandsPools() bool { return i.InferenceExtension && i.Has("inference-pools") }

// HasGatewayOptions reports whether the declared Istio lets a ConfigMap configure the proxy
// of a Gateway.
func (i Istio) HasGatewayOptions() bool { return i.Has("gateway-options") }

// HasTargetRefs reports whether an EnvoyFilter of the declared Istio can name its Gateway.
func (i Istio) HasTargetRefs() bool { return i.Has("target-refs") }

// understandsPools reports whether the declared kgateway serves InferencePools itself.
func (k KGateway) understandsPools() bool {
	known := release.ComponentNamed("kgateway").At(k.Version)
	return known != nil && known.Value("inference-pools") != ""
}

// IstioPoolService is the name of the Service that Istio makes of an InferencePool
// (istio pilot/pkg/config/kube/gateway/inferencepool_collection.go).
func IstioPoolService(pool string) string {
	const separator, longest = "-ip-", 63
	sum := sha256.Sum256([]byte(pool))
	hash := fmt.Sprintf("%x", sum)[:8]
	if kept := longest - len(separator) - len(hash); len(pool) > kept {
		pool = pool[:kept]
	}
	return pool + separator + hash
}

// Routed reports whether the gateways get a route.
func (s *Stack) Routed() bool { return s.Spec.Route.Enabled }

// Gateways lists the gateways of the stack.
func (s *Stack) Gateways() []*Gateway {
	if s.Spec.Gateway == nil {
		return nil
	}
	out := []*Gateway{s.Spec.Gateway}
	for i := range s.Spec.ExtraGateways {
		out = append(out, &s.Spec.ExtraGateways[i])
	}
	return out
}

// AnyGateway reports whether one of the gateways is so.
func (s *Stack) AnyGateway(is func(*Gateway) bool) bool {
	return slices.ContainsFunc(s.Gateways(), is)
}

// HasPlainService reports whether the plain Service over the servers is made: because it
// was asked for, because a route or a rule needs it, or because without an EPP there is no
// other way to the servers.
func (s *Stack) HasPlainService() bool {
	return s.Spec.Server.Service.Enabled || s.Spec.LoadBalancing != nil || !s.Spec.Scheduler.Enabled || s.AnyGateway(s.ToService)
}

// ToService reports whether requests of the gateway go to the plain Service: as a bypass,
// because an Istio that does not know pools accepts no other backend (pilot
// pkg/config/kube/gateway, InferencePool is not enabled), or as the standalone proxy's way
// past an EPP that is down.
func (s *Stack) ToService(g *Gateway) bool {
	if g.Standalone() {
		return !s.Scored() || s.Spec.Scheduler.FailureMode == "FailOpen"
	}
	return s.Routed() && (s.Leads(BackendService) || s.Leads(BackendPool) && g.UsesEnvoyFilter())
}
