package diff

import (
	"fmt"
	"slices"
	"strconv"
)

// note says what else comes of a change.
func note(id ID, c Change) string {
	switch {
	case scalesDown(id, c) && c.New == nil && replicas(c.Old) > 1:
		// What no manifest says any more the API server sets to its default, even where an
		// autoscaler comes with the change: that one acts later (Kubernetes, Server-Side
		// Apply, Transferring ownership).
		return "falls to 1 until an autoscaler raises it"
	case readdresses(id, c):
		return "its address may change"
	}
	return ""
}

// scalesDown reports whether a workload loses pods that run.
func scalesDown(id ID, c Change) bool {
	fewer := replicas(c.New) < replicas(c.Old)
	if several := amounts[kindOf(id)]; several != nil {
		return fewer && slices.Contains(several, c.path.keys())
	}
	return fewer && templates[kindOf(id)] != nil && c.path.keys() == "spec.replicas"
}

// replicas is a number of pods; left out it is 1.
func replicas(v any) int {
	if v == nil {
		return 1
	}
	n, _ := strconv.Atoi(fmt.Sprint(v))
	return n
}

// addresses are the fields that decide on the address by which clients come in: those of a
// Gateway's class belong to another controller, which makes a Service of its own (Gateway
// API 1.6 apis/v1/gateway_types.go; Istio 1.28, Kubernetes Gateway API, Automated Deployment).
var addresses = map[string][]string{
	"Gateway.gateway.networking.k8s.io": {"spec.gatewayClassName", "spec.addresses", "metadata.annotations.networking.istio.io/service-type"},
	"Service.":                          {"spec.type", "spec.loadBalancerClass", "spec.loadBalancerIP"},
}

func readdresses(id ID, c Change) bool { return under(c.path.keys(), addresses[kindOf(id)]) }
