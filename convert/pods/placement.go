package pods

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/internal/lists"
)

// placement is where pods run and under what name, which a stack says per role or for
// all.
func (s *Servers) placement() {
	s.shared("nodeSelector", func(r *Role) any { return orNil(r.Pod.NodeSelector) })
	s.shared("tolerations", func(r *Role) any { return orNil(r.Pod.Tolerations) })
	s.shared("affinity", func(r *Role) any { return orNil(r.Pod.Affinity) })
	s.shared("topologySpreadConstraints", func(r *Role) any { return orNil(r.Pod.TopologySpreadConstraints) })
	s.shared("priorityClassName", func(r *Role) any { return orNil(r.Pod.PriorityClassName) })
	s.shared("runtimeClassName", func(r *Role) any {
		name := r.Pod.RuntimeClassName
		if name != nil && *name == "" {
			return nil // as none to the API (k8s.io/api core/v1 PodSpec)
		}
		return orNil(name)
	})
	s.shared("schedulerName", func(r *Role) any { return orNil(r.Pod.SchedulerName) })
	for _, r := range s.Roles {
		pod := &r.Pod
		pod.NodeSelector, pod.Tolerations, pod.Affinity, pod.TopologySpreadConstraints = nil, nil, nil, nil
		pod.PriorityClassName, pod.RuntimeClassName, pod.SchedulerName = "", nil, ""
	}
	s.common()
}

// common fields are the server section's alone; where roles differ they stay in the
// pod's patch.
func (s *Servers) common() {
	first := s.Roles[0]
	account, grace, secrets := first.Pod.ServiceAccountName, first.Pod.TerminationGracePeriodSeconds, first.Pod.ImagePullSecrets
	for _, r := range s.Roles {
		if r.Pod.ServiceAccountName != account || !equal(r.Pod.TerminationGracePeriodSeconds, grace) || !equal(r.Pod.ImagePullSecrets, secrets) {
			return
		}
	}
	if account != "" {
		s.Set("spec.server.serviceAccountName", account, first.field("serviceAccountName"))
	}
	if grace != nil {
		s.Set("spec.server.terminationGracePeriodSeconds", *grace, first.field("terminationGracePeriodSeconds"))
	}
	if len(secrets) > 0 {
		names := lists.Map(secrets, func(ref corev1.LocalObjectReference) string { return ref.Name })
		s.Set("spec.images.pullSecrets", names, first.field("imagePullSecrets"))
	}
	for _, r := range s.Roles {
		r.Pod.ServiceAccountName, r.Pod.TerminationGracePeriodSeconds, r.Pod.ImagePullSecrets = "", nil, nil
	}
}

// probes are common to all servers; a prefill probe of its own stays in the patch.
func (s *Servers) probes() {
	for _, p := range []struct {
		field string
		of    func(*Role) **corev1.Probe
	}{
		{"startup", func(r *Role) **corev1.Probe { return &r.main.StartupProbe }},
		{"readiness", func(r *Role) **corev1.Probe { return &r.main.ReadinessProbe }},
		{"liveness", func(r *Role) **corev1.Probe { return &r.main.LivenessProbe }},
	} {
		section := s.probe(*p.of(s.Roles[0]))
		for _, r := range s.Roles[1:] {
			if !equal(s.probe(*p.of(r)), section) {
				section = nil
			}
		}
		if section == nil {
			s.otherProbe(p.field, p.of)
			continue
		}
		s.Set("spec.server.probes."+p.field, section, s.Roles[0].field("probes."+p.field))
		for _, r := range s.Roles {
			*p.of(r) = nil
		}
	}
}

// otherProbe turns the generated probe off where a role has one that asks in another way
// than by HTTP: patched over the generated one, it would ask in both.
func (s *Servers) otherProbe(field string, of func(*Role) **corev1.Probe) {
	for _, r := range s.Roles {
		if p := *of(r); p != nil && p.HTTPGet == nil {
			s.Set("spec.server.probes."+field+".enabled", false, r.field("probes."+field))
			s.On("spec.server.probes", r.field("probes."+field)).Note("the %s probe of the %s servers takes the place of the one that a stack has by itself", field, r.Name)
			return
		}
	}
}

// probe is an HTTP probe of the server as a stack says it, or nil for another one. The
// port follows from the stack.
func (s *Servers) probe(p *corev1.Probe) map[string]any {
	if p == nil || p.HTTPGet == nil || p.HTTPGet.Host != "" || p.HTTPGet.Scheme == corev1.URISchemeHTTPS || len(p.HTTPGet.HTTPHeaders) > 0 || p.TerminationGracePeriodSeconds != nil || !s.asksServer(p) {
		return nil
	}
	out := map[string]any{"path": p.HTTPGet.Path}
	for field, value := range map[string]int32{
		"initialDelaySeconds": p.InitialDelaySeconds, "periodSeconds": p.PeriodSeconds,
		"timeoutSeconds": p.TimeoutSeconds, "failureThreshold": p.FailureThreshold,
	} {
		if value != 0 {
			out[field] = value
		}
	}
	return out
}
