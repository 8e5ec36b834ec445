package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEncode holds encode servers, and the transfer of what they make, to the engine, the line,
// the images and each other.
func TestEncode(t *testing.T) {
	const open = `info spec.scheduler.failureMode: is FailOpen: while no EPP answers, the gateway sends requests to encode servers too, which cannot answer them; FailClose refuses all of them`
	for _, tc := range []struct{ name, spec, want string }{
		{"with prefill", `
model: {name: m}
encode: {}
prefill: {}
scheduler: {failureMode: FailClose}`, ``},
		{"without prefill", `
model: {name: m}
encode: {}`, open},
		{"on an older line", `
model: {name: m}
release: "0.4"
encode: {}`, `
warning spec.release: release line 0.4: the image ghcr.io/llm-d/llm-d-inference-scheduler was removed from its registry when the project was renamed; use a mirror of your own through scheduler.image, or move to release "0.10"
spec.encode: needs a release line whose EPP and routing sidecar know encode servers, not 0.4; use release 0.10`},
		{"of another engine", `
model: {name: m}
server: {engine: sglang}
encode: {}
scheduler: {failureMode: FailClose}`, `spec.encode: cannot be used with engine: sglang: the routing sidecar asks encode servers of vLLM`},
		{"settings of the KV cache, ranks and nodes", `
model: {name: m}
encode: {kvRole: kv_both, offload: {cpuMemory: 1Gi}, parallelism: {data: 2, nodes: 2, expert: true}}
scheduler: {failureMode: FailClose}`, `
spec.encode.kvRole: is not for encode servers, which have no KV cache
spec.encode.offload: is not for encode servers, which have no KV cache
spec.encode.parallelism.data: must be 1 for encode servers; set spec.encode.replicas (got 2)
spec.encode.parallelism.nodes: must be 1 for encode servers; set spec.encode.replicas (got 2)`},
		{"a transfer without encode servers", `
model: {name: m}
ecTransfer: {cpuMemory: 2Gi}`, `warning spec.ecTransfer: has no effect without an encode section`},
		{"a preset without a profile for them", `
model: {name: m}
encode: {}
scheduler: {preset: queue, failureMode: FailClose}`, `spec.scheduler.preset: queue has no profile for encode servers; with an encode section use e-disaggregation, or list scorers`},
		{"a preset without them", `
model: {name: m}
prefill: {}
scheduler: {preset: e-disaggregation}`, `spec.scheduler.preset: e-disaggregation needs an encode section`},
		{"listed scorers", `
model: {name: m}
encode: {}
scheduler: {failureMode: FailClose, scorers: [{type: queue-scorer}], filters: [{type: encode-filter}]}`, `spec.scheduler.filters[0]: encode-filter is written into the profile of its role by the encode section; leave it out`},
		{"a configuration that never asks them", `
model: {name: m}
encode: {}
scheduler:
  failureMode: FailClose
  config:
    plugins: [{type: decode-filter}, {type: disagg-profile-handler}]
    schedulingProfiles: [{name: decode, plugins: [{pluginRef: decode-filter}]}, {name: prefill}]`, `warning spec.scheduler.config.plugins[1]: disagg-profile-handler has no decider for encode, so no request reaches the encode servers; set deciders.encode`},
		{"a configuration that asks where there are none", `
model: {name: m}
prefill: {}
scheduler:
  config:
    plugins: [{type: decode-filter}, {type: always-disagg-multimodal-decider}, {type: always-disagg-pd-decider}, {type: disagg-profile-handler, parameters: {deciders: {encode: always-disagg-multimodal-decider, prefill: always-disagg-pd-decider}}}]
    schedulingProfiles: [{name: decode, plugins: [{pluginRef: decode-filter}]}, {name: prefill}, {name: encode}]`, `warning spec.scheduler.config.plugins[3]: disagg-profile-handler has a decider for encode, and there are no encode servers: the decode servers encode themselves`},
		{"files without a claim", `
model: {name: m}
encode: {}
ecTransfer: {connector: ec-example}
scheduler: {failureMode: FailClose}`, `spec.ecTransfer.claimName: is required with connector: ec-example: it names the claim through which servers exchange embeddings`},
		{"settings of the other connector", `
model: {name: m}
encode: {}
ecTransfer: {connector: ec-example, claimName: ec, cpuMemory: 2Gi}
scheduler: {failureMode: FailClose}`, `info spec.ecTransfer.cpuMemory: has no effect because nothing uses it: it is for vLLM with connector ec-nixl, without config`},
		{"half a configuration", `
model: {name: m}
encode: {}
ecTransfer: {config: {ec_connector: X, ec_role: ec_producer}}
scheduler: {failureMode: FailClose}`, `spec.ecTransfer.config: goes with spec.ecTransfer.consumerConfig, that of the servers on the other side`},
		{"sides that do not do their part", `
model: {name: m}
encode: {}
ecTransfer: {config: {ec_connector: X, ec_role: ec_consumer}, consumerConfig: {ec_connector: X}}
scheduler: {failureMode: FailClose}`, `
spec.ecTransfer.config.ec_role: must be ec_producer or ec_both: encode servers write embeddings (got ec_consumer)
spec.ecTransfer.consumerConfig: has no ec_role, without which vLLM exits at startup; write ec_consumer`},
		{"an older vLLM, which says nothing", `
model: {name: m}
encode: {image: "docker.io/vllm/vllm-openai:v0.29.0"}
scheduler: {failureMode: FailClose}`, `
spec.ecTransfer.connector: ec-nixl needs vLLM 0.30 or later for spec.encode; docker.io/vllm/vllm-openai:v0.29.0 takes the setting and transfers nothing, so that each server encodes for itself
warning spec.encode.image: gives these servers version v0.29.0, and spec.decode has v0.30.0: vLLM exchanges embeddings between servers of one version only, and the others encode for themselves`},
		{"accelerators on which it is not proven", `
model: {name: m}
encode: {accelerator: {type: amd}}
scheduler: {failureMode: FailClose}`, `spec.ecTransfer.config: is required for spec.encode on amd: ec-nixl is proven on nvidia only; write the --ec-transfer-configs that the image knows, or use connector: ec-example`},
		{"too little shared memory", `
model: {name: m}
server: {sharedMemory: 512Mi}
encode: {}
prefill: {}
scheduler: {failureMode: FailClose}`, `
spec.server.sharedMemory: must be above 1Gi: vLLM keeps the embeddings of the prefill pods in /dev/shm (got 512Mi)
spec.server.sharedMemory: must be above 1Gi: vLLM keeps the embeddings of the encode pods in /dev/shm (got 512Mi)`},
		{"generated arguments and variables", `
model: {name: m}
encode: {args: [--mm-encoder-only, "--ec-transfer-config={}"], env: [{name: VLLM_EC_SIDE_CHANNEL_PORT, value: "1"}]}
scheduler: {failureMode: FailClose}`, `
spec.encode.args[0]: --mm-encoder-only is generated from spec.encode; set that instead
spec.encode.args[1]: --ec-transfer-config is generated from spec.ecTransfer.config; set that instead
spec.encode.env[0]: VLLM_EC_SIDE_CHANNEL_PORT is generated from spec.ecTransfer.sideChannelPort; set that instead`},
		{"a port that is taken", `
model: {name: m}
encode: {}
ecTransfer: {sideChannelPort: 8000}
scheduler: {failureMode: FailClose}`, `spec.ecTransfer.sideChannelPort: 8000 is taken in the encode pods: spec.server.port has 8000`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(strings.TrimSpace(tc.want), said(t, tc.spec)); d != "" {
				t.Error(d)
			}
		})
	}
}
