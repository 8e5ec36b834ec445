package document_test

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// TestWordsOfNewcomers has what people write who come from other systems, or guess, and where that leads.
func TestWordsOfNewcomers(t *testing.T) {
	for spec, want := range map[string]string{
		"model: Qwen/Qwen3-8B":                                     "must be a mapping (got \"Qwen/Qwen3-8B\"); write fields, as in {name: Qwen/Qwen3-8B}",
		"model: \"a: b\"":                                          "write fields, as in {name: …}",
		"model: {name: a/b}\n  server: sglang":                     "write fields, as in {engine: sglang}",
		"model: {name: a/b}\n  server: something":                  "write fields, as in {engine: vllm}",
		"model: {name: a/b}\n  scheduler: prefix-aware":            "write fields, as in {preset: prefix-aware}",
		"model: {name: a/b}\n  gateway: kgateway":                  "write fields, as in {class: kgateway}",
		"model: {name: a/b}\n  decode: 2":                          "write fields, as in {replicas: 1}",
		"model: {name: a/b}\n  prefill: {enabled: false}":          "leave the section out to disable it",
		"model: {name: a/b}\n  router: {}":                         "KServe's and the router chart's; spec.scheduler, spec.gateway and spec.route have what it says",
		"model: {name: a/b}\n  gateway: {gatewayClassName: istio}": "another one is gateway.className",
		"model: {name: a/b}\n  modelArtifacts: {uri: hf://a/b}":    "spec.model has what it says, or run inferstack convert helm",
		"model: {name: a/b}\n  routing: {servicePort: 8000}":       "server.port",
		"model: {name: a/b}\n  endpointPicker: {}":                 "the endpoint picker is spec.scheduler",
		"model: {name: a/b}\n  decode: {dataLocal: 1}":             "write parallelism.dataLocal",
		"model: {name: a/b}\n  decoupleScaling: true":              "a ModelService's",
	} {
		docs, problems := document.Read("stack.yaml", []byte("apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a}\nspec:\n  "+spec+"\n"))
		if len(docs) == 1 {
			_, problems = rules.Parse(docs[0].Node, docs[0].Source)
		}
		if text := problems.Error(); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", spec, want, text)
		}
	}
}
