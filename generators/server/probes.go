package server

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/schema"
)

// A probing is what a probe is made of when the user says nothing.
type probing struct {
	path                       string
	period, timeout, threshold int32
}

// vLLM answers /v1/models only when it can serve, and /health with an error when its
// engine is dead. The supervisor of several ranks knows /health and /readyz.
func (s server) startupProbing() probing {
	switch {
	case s.Simulated():
		return probing{path: s.Line.Simulator.ReadyPath, period: 2, timeout: 1, threshold: 30}
	case s.Supervised():
		return probing{path: "/health", period: 10, timeout: 5, threshold: 360}
	default:
		return probing{path: s.modelsPath(), period: 10, timeout: 5, threshold: 360}
	}
}

func (s server) readinessProbing() probing {
	switch {
	case s.Simulated():
		return probing{path: s.Line.Simulator.ReadyPath, period: 5, timeout: 1, threshold: 3}
	case s.Supervised():
		return probing{path: "/readyz", period: 5, timeout: 5, threshold: 3}
	default:
		return probing{path: s.modelsPath(), period: 5, timeout: 5, threshold: 3}
	}
}

func (s server) livenessProbing() probing {
	switch {
	case s.Simulated():
		return probing{path: s.Line.Simulator.HealthPath, period: 10, timeout: 5, threshold: 3}
	case s.Supervised():
		// One rank that is slow to answer speaks for all, and a restart reloads all of them
		// (llm-d guides/wide-ep-lws).
		return probing{path: "/health", period: 30, timeout: 5, threshold: 3}
	default:
		return probing{path: "/health", period: 10, timeout: 5, threshold: 3}
	}
}

// modelsPath lists the models, which wants a key where there is one: a probe has none, and
// vLLM answers /health without. It does so once its engine runs.
func (s server) modelsPath() string {
	if s.asksForKey() {
		return "/health"
	}
	return "/v1/models"
}

// asksForKey reports whether vLLM lets only those in who have a key.
func (s server) asksForKey() bool {
	vars := slices.Concat(s.Spec.Server.Env, s.Own.Env)
	arguments := slices.Concat(s.Spec.Server.Args, s.Own.Args)
	return slices.ContainsFunc(vars, func(v corev1.EnvVar) bool { return v.Name == "VLLM_API_KEY" }) ||
		slices.ContainsFunc(arguments, func(arg string) bool {
			name, _, _ := strings.Cut(argv.Hyphened(arg), "=")
			return name == "--api-key"
		})
}

func (s server) startupProbe() *corev1.Probe {
	return s.probe(&s.Spec.Server.Probes.Startup, s.startupProbing())
}

func (s server) readinessProbe() *corev1.Probe {
	return s.probe(&s.Spec.Server.Probes.Readiness, s.readinessProbing())
}

func (s server) livenessProbe() *corev1.Probe {
	return s.probe(&s.Spec.Server.Probes.Liveness, s.livenessProbing())
}

// probe asks the model server itself, also where the routing sidecar stands before it:
// the sidecar answers for itself. The port is a number, since ports of the two have
// different names in different roles.
func (s server) probe(spec *schema.Probe, usual probing) *corev1.Probe {
	if !spec.Enabled {
		return nil
	}
	get := &corev1.HTTPGetAction{Path: cmp.Or(spec.Path, usual.path), Port: intstr.FromInt32(s.HealthPort())}
	if s.ServesTLS() {
		get.Scheme = corev1.URISchemeHTTPS
	}
	return &corev1.Probe{
		ProbeHandler:        corev1.ProbeHandler{HTTPGet: get},
		InitialDelaySeconds: value(spec.InitialDelaySeconds, 0),
		TimeoutSeconds:      value(spec.TimeoutSeconds, usual.timeout),
		PeriodSeconds:       value(spec.PeriodSeconds, usual.period),
		FailureThreshold:    value(spec.FailureThreshold, usual.threshold),
	}
}

// value returns what a pointer points at, or the default.
func value[T any](p *T, usual T) T {
	if p != nil {
		return *p
	}
	return usual
}

// startupBudget returns the seconds that a server may take to start.
func (s server) startupBudget() int32 {
	spec, usual := &s.Spec.Server.Probes.Startup, server{s.Decode()}.startupProbing()
	if !spec.Enabled {
		return 0
	}
	return value(spec.InitialDelaySeconds, 0) +
		value(spec.PeriodSeconds, usual.period)*value(spec.FailureThreshold, usual.threshold)
}
