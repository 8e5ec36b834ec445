package kserve

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"go.yaml.in/yaml/v3"
)

// routingMarker is an annotation by which a preset says that its servers answer to the name
// that says whose the model is.
const routingMarker = "serving.kserve.io/model-based-routing-enabled"

// handedOn are the beginnings of the annotations and labels of a service that the controller
// puts on its pods (kserve label propagation, v0.20.0).
var handedOn = []string{"k8s.v1.cni.cncf.io", "kueue.x-k8s.io", "prometheus.io", "leaderworkerset.sigs.k8s.io"}

// annotation is one of the service.
func (s *service) annotation(key string) string { return s.original.Annotations[key] }

// metadata is what the labels and annotations of the service mean.
func (s *service) metadata() {
	s.handOn("annotations", s.original.Annotations)
	s.handOn("labels", s.original.Labels)
	for _, key := range slices.Sorted(maps.Keys(s.original.Annotations)) {
		s.acting(key, "metadata.annotations["+key+"]")
	}
	if _, cached := s.original.Labels["internal.serving.kserve.io/localmodel"]; cached {
		s.Lost("metadata.labels[internal.serving.kserve.io/localmodel]", "weights on the node's disk by a LocalModelCache; name the claim as pvc://claim/path")
	}
}

// handOn puts what the controller hands on to the workloads and pods of all roles.
func (s *service) handOn(field string, entries map[string]string) {
	to := map[string]string{"annotations": "spec.server.podAnnotations", "labels": "spec.server.podLabels"}[field]
	kept := map[string]string{}
	for key, value := range entries {
		prefix, _, _ := strings.Cut(key, "/")
		if slices.Contains(handedOn, prefix) {
			kept[key] = value
		}
	}
	if len(kept) > 0 {
		s.Set(to, kept, "metadata."+field)
		s.Set("spec.server."+field, kept, "metadata."+field)
	}
}

// acting is an annotation by which the controller does something.
func (s *service) acting(key, from string) {
	name, ours := strings.CutPrefix(key, "serving.kserve.io/")
	switch {
	case !ours:
	case name == "stop" && s.annotation(key) == "true":
		s.stopped(from)
	case name == "storageSecretName":
		s.Lost(from, "credentials for the container that downloads the weights; model.tokenSecret is the Hugging Face token of the servers")
	}
}

// stopped keeps everything but the servers of a stopped service.
func (s *service) stopped(from string) {
	zero := int32(0)
	s.spec.Replicas, s.spec.Scaling = &zero, nil
	if s.spec.Prefill != nil {
		s.spec.Prefill.Replicas, s.spec.Prefill.Scaling = &zero, nil
	}
	s.On("spec.decode", from).Warn("a stopped service: the stack has no servers, and keeps its EPP, pool and route, which KServe deletes; replicas starts it again")
}

// tracing goes to the monitoring of a stack, of which nothing else is made.
func (s *service) tracing() {
	t := s.spec.Tracing
	if t == nil {
		return
	}
	const to, from = "spec.monitoring.tracing", "spec.tracing"
	for _, part := range []string{"podMonitor", "serviceMonitor", "alerts", "dashboard"} {
		s.Set("spec.monitoring."+part, false, "")
	}
	s.Set(to+".endpoint", value(t.ExporterEndpoint), s.at(from+".exporterEndpoint"))
	switch sampler := value(t.Sampler); sampler {
	case "traceidratio", "parentbased_traceidratio":
		s.Set(to+".ratio", number(value(t.SamplerArg)), s.at(from+".samplerArg"))
	case "always_on", "parentbased_always_on":
		s.Set(to+".ratio", number("1"), s.at(from+".sampler"))
	case "always_off", "parentbased_always_off":
		s.Set(to+".ratio", number("0"), s.at(from+".sampler"))
	default:
		s.Lost(s.at(from+".sampler"), "the sampler %s; a stack samples a share of the requests", sampler)
	}
	if e := value(t.Exporter); e != "otlp" {
		s.Lost(s.at(from+".exporter"), "the exporter %s; a stack exports by OTLP", e)
	}
}

func value(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// number is a number as it was written.
func number(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: draft.Unless(text, "1")}
}
