package kserve

import (
	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema"
)

// variants is scaling by llm-d's workload variant autoscaler. KServe v0.20.0 tells it of the servers
// by a VariantAutoscaling (pkg/controller/v1alpha2/llmisvc/scaling.go); the stack does so by
// annotations, as KServe's main branch and the autoscaler's own releases from 0.8 on.
func (s *service) variants(w *set, to, from string) {
	wva := w.spec.Scaling.WVA
	switch {
	case (wva.HPA == nil) == (wva.KEDA == nil):
		s.On("", s.at(from)).Fail("hpa or keda: one is required")
		return
	case wva.HPA != nil:
		s.Set(to+".wva", s.variant(w), s.at(from))
		for _, rules := range []string{"scaleUp", "scaleDown"} {
			if v := wva.HPA.Behavior[rules]; v != nil {
				s.Set(to+"."+rules, v, s.at(from+".hpa.behavior."+rules))
			}
		}
	default:
		s.Set(to+".wva", s.variant(w), s.at(from))
		s.asked(to, from+".keda")
		(&scaledObject{s, to, from + ".keda"}).fields(wva.KEDA)
	}
	s.On(to+".wva", s.at(from)).Warn("no VariantAutoscaling is made: the workload variant autoscaler finds the servers by annotations, as it does from 0.8 on")
}

// variant is what the autoscaler is told of a set.
func (s *service) variant(w *set) map[string]any {
	out := map[string]any{}
	if cost := w.spec.Scaling.WVA.VariantCost; cost != "" {
		out["variantCost"] = cost
	}
	if name := w.spec.Labels[schema.WVAAccelerator]; name != "" {
		out["acceleratorName"] = name
	}
	return out
}

// asked is the Prometheus that KEDA asks for the autoscaler's numbers.
func (s *service) asked(to, from string) {
	prom := s.settings.prometheus
	if prom.URL == "" {
		s.On("", s.at(from)).Fail("needs the address of Prometheus, which the controller finds in its ConfigMap %s, key autoscaling-wva-controller-config: put that ConfigMap into the input", configName)
		return
	}
	s.Set(to+".type", "keda", s.at(from))
	s.Set(to+".prometheusAddress", prom.URL, s.at(from))
	auth := map[string]any{}
	if prom.Auth != "" {
		ref := map[string]any{"name": prom.Auth}
		if prom.AuthKind != "" {
			ref["kind"] = prom.AuthKind
		}
		auth["authenticationRef"] = ref
	}
	if prom.Modes != "" {
		auth["authModes"] = draft.Listed(prom.Modes)
	}
	if prom.Insecure {
		auth["unsafeSsl"] = true
	}
	if len(auth) > 0 {
		s.Set(to+".prometheusAuth", auth, s.at(from))
	}
}
