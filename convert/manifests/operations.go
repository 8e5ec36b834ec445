package manifests

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
)

// operations are the fields of what runs a stack beside its servers.
func (s *sources) operations() [][]proposal {
	out := s.scaling()
	out = append(out, s.connections()...)
	out = append(out, s.monitors()...)
	for _, m := range s.g.of("NetworkPolicy") {
		out = append(out, []proposal{{"spec.networkPolicy": object{}}}, one("spec.networkPolicy.monitoringNamespaces", namespaces(m.what)), one("spec.networkPolicy.gatewayNamespaces", namespaces(m.what)))
	}
	for _, m := range s.g.of("InferenceModelRewrite") {
		out = append(out, s.rewrite(m.what))
	}
	for _, m := range s.g.of("InferenceObjective") {
		out = append(out, []proposal{{"spec.objectives": more{object{"name": m.ref.Name, "priority": at(m.what, "spec", "priority")}}}})
	}
	out = append(out, []proposal{{"spec.delivery.syncWaves": true}}, one("spec.delivery.labels", s.common()...),
		one("spec.images.pullPolicy", "Always", "Never"), one("spec.security.podSecurity", "baseline"), []proposal{{"spec.security.platformIDs": true}})
	out = append(out, s.smokeTest()...) // before services: it has some of its own
	out = append(out, s.services()...)
	for _, r := range s.roles {
		out = append(out, one("spec.security.runAsUser", at(r.pod, "spec", "securityContext", "runAsUser")), one("spec.images.pullSecrets", secrets(r.pod)))
	}
	return out
}

// services are those over the servers.
func (s *sources) services() [][]proposal {
	out := [][]proposal{{{"spec.server.service.enabled": false}}}
	for _, m := range s.g.of("Service") {
		of := object{"name": m.ref.Name}
		if port := at(m.what, "spec", "ports", "", "port"); port != nil {
			of["port"] = port
		}
		choices := []proposal{{"spec.server.service": of}}
		for _, r := range s.roles {
			choices = append(choices, proposal{"spec." + r.name + ".service": of})
		}
		out = append(out, choices, one("spec.server.service.type", at(m.what, "spec", "type")))
	}
	return out
}

// smokeTest are the choices that a Job with the label of a smoke test leaves. Its name follows
// from the whole stack, so that nothing but the right one brings the stack nearer.
func (s *sources) smokeTest() [][]proposal {
	for _, m := range s.g.of("Job") {
		if text(m.what, "metadata", "labels", "app.kubernetes.io/component") != "smoke-test" {
			continue
		}
		c := at(m.what, "spec", "template", "spec", "containers", "")
		said := map[string]string{}
		for _, e := range list(at(c, "env")) {
			said[text(e, "name")] = text(e, "value")
		}
		const to = "spec.delivery.smokeTest"
		timeout, url := numeric(said["DEADLINE"]), strings.TrimSuffix(said["URL"], "/v1/chat/completions")
		return [][]proposal{{
			{to: object{"timeoutSeconds": timeout}},
			{to: object{"timeoutSeconds": timeout, "image": at(c, "image")}},
			{to: object{"timeoutSeconds": timeout, "url": url}},
			{to: object{"timeoutSeconds": timeout, "url": url, "image": at(c, "image")}},
		}}
	}
	return nil
}

func secrets(pod object) any {
	return orNothing(lists.Map(list(at(pod, "spec", "imagePullSecrets")), func(e any) any { return at(e, "name") }))
}

// common are labels that the pool has beside those of a stack.
func (s *sources) common() []any {
	if s.g.poolless {
		return nil
	}
	labels := mapping(s.g.pool.what["metadata"])["labels"]
	left := object{}
	for key, v := range mapping(labels) {
		if !strings.HasPrefix(key, "app.kubernetes.io/") {
			left[key] = v
		}
	}
	if len(left) == 0 {
		return nil
	}
	return []any{left}
}

func (s *sources) monitors() [][]proposal {
	all := s.g.of("PodMonitor", "ServiceMonitor", "PrometheusRule")
	if len(all) == 0 {
		return nil
	}
	out := [][]proposal{{{"spec.monitoring": object{}}, {"spec.monitoring": object{"alerts": false, "dashboard": false}}}}
	for _, field := range []string{"alerts", "dashboard", "podMonitor", "serviceMonitor"} {
		out = append(out, []proposal{{"spec.monitoring." + field: false}})
	}
	for _, m := range all {
		labels := mapping(at(m.what, "metadata", "labels"))
		for _, key := range slices.Sorted(maps.Keys(labels)) {
			out = append(out, one("spec.monitoring.labels", object{key: labels[key]}))
		}
		out = append(out, one("spec.monitoring.interval", at(m.what, "spec", "podMetricsEndpoints", "", "interval"), at(m.what, "spec", "endpoints", "", "interval")))
	}
	return out
}

// namespaces are those that a NetworkPolicy lets in.
func namespaces(o object) any {
	var out []any
	for _, rule := range list(at(o, "spec", "ingress")) {
		for _, peer := range list(at(rule, "from")) {
			if name := at(peer, "namespaceSelector", "matchLabels", "kubernetes.io/metadata.name"); name != nil {
				out = append(out, name)
			}
		}
	}
	return orNothing(out)
}

func (s *sources) scaling() (out [][]proposal) {
	for _, r := range s.roles {
		name := text(r.what, "metadata", "name")
		to := "spec." + r.name + "."
		for _, m := range s.g.of("PodDisruptionBudget") {
			out = append(out, one(to+"disruptionBudget", budget(m.what)))
		}
		for _, m := range s.g.of(scalers...) {
			if text(m.what, "spec", "scaleTargetRef", "name") == name {
				out = append(out, autoscaling(to+"autoscaling", m, s.variantOf(m.what, name))...)
			}
		}
	}
	return out
}

// budget is what a PodDisruptionBudget allows.
func budget(o object) object {
	out := object{}
	for _, field := range []string{"minAvailable", "maxUnavailable"} {
		if v := at(o, "spec", field); v != nil {
			out[field] = v
		}
	}
	return out
}

// autoscaling tries what a scaler could have been made from.
func autoscaling(to string, m member, wva any) [][]proposal {
	spec := m.what["spec"]
	scaler := object{"type": "hpa", "max": at(spec, "maxReplicas"), "min": at(spec, "minReplicas")}
	if m.ref.Kind == "ScaledObject" {
		scaler = object{"type": "keda", "max": at(spec, "maxReplicaCount"), "min": at(spec, "minReplicaCount")}
	}
	if scaler["min"] == nil {
		delete(scaler, "min")
	}
	var choices []proposal
	choose := func(field string, v any) {
		with := freeform.Copy(scaler).(object)
		with[field] = v
		if at(spec, "triggers", "", "metadata", "serverAddress") != nil && field != "triggers" {
			with["prometheusAddress"] = at(spec, "triggers", "", "metadata", "serverAddress")
		}
		choices = append(choices, proposal{to: with})
	}
	if wva != nil {
		choose("wva", wva)
	}
	targets := []any{numeric(text(spec, "triggers", "", "metadata", "threshold")), numeric(text(spec, "metrics", "", "pods", "target", "averageValue")), numeric(text(spec, "metrics", "", "resource", "target", "averageUtilization"))}
	for _, field := range []string{"targetRunningRequests", "targetQueueSize", "targetCPUUtilization"} {
		for _, target := range targets {
			if target != nil {
				choose(field, target)
			}
		}
	}
	for _, field := range []string{"triggers", "metrics"} {
		if l := at(spec, field); l != nil {
			choose(field, l)
		}
	}
	behavior := at(spec, "behavior")
	if m.ref.Kind == "ScaledObject" {
		behavior = at(spec, "advanced", "horizontalPodAutoscalerConfig", "behavior")
	}
	return [][]proposal{choices,
		one(to+".prometheusAuth", prometheusAuth(at(spec, "triggers", ""))),
		one(to+".modifiers", modifiers(spec)),
		one(to+".fallback", at(spec, "fallback")),
		one(to+".scaleUp", at(behavior, "scaleUp")), one(to+".scaleDown", at(behavior, "scaleDown"), withoutWindow(at(behavior, "scaleDown"))),
		one(to+".pollingSeconds", at(spec, "pollingInterval")), one(to+".cooldownSeconds", at(spec, "cooldownPeriod")),
		one(to+".scaleDownStabilizationSeconds", at(behavior, "scaleDown", "stabilizationWindowSeconds"))}
}

// variantOf is what the workload variant autoscaler is told of a workload, or nothing: by
// annotations of its autoscaler, or as before 0.8 by a VariantAutoscaling.
func (s *sources) variantOf(scaler object, workload string) any {
	if notes := mapping(at(scaler, "metadata", "annotations")); notes[schema.WVAManaged] != nil && desired(scaler) {
		return variant(notes[schema.WVACost], scaler)
	}
	for _, m := range s.g.of("VariantAutoscaling") {
		if text(m.what, "spec", "scaleTargetRef", "name") == workload {
			return variant(at(m.what, "spec", "variantCost"), m.what)
		}
	}
	return nil
}

// desired reports whether a scaler follows what the workload variant autoscaler publishes.
func desired(scaler object) bool {
	data, err := json.Marshal(scaler["spec"])
	return err == nil && bytes.Contains(data, []byte(schema.WVAMetric))
}

// unmanaged says which scalers the stack takes from the workload variant autoscaler, whose metric they do
// not follow.
func (s *sources) unmanaged() (out schema.Problems) {
	for _, m := range s.g.of(scalers...) {
		if mapping(at(m.what, "metadata", "annotations"))[schema.WVAManaged] != nil && !desired(m.what) {
			out = append(out, m.Problem(schema.Warning, "spec", "%s has the annotation %s and does not follow %s; the stack keeps what it follows, and leaves the annotations of the workload variant autoscaler out", named(m.what), schema.WVAManaged, schema.WVAMetric))
		}
	}
	return out
}

func variant(cost any, labelled object) any {
	out := object{}
	if cost != nil {
		out["variantCost"] = cost
	}
	if name := mapping(at(labelled, "metadata", "labels"))[schema.WVAAccelerator]; name != nil {
		out["acceleratorName"] = name
	}
	return out
}

// prometheusAuth is how a trigger asks Prometheus, or nothing.
func prometheusAuth(trigger any) any {
	out := object{}
	if ref := at(trigger, "authenticationRef"); ref != nil {
		out["authenticationRef"] = ref
	}
	if modes := text(trigger, "metadata", "authModes"); modes != "" {
		out["authModes"] = draft.Listed(modes)
	}
	if text(trigger, "metadata", "unsafeSsl") == "true" {
		out["unsafeSsl"] = true
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// withoutWindow are the rules of scaling down without what has a field of its own.
func withoutWindow(rules any) any {
	out := mapping(freeform.Copy(rules))
	delete(out, "stabilizationWindowSeconds")
	if len(out) == 0 {
		return nil
	}
	return out
}

// modifiers are the formula of a ScaledObject over its triggers.
func modifiers(spec any) any {
	given := mapping(at(spec, "advanced", "scalingModifiers"))
	out := object{}
	for _, field := range []string{"formula", "target", "activationTarget", "metricType"} {
		if v := given[field]; v != nil {
			out[field] = v
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (s *sources) rewrite(o object) []proposal {
	e := object{"name": text(o, "metadata", "name")}
	var models, targets []any
	for _, rule := range list(at(o, "spec", "rules")) {
		for _, match := range list(at(rule, "matches")) {
			models = append(models, at(match, "model", "value"))
		}
		for _, t := range list(at(rule, "targets")) {
			target := object{"model": at(t, "modelRewrite")}
			if w := at(t, "weight"); w != nil {
				target["weight"] = w
			}
			targets = append(targets, target)
		}
	}
	e["targets"] = targets
	if models != nil {
		e["models"] = models
	}
	return []proposal{{"spec.modelRewrites": more{e}}}
}
