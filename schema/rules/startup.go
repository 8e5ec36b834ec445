package rules

import (
	"github.com/inferstack/inferstack/schema"
)

// shortestStartup is less than any engine with a model needs to start, in seconds.
const shortestStartup = 60

// startupBudget warns of a startup probe that ends servers before they can have loaded a
// model: they are started again and again.
func startupBudget(s stack) []schema.Problem {
	p := &s.Spec.Server.Probes.Startup
	if s.Simulated() || !p.Enabled || p.PeriodSeconds == nil || p.FailureThreshold == nil {
		return nil
	}
	budget := int64(*p.PeriodSeconds) * int64(*p.FailureThreshold)
	if p.InitialDelaySeconds != nil {
		budget += int64(*p.InitialDelaySeconds)
	}
	if budget >= shortestStartup {
		return nil
	}
	return []schema.Problem{s.Problem(schema.Warning, "spec.server.probes.startup", "gives a server %d s to load its model, after which it is killed and starts over; raise failureThreshold", budget)}
}
