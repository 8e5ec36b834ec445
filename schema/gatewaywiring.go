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
