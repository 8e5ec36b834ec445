package istio

import (
	"testing"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// TestRouteFromElsewhere holds that Istio speaks TLS to an EPP whose Gateway and route are
// not the stack's, with the limits that the stack names, and to no EPP without a gateway.
func TestRouteFromElsewhere(t *testing.T) {
	const spec = "model: {name: m}\nroute: {enabled: false}\nscheduler: {connectionPool: {http1MaxPendingRequests: 7, idleTimeout: 15m, maxConnectionDuration: 30m}}\n"
	rules := DestinationRules(stacktest.Parse(t, spec+"gateway: {class: istio, existing: true, name: g}"))
	if len(rules) != 1 {
		t.Fatal(rules)
	}
	if pool := eppTLS(stacktest.Parse(t, spec)).Spec.TrafficPolicy.PortLevelSettings[0].ConnectionPool; *pool.HTTP.HTTP1MaxPendingRequests != 7 || pool.HTTP.IdleTimeout != "900s" || pool.TCP.MaxConnectionDuration != "1800s" {
		t.Error(pool)
	}
	if rules := DestinationRules(stacktest.Parse(t, spec)); len(rules) != 0 {
		t.Error(rules)
	}
}
