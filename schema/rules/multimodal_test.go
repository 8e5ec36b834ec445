package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhatServersAreTold has arguments, variables and settings with which servers do not do their part.
func TestWhatServersAreTold(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"an encoder that decodes", `
model: {name: m}
decode: {args: [--mm-encoder-only]}`, `spec.decode.args[0]: --mm-encoder-only loads the encoder alone, and decode servers generate; it is generated for the encode section`},
		{"an encoder of every role", `
model: {name: m}
encode: {}
scheduler: {failureMode: FailClose}
server: {args: [--mm_encoder_only=true]}`, `
spec.server.args[0]: --mm-encoder-only is generated from spec.encode; set that instead
spec.server.args[0]: --mm-encoder-only loads the encoder alone, and decode servers generate; it is generated for the encode section`},
		{"no encoder", `
model: {name: m}
decode: {args: [--no-mm-encoder-only]}`, ``},
		{"no images beside encode servers", `
model: {name: m}
encode: {}
prefill: {args: [--language-model-only]}
scheduler: {failureMode: FailClose}
server: {vllm: {limitMmPerPrompt: {image: 0, video: 1}}}
decode: {vllm: {limitMmPerPrompt: {image: 4}}}`, `
spec.prefill.args[0]: --language-model-only has vLLM refuse images, which requests bring to prefill servers where there are encode servers; leave it out
warning spec.server.vllm.limitMmPerPrompt.image: is 0: vLLM refuses images, which requests bring to prefill servers where there are encode servers
warning spec.server.vllm.limitMmPerPrompt.image: is 0: vLLM refuses images, which requests bring to encode servers where there are encode servers`},
		{"no images without them", `
model: {name: m}
server: {args: [--language-model-only], vllm: {limitMmPerPrompt: {image: 0}}}`, ``},
		{"fewer devices than ranks", `
model: {name: m}
server: {env: [{name: CUDA_VISIBLE_DEVICES, value: "0,1,2,3"}]}
decode: {parallelism: {data: 8}, env: [{name: CUDA_VISIBLE_DEVICES, value: "0"}]}`, `spec.decode.env[0]: CUDA_VISIBLE_DEVICES shows 1 devices, and spec.decode.parallelism needs 8 in a pod`},
		{"of AMD", `
model: {name: m}
server: {accelerator: {type: amd}, env: [{name: HIP_VISIBLE_DEVICES, value: "0"}]}
decode: {parallelism: {tensor: 2}}`, `spec.server.env[0]: HIP_VISIBLE_DEVICES shows 1 devices, and spec.decode.parallelism needs 2 in a pod`},
		{"all devices", `
model: {name: m}
decode: {parallelism: {tensor: 2}, env: [{name: CUDA_VISIBLE_DEVICES, value: all}, {name: HIP_VISIBLE_DEVICES, value: "0"}]}`, ``},
		{"offline", `
model: {name: m}
server: {env: [{name: HF_HUB_OFFLINE, value: "1"}]}`, `spec.server.env[0]: HF_HUB_OFFLINE keeps the servers from downloading the model, and nothing else brings it; leave it out, or name a claim that has it, by model.source: pvc+hf://claim/path/organisation/model`},
		{"offline with a claim that has the model", `
model: {name: m, storage: {type: pvc, existingClaim: models}}
server: {env: [{name: HF_HUB_OFFLINE, value: "1"}]}`, ``},
		{"offline from a claim", `
model: {name: m, source: "pvc+hf://cache/hub/org/m"}
decode: {env: [{name: TRANSFORMERS_OFFLINE, value: "true"}]}`, ``},
		{"not offline", `
model: {name: m}
server: {env: [{name: HF_HUB_OFFLINE, value: "1"}]}
decode: {env: [{name: HF_HUB_OFFLINE, value: "0"}]}`, ``},
		{"prefill with shorter contexts", `
model: {name: m}
server: {vllm: {maxModelLen: 32768}}
prefill: {vllm: {maxModelLen: 4096}}`, `warning spec.prefill.vllm.maxModelLen: is below that of the decode servers, 32768: prompts in between fail on the prefill servers; make them the same (got 4096)`},
		{"prefill with longer contexts", `
model: {name: m}
prefill: {vllm: {maxModelLen: 65536}}
decode: {vllm: {maxModelLen: 32768}}`, ``},
		{"embeddings that fill the memory", `
model: {name: m}
encode: {resources: {limits: {memory: 4Gi}}}
scheduler: {failureMode: FailClose}
ecTransfer: {cpuMemory: 4Gi}`, `spec.encode.resources.limits.memory: must be above 4Gi: vLLM keeps the embeddings of each encode pod in /dev/shm, which counts against it (got 4Gi)`},
		{"embeddings that fit", `
model: {name: m}
encode: {resources: {limits: {memory: 6Gi}}}
scheduler: {failureMode: FailClose}
ecTransfer: {cpuMemory: 4Gi}`, ``},
		{"shared memory of two roles above one limit", `
model: {name: m}
prefill: {}
server: {sharedMemory: 64Gi, resources: {limits: {memory: 32Gi}}}`, `
warning spec.server.resources.limits.memory: is not above spec.server.sharedMemory, 64Gi, which counts against it: a decode server that uses it all is killed (got 32Gi)
warning spec.server.resources.limits.memory: is not above spec.server.sharedMemory, 64Gi, which counts against it: a prefill server that uses it all is killed (got 32Gi)`},
		{"an accelerator that a role leaves out", `
model: {name: m}
server: {accelerator: {type: amd, resourceName: amd.com/gpu, nodeLabel: {key: k, values: [a]}}}
decode: {accelerator: {count: 1}}`, `warning spec.server.accelerator.type: does not count for spec.decode.accelerator, which takes the place of this section as a whole; write type there too`},
		{"nodes that a role leaves out", `
model: {name: m}
server: {accelerator: {nodeLabel: {key: k, values: [a]}}}
prefill: {accelerator: {count: 1}}`, `warning spec.server.accelerator.nodeLabel: does not count for spec.prefill.accelerator, which takes the place of this section as a whole; write nodeLabel there too`},
		{"nodes that a variant leaves out", `
model: {name: m}
decode: {accelerator: {nodeLabel: {key: k, values: [a]}}, variants: [{name: a}, {name: b, accelerator: {dra: {}}}]}`, `warning spec.decode.accelerator.nodeLabel: does not count for spec.decode.variants[1].accelerator, which takes the place of this section as a whole; write nodeLabel there too`},
		{"nodes of another vendor", `
model: {name: m}
server: {accelerator: {nodeLabel: {key: k, values: [a]}}}
decode: {variants: [{name: a}, {name: b, accelerator: {type: amd}}]}`, ``},
		{"an accelerator written whole", `
model: {name: m}
server: {accelerator: {type: amd, nodeLabel: {key: k, values: [a]}}}
decode: {accelerator: {type: amd, nodeLabel: {key: k, values: [b]}}}`, ``},
		{"labels that a selector has otherwise", `
model: {name: m}
server: {podLabels: {tier: b}}
pool: {selector: {app: x}}
decode: {selector: {app: x, tier: a, team: t}, podLabels: {team: u}}`, `
spec.server.podLabels.tier: must be "a", as spec.decode.selector says, or be left out (got "b")
spec.decode.podLabels.team: must be "t", as spec.decode.selector says, or be left out (got "u")`},
		{"labels that a selector has too", `
model: {name: m}
server: {podLabels: {tier: b}}
pool: {selector: {app: x}}
decode: {selector: {app: x, tier: a}, podLabels: {tier: a, team: t}}`, ``},
		{"labels of the stack beside a selector", `
model: {name: m}
pool: {selector: {app: x}}
decode: {selector: {app: x, tier: a}, podLabels: {llm-d.ai/inference-serving: "true", app.kubernetes.io/managed-by: Helm, app.kubernetes.io/component: server}}`, ``},
		{"labels of other pods of the stack", `
model: {name: m}
pool: {selector: {app: x}}
decode: {selector: {app: x, tier: a}, podLabels: {app.kubernetes.io/instance: demo, app.kubernetes.io/component: epp}}`, `
spec.decode.podLabels[app.kubernetes.io/component]: must be "decode", or be left out: with app.kubernetes.io/instance, it selects other pods of the stack (got "epp")`},
		{"a selector of other pods than the pool's", `
model: {name: m}
pool: {selector: {app: x}}
decode: {selector: {app: z, tier: a}}`, `spec.decode.selector.app: must be "x", as spec.pool.selector says, which selects these pods too (got "z")`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(strings.TrimSpace(tc.want), said(t, tc.spec)); d != "" {
				t.Error(d)
			}
		})
	}
}
