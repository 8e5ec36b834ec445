package simop

import (
	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
)

// Names of the SimulatorDeployment's EPP.
const (
	eppName   = "gaie-sim-epp"
	poolName  = "gaie-sim"
	eppPort   = 8100
	configKey = "default-plugins.yaml"
)

// scheduler is the SimulatorDeployment's EPP, unless a SchedulerInstall brings one.
func (s *simulator) scheduler() {
	epp := &s.spec.EPP
	switch {
	case s.install != nil && s.install.EPP.Enabled:
		if epp.Enabled {
			s.On("spec.scheduler", "spec.epp").Dropped().Warn("left out: the SchedulerInstall's EPP picks among the same servers, and two pools must not share servers")
		}
		return
	case !epp.Enabled:
		s.Set("spec.scheduler.enabled", false, "spec.epp.enabled")
		return
	}
	s.Set("spec.pool.name", s.fixed(poolName), "")
	s.Set("spec.scheduler.name", s.fixed(eppName), "")
	s.Set("spec.scheduler.configMap.name", s.fixed(eppName), "")
	s.Set("spec.scheduler.configMap.key", configKey, "")
	s.Set("spec.scheduler.port", or(epp.Port, eppPort), "spec.epp.port")
	if !s.spec.Prefill.Enabled {
		s.Set("spec.scheduler.preset", "simulator", "")
	}
	picker(s.Part, epp)
	s.On("spec.pool", "spec.epp").Note("the InferencePool %s, which the operator's EPP watches but nothing makes, is made now, and so are the EPP's ServiceAccount and Role", poolName)
	s.On("spec.scheduler.port", "spec.epp.port").Note("the EPP's health port is 9003 as documented; the operator took the next port after this one")
}

// picker is what the EPPs of both kinds have in common.
func picker(p *draft.Part, epp *EPP) {
	p.Copy("spec.scheduler.replicas", "spec.epp.replicas")
	p.Set("spec.scheduler.verbosity", or(epp.Verbosity, 1), "spec.epp.verbosity")
	p.Set("spec.scheduler.secureServing", false, "")
	serving.EPPImage(p, epp.Image, "spec.epp.image")
	serving.Resources(p, "spec.scheduler.resources", "spec.epp.resources", epp.Resources)
	serving.EPPFlags(p, epp.Args, "spec.epp.args")
}

// encrypted has the EPP serve TLS to a gateway that speaks nothing else: with the operator's
// own setting every request fails.
func encrypted(p *draft.Part, gateway, from string) {
	if p.Text(gateway+".class") != "agentgateway" {
		return
	}
	p.Set("spec.scheduler.secureServing", true, "")
	p.On("spec.scheduler", from).Note("the EPP serves TLS, which the operator turns off: agentgateway speaks nothing else to it")
}

// loadBalancing is the SimulatorDeployment's DestinationRule.
func loadBalancing(p *draft.Part, lb *LoadBalancing) {
	const from = "spec.loadBalancing"
	if !lb.Enabled {
		return
	}
	p.Set("spec.loadBalancing.algorithm", draft.Unless(lb.Algorithm, "ROUND_ROBIN"), from+".algorithm")
	if lb.ConnectionPool == nil {
		return
	}
	pending, requests := or(lb.ConnectionPool.HTTP1MaxPendingRequests, 1), or(lb.ConnectionPool.MaxRequestsPerConnection, 1)
	p.Set("spec.loadBalancing.connectionPool.http1MaxPendingRequests", pending, from+".connectionPool.http1MaxPendingRequests")
	p.Set("spec.loadBalancing.connectionPool.maxRequestsPerConnection", requests, from+".connectionPool.maxRequestsPerConnection")
	tight(p, from)
}

// tight warns about the limits that both kinds have in their samples, where they are written:
// nobody asked for the operators' own defaults.
func tight(p *draft.Part, from string) {
	const pool = "spec.loadBalancing.connectionPool"
	if written(p.Doc, from+".connectionPool.http1MaxPendingRequests") == "1" || written(p.Doc, from+".connectionPool.maxRequestsPerConnection") == "1" {
		p.On(pool, from+".connectionPool").Warn("kept as given, but 1 lets a single request wait and closes a connection after each one: under load clients get 503")
	}
}
