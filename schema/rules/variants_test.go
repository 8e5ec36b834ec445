package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
)

// TestVariants holds the variants of a role against each other, and says what is wrong where it
// is written.
func TestVariants(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"kinds of servers", `
model: {name: m}
decode: {parallelism: {tensor: 4}, variants: [{name: a}, {name: b, accelerator: {type: amd}, parallelism: {tensor: 2}}]}`, ``},
		{"two of one name", `
model: {name: m}
decode: {variants: [{name: a}, {name: b}, {name: a}]}`, `spec.decode.variants[2].name: "a" is the name of variant 0 too; each has a workload of its own`},
		{"labels of another", `
model: {name: m}
decode: {variants: [{name: a}, {name: b, podLabels: {inferstack.dev/variant: a}}]}
pool: {selector: {inferstack.dev/variant: a}}`, `
spec.decode.variants[1].podLabels[inferstack.dev/variant]: is set by the stack, and selectors rely on it
spec.pool.selector[inferstack.dev/variant]: would leave out the servers of other variants; leave it out`},
		{"another name of the model", `
model: {name: m}
decode: {variants: [{name: a, args: [--served-model-name=other]}]}`, `spec.decode.variants[0].args[0]: --served-model-name is generated from spec.model.servedNames; set that instead`},
		{"another name of the model, by a command", `
model: {name: m}
server: {launch: custom, command: [vllm, serve, m]}
decode: {args: [--served-model-name=m], variants: [{name: a}, {name: b, args: [--served-model-name=other]}]}`, `spec.decode.variants[1].args: serve "other", and the pool is asked for m: all variants must serve it`},
		{"other hashes", `
model: {name: m}
scheduler: {preset: precise-prefix}
decode: {variants: [{name: a, args: [--block-size=16], env: [{name: PYTHONHASHSEED, value: "1"}]}]}`, `
spec.decode.variants[0].args[0]: --block-size is generated from spec.kvCache.blockSize; set that instead
spec.decode.variants[0].env[0]: PYTHONHASHSEED is generated from spec.kvCache.hashSeed; set that instead`},
		{"what is written in the role is said once, and there", `
model: {name: m}
decode: {args: [--port=1], podLabels: {llm-d.ai/role: x}, variants: [{name: a, args: [--max-num-seqs=1, --port=2]}, {name: b}]}`, `
spec.decode.args[0]: --port is generated from spec.server.port; set that instead
spec.decode.podLabels[llm-d.ai/role]: is set by the stack, and selectors rely on it
spec.decode.variants[0].args[1]: --port is generated from spec.server.port; set that instead`},
		{"prefill wider than some decode servers", `
model: {name: m}
decode: {variants: [{name: a, parallelism: {tensor: 4}}, {name: b, parallelism: {tensor: 2}}]}
prefill: {parallelism: {tensor: 4}}`, `warning spec.prefill.parallelism.tensor: is above that of spec.decode.variants[1], 2, which NIXL cannot serve for models whose KV heads are replicated (got 4)`},
		{"scaled twice by one number", `
model: {name: m}
monitoring: {}
decode: {autoscaling: {max: 4, targetRunningRequests: 8}, variants: [{name: a}, {name: b}]}`, `warning spec.decode.autoscaling: counts the requests of the whole stack, as that of variant 0 does: both grow for all of them. Scale one variant by them, and the others by metrics of their own pods or by hand`},
		{"one variant at 0", `
model: {name: m}
decode: {variants: [{name: a}, {name: b, replicas: 0}]}`, ``},
		{"all variants at 0", `
model: {name: m}
decode: {variants: [{name: a, replicas: 0}, {name: b, replicas: 0}]}
prefill: {replicas: 0, variants: [{name: a}, {name: b}]}`, `
warning spec.decode.variants[0].replicas: is 0: no server is started, and requests that need one fail
warning spec.decode.variants[1].replicas: is 0: no server is started, and requests that need one fail
warning spec.prefill.replicas: is 0: no server is started, and requests that need one fail`},
		{"none to be made", `
model: {name: m}
server: {create: false}
pool: {selector: {a: b}}
decode: {variants: [{name: a}]}`, `spec.decode.variants: cannot be made with spec.server.create: false`},
		{"offload of the role", `
model: {name: m}
decode: {offload: {cpuMemory: 1Gi, evictionPolicy: fifo}, variants: [{name: a}, {name: b}]}`, `spec.decode.offload.evictionPolicy: must be one of lru, arc with connector: native (got fifo)`},
		{"an image for several vendors", `
model: {name: m}
server: {image: "mine/vllm:1"}
decode: {variants: [{name: a}, {name: b, accelerator: {type: amd}}, {name: c, accelerator: {type: amd}, image: "mine/rocm:1"}]}`, `warning spec.decode.variants[1].accelerator.type: is amd, and mine/vllm:1 is the image of spec.decode.variants[0] too, which is on nvidia: an image is built for one vendor; write one for each`},
		{"a canary beside prefill servers", `
model: {name: m}
decode: {image: "mine/vllm:1", variants: [{name: a}, {name: b, image: "mine/vllm:2"}]}
prefill: {image: "mine/vllm:1"}`, `warning spec.decode.variants[1].image: gives these servers version 2, and spec.prefill has 1: vLLM exchanges KV cache between servers of one version only, and each transfer between them fails`},
		{"prefill servers of another version", `
model: {name: m}
prefill: {image: "mine/vllm:2"}
server: {image: "mine/vllm:1"}`, `warning spec.prefill.image: gives these servers version 2, and spec.decode has 1: vLLM exchanges KV cache between servers of one version only, and each transfer between them fails`},
		{"prefill servers of another vendor", `
model: {name: m}
decode: {variants: [{name: a}, {name: b, accelerator: {type: amd}}]}
prefill: {}`, `info spec.decode.variants[1].accelerator: is amd, and that of spec.prefill nvidia: vLLM exchanges KV cache only between servers with the same attention backend and layout of blocks, so try a transfer first`},
		{"a node that does not exist", `
model: {name: m}
decode: {nodeSelector: {k: a}, variants: [{name: a, accelerator: {nodeLabel: {key: k, values: [a, b]}}}, {name: b, accelerator: {nodeLabel: {key: k, values: [b]}}}]}`, `spec.decode.nodeSelector.k: is a, and spec.decode.variants[1].accelerator.nodeLabel allows b: no node has both, and the pods stay Pending`},
		{"a node of a variant that does not exist", `
model: {name: m}
server: {accelerator: {nodeLabel: {key: k, values: [b]}}}
decode: {variants: [{name: a, nodeSelector: {k: a}}]}`, `spec.decode.variants[0].nodeSelector.k: is a, and spec.server.accelerator.nodeLabel allows b: no node has both, and the pods stay Pending`},
		{"an accelerator of the simulator", `
model: {name: m}
server: {engine: simulator}
decode: {variants: [{name: a, accelerator: {type: amd}}]}`, `spec.decode.variants[0].accelerator: the simulator uses no accelerator; remove the section, or set spec.server.engine: vllm`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(strings.TrimSpace(tc.want), said(t, tc.spec)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestVariantsAreKept holds that a variant is one pointer, however often it is asked for.
func TestVariantsAreKept(t *testing.T) {
	doc := &yaml.Node{}
	if err := yaml.Unmarshal([]byte("{apiVersion: inferstack.dev/v1alpha1, kind: InferenceStack, metadata: {name: a}, spec: {model: {name: m}, prefill: {variants: [{name: a}]}}}"), doc); err != nil {
		t.Fatal(err)
	}
	s, problems := Parse(doc.Content[0], schema.Source{})
	if s == nil {
		t.Fatal(problems)
	}
	if first, again := s.Workloads()[1].Role, s.Workloads()[1].Role; first != again {
		t.Errorf("%p and %p", first, again)
	}
}
