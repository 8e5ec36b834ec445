package kserve

import (
	"fmt"
	"maps"
	"slices"
)

// scaling is done by llm-d's workload variant autoscaler, or by KEDA alone.
func (s *service) scaling(w *set) {
	sc := w.spec.Scaling
	if sc == nil {
		return
	}
	from, to := w.from+".scaling", "spec."+w.name+".autoscaling"
	if (sc.WVA == nil) == (sc.KEDA == nil) {
		s.On("", s.at(from)).Fail("wva or keda: one is required")
		return
	}
	if sc.MinReplicas != nil {
		s.Set(to+".min", *sc.MinReplicas, s.at(from+".minReplicas"))
	}
	s.Set(to+".max", sc.MaxReplicas, s.at(from+".maxReplicas"))
	if sc.WVA != nil {
		s.variants(w, to, from+".wva")
		return
	}
	s.Set(to+".type", "keda", s.at(from+".keda"))
	s.Set(to+".triggers", sc.KEDA.Triggers, s.at(from+".keda.triggers"))
	(&scaledObject{s, to, from + ".keda"}).fields(sc.KEDA)
}

// A scaledObject is what KServe says of a ScaledObject beside its triggers (kserve
// pkg/apis/serving/v1alpha2, KEDAScalingSpec; keda.sh/v1alpha1).
type scaledObject struct {
	*service
	to, from string
}

// scalingFields are those that autoscaling has, by what KEDA calls them.
var scalingFields = map[string]string{
	"pollingInterval": "pollingSeconds", "cooldownPeriod": "cooldownSeconds",
	"fallback.failureThreshold": "fallback.failureThreshold", "fallback.replicas": "fallback.replicas",
	"fallback.behavior":                 "fallback.behavior",
	"advanced.scalingModifiers.formula": "modifiers.formula", "advanced.scalingModifiers.target": "modifiers.target",
	"advanced.scalingModifiers.activationTarget": "modifiers.activationTarget", "advanced.scalingModifiers.metricType": "modifiers.metricType",
	"advanced.horizontalPodAutoscalerConfig.behavior.scaleUp":   "scaleUp",
	"advanced.horizontalPodAutoscalerConfig.behavior.scaleDown": "scaleDown",
}

// scalingDefaults are what KEDA has for fields that autoscaling does not have.
var scalingDefaults = map[string]string{
	"initialCooldownPeriod": "0", "advanced.restoreToOriginalReplicaCount": "false",
}

func (o *scaledObject) fields(k *KEDA) {
	rest := *k
	rest.Triggers = nil
	o.each(plain(rest), "")
}

// each takes over the fields of a section, and says which it cannot.
func (o *scaledObject) each(section map[string]any, path string) {
	for _, name := range slices.Sorted(maps.Keys(section)) {
		field := path + name
		below, nested := section[name].(map[string]any)
		switch to, own := scalingFields[field], o.at(o.from+"."+field); {
		case to != "":
			o.Set(o.to+"."+to, section[name], own)
		case nested && len(below) > 0:
			o.each(below, field+".")
		case fmt.Sprint(section[name]) == scalingDefaults[field]:
		default:
			o.Lost(own, "%s of the ScaledObject", field)
		}
	}
}
