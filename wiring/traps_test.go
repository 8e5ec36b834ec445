package wiring

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
	stackrules "github.com/inferstack/inferstack/schema/rules"
)

// A trap of deploying llm-d: the rules that find it in manifests, and a stack that the
// schema refuses for it. What no stack can say, because it is generated right, has rules
// alone.
type trap struct {
	name  string
	rules []string
	// spec is added to a stack, and refused is part of what is said.
	spec, refused string
}

// traps are the mistakes that llm-d's issues, guides and operators report, in no order.
var traps = []trap{
	{name: "image of another name or time", rules: []string{"epp-image"}},
	{name: "failureMode FailClosed", rules: []string{"pool-failure-mode"}, spec: "  scheduler: {failureMode: FailClosed}", refused: "FailClose"},
	{name: "pool of the old group", rules: []string{"api-version-deprecated", "pool-group"}},
	{name: "objective of the wrong group", rules: []string{"api-version-deprecated"}},
	{name: "probe's service and leader election", rules: []string{"epp-probe-service", "epp-probe-port"}},
	{name: "boolean flags without =", rules: []string{"epp-boolean-flag"}, spec: "  scheduler: {flags: {tracing: yes please}}", refused: "tracing"},
	{name: "unknown plugins and parameters", rules: []string{"epp-config-invalid", "epp-alpha-plugin", "epp-config-deprecated"}, spec: "  scheduler: {scorers: [{type: queue-scorrer, weight: 1}]}", refused: "queue-scorer"},
	{name: "two profile handlers, missing profiles", rules: []string{"epp-config-invalid"}},
	{name: "the pool's selector", rules: []string{"pool-selects-nothing", "pool-selects-helpers"}},
	{name: "target ports", rules: []string{"pool-target-port", "sidecar-port"}},
	{name: "no role label", rules: []string{"pd-role-label", "pd-role-absent"}, spec: "  decode: {podLabels: {llm-d.ai/role: both}}", refused: "llm-d.ai/role"},
	{name: "sidecar flags", rules: []string{"sidecar-flag"}},
	{name: "TLS of the endpoint picker", rules: []string{"epp-tls", "proxy-picker-tls"}},
	{name: "metrics without a reader", rules: []string{"metrics-auth"}},
	{name: "rights for rewrites", rules: []string{"epp-rbac"}},
	{name: "timeouts on GKE", rules: []string{"gke-route-timeouts"}},
	{name: "crossing namespaces", rules: []string{"reference-grant-missing", "route-not-allowed", "pool-namespace"}},
	{name: "EnvoyFilter beside a pool", rules: []string{"ext-proc-twice", "ext-proc-body-mode"}},
	{name: "names too long", rules: []string{"name-too-long", "pool-name-long", "label-value"}, spec: "  pool: {name: " + strings.Repeat("a", 64) + "}", refused: "pool.name"},
	{name: "cluster-wide names", rules: []string{"cluster-name-collision"}},
	{name: "KV block size, seed, topic, direction", rules: []string{"kv-block-size", "kv-hash-seed", "kv-topic", "kv-endpoint"}, spec: "  scheduler: {preset: precise-prefix}\n  decode: {args: [--block-size=16]}", refused: "block-size"},
	{name: "simulator and tokenizer", rules: []string{"simulator-tokenizer"}},
	{name: "render beside the latency predictor", rules: []string{"port-conflict"}},
	{name: "replicas beside an autoscaler", rules: []string{"replicas-and-autoscaler", "autoscaler-twice"}},
	{name: "several stateful endpoint pickers", rules: []string{"epp-stateful-replicas", "kv-replicas"}},
	{name: "configuration without a restart", rules: []string{"epp-config-checksum"}},
	{name: "NIXL's environment", rules: []string{"nixl-host", "nixl-keep-alive"}},
	{name: "the endpoint picker's resources", rules: []string{"epp-resources", "epp-resources-simulated"}},
	{name: "no token Secret", rules: []string{"prerequisite", "dangling-reference"}, spec: "  decode: {env: [{name: HF_TOKEN, value: hf_abcdefghijklmnopqrstuvwxyzabcdefgh}]}", refused: "Secret"},
	{name: "flow control's metrics without it", rules: []string{"autoscaler-flow-control"}, spec: "  monitoring: {}\n  scheduler: {config: {plugins: [{type: queue-scorer}], schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer}]}]}}\n  decode: {autoscaling: {max: 4, targetQueueSize: 4}}", refused: "flowControl"},
	{name: "class kgateway", rules: []string{"kgateway-pool"}, spec: "  gateway: {class: kgateway, kgateway: {version: \"2.2\"}}", refused: "agentgateway"},
	{name: "what must already exist", rules: []string{"prerequisite"}},
}

func TestTraps(t *testing.T) {
	for _, trap := range traps {
		t.Run(trap.name, func(t *testing.T) {
			for _, id := range trap.rules {
				if !slices.Contains(ruleIDs(), id) {
					t.Errorf("there is no rule %s", id)
				}
			}
			if trap.spec == "" {
				return
			}
			stack := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: llama, namespace: llm-d}\nspec:\n  model: {name: m/llama}\n" + trap.spec + "\n"
			docs, problems := document.Read("stack.yaml", []byte(stack))
			for _, d := range docs {
				_, more := stackrules.Parse(d.Node, d.Source)
				problems = append(problems, more...)
			}
			if said := problems.Errors().Error(); !strings.Contains(said, trap.refused) {
				t.Errorf("not refused for %q: %s", trap.refused, said)
			}
		})
	}
}
