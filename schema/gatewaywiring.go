package schema

import (
	"strconv"
	"strings"
)

// istioPoolMinor is the first minor version of Istio 1 that understands InferencePool
// v1 (istio/istio release notes 1.28).
const istioPoolMinor = 28

// UsesEnvoyFilter says whether the gateway's ext_proc is wired by an EnvoyFilter: for
// Istio, when asked for, or when the declared Istio does not understand InferencePool.
func (g *Gateway) UsesEnvoyFilter() bool {
	switch {
	case g == nil || g.Class != "istio":
		return false
	case g.ExtProc != "auto":
		return g.ExtProc == "envoyFilter"
	default:
		return !g.Istio.understandsPools()
	}
}

func (i Istio) understandsPools() bool {
	return i.InferenceExtension && minor(i.Version) >= istioPoolMinor
}

// minor returns the second number of a version such as 1.28.
func minor(version string) int {
	_, after, _ := strings.Cut(version, ".")
	n, _ := strconv.Atoi(after)
	return n
}

// istioOptionsMinor is the first minor version of Istio 1 that reads a ConfigMap named
// by a Gateway's infrastructure.parametersRef (istio/istio release notes 1.26).
const istioOptionsMinor = 26

// HasGatewayOptions says whether the declared Istio lets a ConfigMap configure the
// proxy of a Gateway.
func (i Istio) HasGatewayOptions() bool { return minor(i.Version) >= istioOptionsMinor }

// istioTargetRefsMinor is the first minor version of Istio 1 whose EnvoyFilters keep to
// the Gateway that targetRefs names; before, they applied to every gateway of the
// namespace (istio/istio 56417, mended by 56476).
const istioTargetRefsMinor = 27

// HasTargetRefs says whether an EnvoyFilter of the declared Istio can name its Gateway.
func (i Istio) HasTargetRefs() bool { return minor(i.Version) >= istioTargetRefsMinor }
