package server

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
	"github.com/inferstack/inferstack/release"
)

// engine is what the release line knows of an engine beside vLLM and the simulator.
func (s server) engine() release.Engine {
	engine, _ := s.EngineOf(s.Line)
	return engine
}

// engineEnv is the environment of such an engine. Like vLLM's it gives a user without an entry
// in /etc/passwd a name and a home.
func (s server) engineEnv() []corev1.EnvVar {
	engine := s.engine()
	vars := append([]corev1.EnvVar{
		{Name: "HOME", Value: s.homeDir()},
		{Name: "USER", Value: s.Spec.Server.Engine},
	}, base.FlagEnv(engine.Env)...)
	if s.Spec.Prefill != nil && s.unevenTensors() {
		vars = append(vars, base.FlagEnv(engine.UnevenEnv)...)
	}
	if kvevents.Mode(s.Stack) != "" {
		vars = append(vars, base.FieldEnv("POD_IP", "status.podIP"))
	}
	return vars
}

// unevenTensors reports whether some servers differ in tensor parallelism.
func (s server) unevenTensors() bool {
	all := s.Servers()
	return slices.ContainsFunc(all, func(other base.Server) bool { return other.Own.Parallelism.Tensor != all[0].Own.Parallelism.Tensor })
}

// engineParallelArgs spreads one server over the accelerators of a pod.
func (s server) engineParallelArgs(a *args.List) {
	p := &s.Own.Parallelism
	if p.Tensor > 1 {
		a.Add("tensorParallelSize", p.Tensor)
	}
	if p.Pipeline > 1 {
		a.Add("pipelineParallelSize", p.Pipeline)
	}
	if p.Data > 1 {
		a.Add("dataParallelSize", p.Data)
	}
	if p.Expert {
		a.Add("expertParallelSize", p.Tensor)
	}
}
