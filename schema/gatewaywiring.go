package schema

import (
	"crypto/sha256"
	"fmt"

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
		_, why := g.missesPools()
		return why != ""
	}
}

// has reports whether the declared Istio can do something, by its name in the release
// catalogue.
func (i Istio) has(ability string) bool {
	known := release.ComponentNamed("istio").At(i.Version)
	return known != nil && known.Value(ability) != ""
}

// istioSince is the first version that can.
func istioSince(ability string) string { return release.ComponentNamed("istio").Since(ability) }

func (i Istio) understandsPools() bool { return i.InferenceExtension && i.has("inference-pools") }

// HasGatewayOptions reports whether the declared Istio lets a ConfigMap configure the proxy
// of a Gateway.
func (i Istio) HasGatewayOptions() bool { return i.has("gateway-options") }

// HasTargetRefs reports whether an EnvoyFilter of the declared Istio can name its Gateway.
func (i Istio) HasTargetRefs() bool { return i.has("target-refs") }

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
