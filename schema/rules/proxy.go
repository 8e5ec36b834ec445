package rules

import (
	"time"

	"github.com/inferstack/inferstack/schema"
)

// envoyLoopbackPort is the standalone proxy's own admin port.
const envoyLoopbackPort = 9901

// standaloneProxy checks the settings of the standalone proxy.
func standaloneProxy(s stack) (out []schema.Problem) {
	for _, g := range s.gatewaysAt() {
		if !g.Standalone() {
			continue
		}
		at := g.path + ".envoy"
		if g.Envoy.ListenPort == g.Envoy.AdminPort {
			out = append(out, s.Problem(schema.Error, at+".adminPort", "must differ from listenPort (both are %d)", g.Envoy.AdminPort))
		}
		for _, p := range []struct {
			field string
			port  int32
		}{{"listenPort", g.Envoy.ListenPort}, {"adminPort", g.Envoy.AdminPort}} {
			if p.port == envoyLoopbackPort {
				out = append(out, s.Problem(schema.Error, at+"."+p.field, "%d is used inside the pod; choose another", p.port))
			}
		}
		if s.Scored() && s.Spec.Scheduler.FailureMode == "FailOpen" && s.Has(schedulerPath+".failureMode") {
			// envoyproxy/envoy 41276
			out = append(out, s.Problem(schema.Info, "spec.scheduler.failureMode", "FailOpen holds for requests whose body the proxy has not begun to send to the EPP; others fail with it"))
		}
	}
	return out
}

// loadBalancingFits looks for load balancing that nobody would do.
func loadBalancingFits(s stack) (out []schema.Problem) {
	lb := s.Spec.LoadBalancing
	if lb == nil {
		return nil
	}
	at := "spec.loadBalancing"
	istio := s.Spec.Gateway == nil
	for _, g := range s.gatewaysAt() {
		istio = istio || g.Row().DestinationRule
	}
	switch {
	case !istio:
		out = append(out, s.Problem(schema.Warning, at, "is a DestinationRule, which only Istio's proxies read; a gateway of class %s does not", s.Spec.Gateway.Class))
	case s.Spec.Gateway != nil && s.Routed() && s.Scored():
		out = append(out, s.Problem(schema.Info, at, "holds for clients of the plain Service; what comes through the gateway goes where the EPP says"))
	}
	return out
}

// connectionTimes looks for times that Istio refuses.
func connectionTimes(s stack) []schema.Problem {
	out := poolTimes(s, "spec.scheduler.connectionPool", s.Spec.Scheduler.ConnectionPool)
	if lb := s.Spec.LoadBalancing; lb != nil {
		out = append(out, poolTimes(s, "spec.loadBalancing.connectionPool", lb.ConnectionPool)...)
	}
	return out
}

// poolTimes holds the times of a pool to the bound of istio.io/api networking/v1
// DestinationRule, in the CRD of 1.29.
func poolTimes(s stack, at string, pool *schema.ConnectionPool) (out []schema.Problem) {
	if pool == nil {
		return nil
	}
	for _, t := range []struct{ field, value string }{
		{"connectTimeout", pool.ConnectTimeout}, {"idleTimeout", pool.IdleTimeout}, {"maxConnectionDuration", pool.MaxConnectionDuration},
	} {
		if d, err := time.ParseDuration(t.value); err == nil && d < time.Millisecond {
			out = append(out, s.Problem(schema.Error, at+"."+t.field, "must be at least 1ms (got %s); leave it out for Istio's default", t.value))
		}
	}
	return out
}
