package kserve

import (
	"fmt"

	"github.com/inferstack/inferstack/convert/draft"
)

// desiredReplicas is the number of servers that the workload variant autoscaler publishes
// (kserve pkg/controller/v1alpha2/llmisvc/scaling.go, v0.20.0).
const desiredReplicas = "wva_desired_replicas"

// variants is scaling by llm-d's workload variant autoscaler. The HorizontalPodAutoscaler or
// ScaledObject of the stack follows its numbers as KServe's does; the VariantAutoscaling, by
// which it knows the servers, is printed behind the stack.
func (s *service) variants(w *set, to, from string) {
	wva := w.spec.Scaling.WVA
	name := s.child("-kserve-va")
	if w.name == prefill {
		name = s.child("-kserve-prefill-va")
	}
	switch {
	case (wva.HPA == nil) == (wva.KEDA == nil):
		s.On("", s.at(from)).Fail("hpa or keda: one is required")
		return
	case wva.HPA != nil:
		s.Set(to+".metrics", []any{followed(name)}, s.at(from+".hpa"))
		for _, rules := range []string{"scaleUp", "scaleDown"} {
			if v := wva.HPA.Behavior[rules]; v != nil {
				s.Set(to+"."+rules, v, s.at(from+".hpa.behavior."+rules))
			}
		}
	default:
		s.asked(w, name, to, from+".keda")
	}
	s.in.objects = append(s.in.objects, draft.Node(s.variant(w, name)))
	s.On(to, s.at(from)).Warn("the VariantAutoscaling %s is not part of the stack: inferstack convert prints it behind the stack, and render does not", name)
}

// followed is the metric by which a HorizontalPodAutoscaler does what the autoscaler says.
func followed(variant string) map[string]any {
	return map[string]any{"type": "External", "external": map[string]any{
		"metric": map[string]any{"name": desiredReplicas, "selector": map[string]any{"matchLabels": map[string]any{"variant_name": variant}}},
		"target": map[string]any{"type": "Value", "value": "1"},
	}}
}

// asked is the trigger by which KEDA does so.
func (s *service) asked(w *set, variant, to, from string) {
	prom := s.settings.prometheus
	if prom.URL == "" {
		s.On("", s.at(from)).Fail("needs the address of Prometheus, which the controller finds in its ConfigMap %s, key autoscaling-wva-controller-config: put that ConfigMap into the input", configName)
		return
	}
	metadata := map[string]any{
		"serverAddress": prom.URL, "threshold": "1",
		"query": fmt.Sprintf("%s{variant_name=%q,exported_namespace=%q}", desiredReplicas, variant, s.namespace()),
	}
	trigger := map[string]any{"type": "prometheus", "name": "wva-desired-replicas", "metadata": metadata}
	if prom.Insecure {
		metadata["unsafeSsl"] = "true"
	}
	if prom.Modes != "" {
		metadata["authModes"] = prom.Modes
	}
	if prom.Auth != "" {
		ref := map[string]any{"name": prom.Auth}
		if prom.AuthKind != "" {
			ref["kind"] = prom.AuthKind
		}
		trigger["authenticationRef"] = ref
	}
	s.Set(to+".type", "keda", s.at(from))
	s.Set(to+".triggers", []any{trigger}, s.at(from))
	(&scaledObject{s, to, from}).fields(w.spec.Scaling.WVA.KEDA)
}

// variant is the VariantAutoscaling of a set (llmd.ai/v1alpha1).
func (s *service) variant(w *set, name string) map[string]any {
	const accelerator = "inference.optimization/acceleratorName"
	kind, api := "Deployment", "apps/v1"
	if w.worker != nil && s.Text("spec."+w.name+".parallelism.nodes") != "1" {
		kind, api = "LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1"
	}
	spec := map[string]any{
		"scaleTargetRef": map[string]any{"apiVersion": api, "kind": kind, "name": s.Text("spec." + w.name + ".name")},
		"modelID":        *s.spec.Model.Name, "maxReplicas": w.spec.Scaling.MaxReplicas, "minReplicas": int32(1),
	}
	if min := w.spec.Scaling.MinReplicas; min != nil {
		spec["minReplicas"] = *min
	}
	if cost := w.spec.Scaling.WVA.VariantCost; cost != "" {
		spec["variantCost"] = cost
	}
	return map[string]any{
		"apiVersion": "llmd.ai/v1alpha1", "kind": "VariantAutoscaling",
		"metadata": map[string]any{
			"name": name, "namespace": s.namespace(),
			"labels": map[string]any{accelerator: draft.Unless(w.spec.Labels[accelerator], "unknown")},
		},
		"spec": spec,
	}
}
