package convert

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/convert/helm"
)

// olderRouting is what charts of the servers before 0.3 had of the EPP, the pool and the route.
const olderRouting = `routing:
  servicePort: 8000
  parentRefs: [{name: infra-sim-inference-gateway, namespace: gw}]
  inferencePool: {create: %, name: mine}
  epp: {create: %, image: "example.com/epp:v9", replicas: 2, pluginsConfigFile: default-config.yaml}
  httpRoute: {create: true, matches: [{path: {type: PathPrefix, value: /v1}}], timeouts: {request: 30s}}
`

// TestHelmOlderRouting has values of charts that made the pool, the EPP and the route beside
// the servers, or the route alone.
func TestHelmOlderRouting(t *testing.T) {
	ours, theirs := strings.ReplaceAll(olderRouting, "%", "true"), strings.ReplaceAll(olderRouting, "%", "false")
	rules := "routing:\n  httpRoute: {create: true, rules: [{matches: [{path: {value: /a}}], backendRefs: [{kind: InferencePool, name: b, weight: 3}, {name: s, port: 80}]}]}\n"
	route := []string{"class: istio", "name: infra-sim-inference-gateway", "namespace: gw", "name: ms-p-llm-d-modelservice", "value: /v1", "request: 30s"}
	for name, c := range map[string]helmCase{
		"everything":                     {model: serverHead + ours, stack: append([]string{"name: mine\n", "name: ms-p-llm-d-modelservice-epp", "image: example.com/epp:v9", "replicas: 2", "preset: prefix-aware", "!backendRefs"}, route...), says: []string{"!error", "default-config.yaml of the chart is the preset prefix-aware now"}},
		"the route":                      {model: serverHead + theirs, stack: append([]string{"enabled: false", "backendRefs:\n      - name: mine", "llm-d.ai/inferenceServing: \"true\"", "label: ms-p-llm-d-modelservice"}, route...), says: []string{"!error", "routing.httpRoute: the route leads to the pool mine, which another chart makes"}},
		"beside the chart of the pool":   {model: serverHead + theirs, pool: servers, stack: append([]string{"name: gaie-p\n", "!backendRefs"}, route...), says: []string{"!error"}},
		"behind the gateway of llm-d":    {model: serverHead + theirs, pool: servers, infra: "gateway: {gatewayClassName: kgateway}\n", stack: []string{"class: agentgateway", "name: ms-p-llm-d-modelservice", "!existing"}, says: []string{"!error"}},
		"rules":                          {model: serverHead + rules, stack: []string{"- name: b\n        weight: 3", "kind: Service\n        name: s\n        port: 80", "value: /a", "name: infra-p-inference-gateway"}, says: []string{"!error"}},
		"a pool without an EPP":          {model: serverHead + "routing: {inferencePool: {create: true}}\n", says: []string{"routing.inferencePool: cannot be carried over: a pool without an EPP"}},
		"an EPP for a pool of others":    {model: serverHead + "routing: {epp: {create: true}, inferencePool: {create: false, name: x}}\n", stack: []string{"create: false", "name: x"}, says: []string{"!error"}},
		"several gateways":               {model: serverHead + "routing: {httpRoute: {create: true}, parentRefs: [{name: a}, {name: b}]}\n", says: []string{"cannot be carried over: several Gateways of a route"}},
		"a mistake where it was written": {model: serverHead + "routing: {epp: {create: true, replicas: x}}\n", says: []string{"routing.epp.replicas: must be an integer"}},
	} {
		t.Run(name, c.run)
	}
}

// TestHelmNamespace asks for the releases' namespace where a template needs it.
func TestHelmNamespace(t *testing.T) {
	const model = serverHead + "routing: {parentRefs: [{name: g, namespace: '{{ .Release.Namespace }}'}], httpRoute: {create: true}}\n"
	for ns, want := range map[string]string{"": "warning ms:1:1: a template refers to .Release.Namespace", "llm": "!.Release.Namespace"} {
		r := Helm(HelmValues{Postfix: "p", Namespace: ns, Model: helm.File{Name: "ms", Data: []byte(model)}})
		holds(t, string(results(r.Problems)), []string{want})
	}
}

// TestHelmSharedMemory has roles that differ in /dev/shm, which is one size in a stack.
func TestHelmSharedMemory(t *testing.T) {
	shm := func(size string) string {
		return "    volumeMounts: [{name: dshm, mountPath: /dev/shm}]\n  volumes: [{name: dshm, emptyDir: {medium: Memory, sizeLimit: " + size + "}}]\n"
	}
	prefill := strings.Replace(strings.TrimPrefix(serverHead, "modelArtifacts:\n  name: a/b\n"), "decode:", "prefill:", 1)
	for name, c := range map[string]helmCase{
		"the second":   {model: serverHead + shm("4Gi") + prefill + shm("20Gi"), stack: []string{"sharedMemory: 20Gi"}, says: []string{"/dev/shm is 4Gi for one role and 20Gi for another", "!error"}},
		"the first":    {model: serverHead + shm("20Gi") + prefill + shm("4Gi"), stack: []string{"sharedMemory: 20Gi"}, says: []string{"/dev/shm is 20Gi for one role and 4Gi for another", "!error"}},
		"both at once": {model: serverHead + shm("20Gi") + prefill + shm("20Gi"), stack: []string{"sharedMemory: 20Gi"}, says: []string{"!/dev/shm is", "!error"}},
	} {
		t.Run(name, c.run)
	}
}
