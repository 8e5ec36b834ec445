package kserve

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// A Cluster is what KServe's controller reads from the cluster that it runs in: the
// ConfigMap inferenceservice-config, and what runs the Gateway. What is not given is as
// KServe ships it, or taken from the documents.
type Cluster struct {
	// Gateway is the ingress gateway, as namespace/name.
	Gateway string
	// GatewayClass is what runs it, as spec.gateway.class has it.
	GatewayClass string
}

// The ConfigMap of the controller, and the namespace that it is in by default.
const (
	configName      = "inferenceservice-config"
	systemNamespace = "kserve"
)

// settings are those of the ConfigMap that matter for an LLMInferenceService
// (kserve pkg/controller/v1alpha2/llmisvc/config_loader.go, v0.20.0).
type settings struct {
	gateway, namespace string // of the ingress gateway
	header             string // by which requests name a model
	routing            string // whether the header is looked at
	tls                bool
	prometheus         prometheus // of the workload variant autoscaler
}

// prometheus is where KEDA finds what the workload variant autoscaler says.
type prometheus struct {
	URL      string `json:"url"`
	Insecure bool   `json:"tlsInsecureSkipVerify"`
	Modes    string `json:"authModes"`
	Auth     string `json:"triggerAuthName"`
	AuthKind string `json:"triggerAuthKind"`
}

// ingress is the key of that name in the ConfigMap.
type ingress struct {
	Gateway string  `json:"kserveIngressGateway"`
	TLS     any     `json:"enableLLMInferenceServiceTLS"`
	Header  *string `json:"modelBasedRoutingHeaderName"`
	Routing string  `json:"modelBasedRoutingMode"`
}

// Modes of routing by the name of the model.
const (
	routingEnabled  = "enabled"
	routingDisabled = "disabled"
	routingForced   = "forced"
)

// defaults are what KServe ships (config/configmap/inferenceservice.yaml, v0.20.0).
func defaults() settings {
	return settings{gateway: "kserve-ingress-gateway", namespace: systemNamespace, header: "X-Gateway-Model-Name", routing: routingEnabled}
}

// settings reads them: those of the ConfigMap, and what was given otherwise.
func (in *input) settings() (settings, schema.Problems) {
	s := defaults()
	var problems schema.Problems
	for _, doc := range in.configMaps {
		if doc.Name != configName || doc.Namespace != "" && doc.Namespace != systemNamespace {
			continue
		}
		var i ingress
		var scaling struct {
			Prometheus *prometheus `json:"prometheus"`
		}
		scaling.Prometheus = &s.prometheus
		problems = slices.Concat(problems, section(doc, "ingress", &i), section(doc, "autoscaling-wva-controller-config", &scaling))
		s.read(i)
	}
	if g := in.cluster.Gateway; g != "" {
		s.setGateway(g)
	}
	return s, problems
}

// section reads one key of the ConfigMap, if it is there.
func section(doc document.Document, key string, into any) schema.Problems {
	path := "data." + key
	n := doc.At(path)
	if n == nil {
		return nil
	}
	if err := json.Unmarshal([]byte(n.Value), into); err != nil {
		return schema.Problems{doc.Problem(schema.Error, path, "must be JSON: %v", err)}
	}
	return nil
}

func (s *settings) read(i ingress) {
	if i.Gateway != "" {
		s.setGateway(i.Gateway)
	}
	if i.Header != nil {
		s.header = *i.Header
	}
	s.routing = draft.Unless(strings.ToLower(i.Routing), s.routing)
	switch tls := i.TLS.(type) {
	case bool:
		s.tls = tls
	case string:
		s.tls, _ = strconv.ParseBool(tls)
	}
}

// setGateway takes namespace/name, or a name in KServe's namespace.
func (s *settings) setGateway(g string) {
	namespace, name, ok := strings.Cut(g, "/")
	if !ok {
		namespace, name = systemNamespace, g
	}
	s.gateway, s.namespace = name, namespace
}
