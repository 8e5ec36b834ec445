package fn

import (
	"strings"
	"testing"
)

// TestObjectsOfOthers has stacks that name what they do not make: it is there by other
// means. A name that is nearly one of the stack's own is a mistake.
func TestObjectsOfOthers(t *testing.T) {
	for name, tc := range map[string]struct{ spec, says string }{
		"the pool of another stack":                {"gateway: {class: agentgateway}\n  route: {split: [{pool: canary, weight: 10}]}", ""},
		"a pool of another namespace":              {"gateway: {class: istio, istio: {version: \"1.31\"}}\n  route: {split: [{pool: canary, namespace: other, weight: 10}]}", ""},
		"a mirror":                                 {"gateway: {class: agentgateway}\n  route: {filters: [{type: RequestMirror, requestMirror: {backendRef: {name: shadow, port: 80}}}]}", ""},
		"servers of others":                        {"server: {create: false}\n  pool: {selector: {app: mine}}", ""},
		"a configuration of others":                {"server: {envFrom: [{configMapRef: {name: mine}}]}", ""},
		"the pool of the next version":             {"gateway: {class: agentgateway}\n  route: {split: [{pool: llama2, weight: 10}]}", ""},
		"a pool by a name much alike":              {"gateway: {class: agentgateway}\n  route: {rules: [{backendRefs: [{}, {name: lllama, weight: 9}]}]}", ""},
		"a Service by a name alike":                {"kvCache: {redis: {address: \"llama-eep:6379\", index: true}}\n  scheduler: {preset: precise-prefix}", ""},
		"an account like one of its own, numbered": {"server: {serviceAccountName: llama-epp2}", ""},
		"nearly an account of its own":             {"server: {serviceAccountName: llama-eep}", "llama-eep, which does not exist"},
	} {
		stack := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: llama, namespace: llm}\nspec:\n  model: {name: a/b}\n  " + tc.spec + "\n"
		got := call(t, stack, "validate", "-")
		if (got.code == exitOK) != (tc.says == "") || !strings.Contains(got.errors, tc.says) {
			t.Errorf("%s: %d %s", name, got.code, got.errors)
		}
	}
}
