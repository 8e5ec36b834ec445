package server

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// What the default image is known to take.
const (
	accessLog = "--disable-access-log-for-endpoints=/health,/metrics,/v1/models"
	drain     = "--shutdown-timeout=100"
)

// argsCases say what a user writes and how the container is started.
var argsCases = []struct {
	name, spec, role string
	command, args    []string
}{
	{
		"the smallest stack", `
model: {name: Qwen/Qwen3-32B}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"Qwen/Qwen3-32B", "--port=8000", "--served-model-name=Qwen/Qwen3-32B", accessLog, drain},
	},
	{
		"settings, served names and the user's arguments last", `
model: {name: m, servedNames: [a, b]}
server:
  vllm: {maxModelLen: 4096, gpuMemoryUtilization: 0.85, prefixCaching: false, maxNumSeqs: 64}
  args: [--enforce-eager]
decode: {args: [--dtype=half], parallelism: {tensor: 4, pipeline: 2}}`, "decode",
		[]string{"vllm", "serve"},
		[]string{
			"m", "--port=8000", "--served-model-name", "a", "b", "--tensor-parallel-size=4", "--pipeline-parallel-size=2",
			"--max-model-len=4096", "--gpu-memory-utilization=0.85", "--max-num-seqs=64", "--no-enable-prefix-caching",
			accessLog, drain, "--enforce-eager", "--dtype=half",
		},
	},
	{
		"an accelerator whose image has an older vLLM", `
model: {name: m}
server: {accelerator: {type: intel-gaudi}}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m"},
	},
	{
		"an image with an older vLLM", `
model: {name: m}
server: {image: "ghcr.io/llm-d/llm-d:0.0.8"}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m"},
	},
	{
		"one of the role alone, with a digest", `
model: {name: m}
decode: {image: "mirror.example.com:5000/vllm/vllm-openai:v0.11.2@sha256:0000000000000000000000000000000000000000000000000000000000000000"}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m"},
	},
	{
		"an image that is new enough", `
model: {name: m}
server: {image: "docker.io/vllm/vllm-openai:v0.16.0"}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m", accessLog},
	},
	{
		"an image of which no version is known", `
model: {name: m}
server: {image: "ghcr.io/llm-d/llm-d-cuda:latest"}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m"},
	},
	{
		"a build of the user's own", `
model: {name: m}
server: {image: "registry.example.com/ml/vllm:v0.30.0"}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m"},
	},
	{
		"an image between two flags", `
model: {name: m}
server: {image: "mirror.example.com/vllm/vllm-openai:v0.17.1"}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m", accessLog},
	},
	{
		"flags that the user writes are not written twice", `
model: {name: m}
server: {args: [--disable_access_log_for_endpoints=/health, --shutdown-timeout, "20"]}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m", "--disable_access_log_for_endpoints=/health", "--shutdown-timeout", "20"},
	},
	{
		"ranks of a vLLM that has no server for each", `
model: {name: m}
server: {image: "vllm/vllm-openai:v0.16.0"}
decode: {parallelism: {data: 2, expert: true}}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m", "--data-parallel-size=2", "--enable-expert-parallel", accessLog},
	},
	{
		"a vLLM that does not tell producers from consumers yet", `
model: {name: m}
prefill: {}
server: {image: "vllm/vllm-openai:v0.22.0"}`, "prefill",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m", `--kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_both"}`, accessLog, drain},
	},
	{
		"XPUs send from host memory", `
model: {name: m}
prefill: {}
server: {accelerator: {type: intel-xpu}}`, "prefill",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m", `--kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_producer","kv_buffer_device":"cpu"}`, accessLog, drain},
	},
	{
		"a configuration for each role", `
model: {name: m}
prefill: {}
kvTransfer: {config: {kv_connector: C, kv_role: kv_consumer}, prefillConfig: {kv_connector: C, kv_role: kv_producer}}`, "prefill",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m", `--kv-transfer-config={"kv_connector":"C","kv_role":"kv_producer"}`, accessLog, drain},
	},
	{
		"no time to drain", `
model: {name: m}
server: {terminationGracePeriodSeconds: 30}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m", accessLog},
	},
	{
		"hooks of the user's own", `
model: {name: m}
server: {lifecycle: {preStop: {sleep: {seconds: 3}}}}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m", accessLog},
	},
	{
		"a simulator that asks a render service", `
model: {name: m}
server: {engine: simulator, simulator: {dummyTokenizer: false}}
scheduler: {tokenizer: {url: "http://render:8000"}}`, "decode",
		nil,
		[]string{"--port=8000", "--model=m", "--served-model-name=m", "--mode=random", "--render-url=http://render:8000"},
	},
	{
		"the image's entrypoint takes the model by flag", `
model: {name: m}
server: {launch: image}`, "decode",
		nil,
		[]string{"--model=m", "--port=8000", "--served-model-name=m", accessLog, drain},
	},
	{
		"custom is what the user wrote", `
model: {name: m}
server: {launch: custom, command: [python, serve.py], args: [--a]}
decode: {args: [--b]}`, "decode",
		[]string{"python", "serve.py"},
		[]string{"--a", "--b"},
	},
	{
		"weights in a claim are served under the model's name", `
model: {name: m, source: pvc://weights/llama/8b}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"/model-cache/llama/8b", "--port=8000", "--served-model-name=m", accessLog, drain},
	},
	{
		"weights in an image", `
model: {name: m, source: "oci://quay.io/models/m:1", storage: {mountPath: /models}}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"/models", "--port=8000", "--served-model-name=m", accessLog, drain},
	},
	{
		"decode stands behind the sidecar", `
model: {name: m}
prefill: {}`, "decode",
		[]string{"vllm", "serve"},
		[]string{
			"m", "--port=8200", "--served-model-name=m",
			`--kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_consumer"}`, accessLog, drain,
		},
	},
	{
		"prefill and offloading share one transfer configuration", `
model: {name: m}
prefill: {}
kvCache: {blockSize: 128, offload: {cpuMemory: 1Gi}}`, "prefill",
		[]string{"vllm", "serve"},
		[]string{
			"m", "--port=8000", "--served-model-name=m", "--block-size=128",
			`--kv-transfer-config={"kv_connector":"MultiConnector","kv_role":"kv_both","kv_connector_extra_config":{"connectors":[` +
				`{"kv_connector":"NixlConnector","kv_role":"kv_producer"},` +
				`{"kv_connector":"OffloadingConnector","kv_role":"kv_both","kv_connector_extra_config":{"cpu_bytes_to_use":1073741824}}]}}`,
			accessLog, drain,
		},
	},
	{
		"events of the KV cache", `
model: {name: m}
scheduler: {preset: precise-prefix}`, "decode",
		[]string{"vllm", "serve"},
		[]string{
			"m", "--port=8000", "--served-model-name=m", "--block-size=64",
			`--kv-events-config={"enable_kv_cache_events":true,"publisher":"zmq","endpoint":"tcp://*:5556","topic":"kv@$(POD_IP):8000@m"}`,
			accessLog, drain,
		},
	},
	{
		"copies of a dense model share a port", `
model: {name: m}
decode: {parallelism: {data: 4}}`, "decode",
		[]string{"vllm", "serve"},
		[]string{"m", "--port=8000", "--served-model-name=m", "--data-parallel-size=4", accessLog, drain},
	},
	{
		"ranks of an expert model have a port each", `
model: {name: m}
decode: {parallelism: {data: 4, expert: true}}`, "decode",
		[]string{"vllm", "serve"},
		[]string{
			"m", "--port=8000", "--served-model-name=m", "--data-parallel-size=4", "--data-parallel-multi-port-external-lb",
			"--data-parallel-supervisor-port=8004", "--data-parallel-size-local=4", "--enable-expert-parallel", accessLog, drain,
		},
	},
	{
		"ranks over nodes", `
model: {name: m}
decode: {parallelism: {data: 16, nodes: 2, expert: true}}
prefill: {}`, "decode",
		[]string{"/bin/sh", "-c", `exec vllm serve "$@" --data-parallel-start-rank=$((LWS_WORKER_INDEX * 8))`, "vllm"},
		[]string{
			"m", "--port=8200", "--served-model-name=m", "--data-parallel-size=16", "--data-parallel-multi-port-external-lb",
			"--data-parallel-supervisor-port=8208", "--data-parallel-size-local=8",
			"--data-parallel-address=$(LWS_LEADER_ADDRESS)", "--data-parallel-rpc-port=5555", "--enable-expert-parallel",
			`--kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_consumer"}`, accessLog, drain,
		},
	},
	{
		"one rank a node needs no shell", `
model: {name: m}
decode: {parallelism: {data: 2, nodes: 2, tensor: 8, expert: true}}`, "decode",
		[]string{"vllm", "serve"},
		[]string{
			"m", "--port=8000", "--served-model-name=m", "--tensor-parallel-size=8", "--data-parallel-size=2",
			"--data-parallel-rank=$(LWS_WORKER_INDEX)", "--data-parallel-address=$(LWS_LEADER_ADDRESS)",
			"--data-parallel-rpc-port=5555", "--enable-expert-parallel", accessLog, drain,
		},
	},
	{
		"one copy over nodes", `
model: {name: m}
decode: {parallelism: {tensor: 8, pipeline: 2, nodes: 2}}`, "decode",
		[]string{"vllm", "serve"},
		[]string{
			"m", "--port=8000", "--served-model-name=m", "--tensor-parallel-size=8", "--pipeline-parallel-size=2",
			"--nnodes=2", "--node-rank=$(LWS_WORKER_INDEX)", "--master-addr=$(LWS_LEADER_ADDRESS)", accessLog, drain,
		},
	},
	{
		"line 0.4 balances the ranks of a node itself", `
release: "0.4"
model: {name: m}
decode: {parallelism: {data: 16, nodes: 2, expert: true}}`, "decode",
		[]string{"/bin/sh", "-c", `exec vllm serve "$@" --data-parallel-start-rank=$((LWS_WORKER_INDEX * 8))`, "vllm"},
		[]string{
			"m", "--port=8000", "--served-model-name=m", "--data-parallel-size=16", "--data-parallel-size-local=8",
			"--data-parallel-hybrid-lb", "--data-parallel-address=$(LWS_LEADER_ADDRESS)", "--data-parallel-rpc-port=5555",
			"--enable-expert-parallel",
		},
	},
	{
		"the simulator", `
model: {name: Qwen/Qwen3-32B}
server:
  engine: simulator
  simulator: {mode: echo, timeToFirstToken: 1s500ms, interTokenLatency: 20ms, kvCacheSize: 500, maxNumSeqs: 9, maxModelLen: 2048, verbosity: 5}
decode: {parallelism: {data: 2}}`, "decode",
		nil,
		[]string{
			"--port=8000", "--model=Qwen/Qwen3-32B", "--served-model-name=Qwen/Qwen3-32B", "--mode=echo",
			"--time-to-first-token=1s500ms", "--inter-token-latency=20ms", "--enable-kvcache=true", "--kv-cache-size=500",
			"--hash-seed=42", "--max-num-seqs=9", "--max-model-len=2048", "--data-parallel-size=2",
			"--force-dummy-tokenizer=true", "--v=5",
		},
	},
	{
		"the simulator of line 0.4 counts milliseconds", `
release: "0.4"
model: {name: m}
server: {engine: simulator, simulator: {timeToFirstToken: 1s500ms}}
prefill: {}`, "decode",
		nil,
		[]string{
			"--port=8200", "--model=m", "--served-model-name=m", "--mode=random", "--time-to-first-token=1500",
			"--tokenizers-cache-dir=/tmp/tokenizers",
		},
	},
	{
		"the simulator asks the render service for the EPP's tokens", `
model: {name: m}
server: {engine: simulator}
scheduler: {preset: precise-prefix}`, "decode",
		nil,
		[]string{
			"--port=8000", "--model=m", "--served-model-name=m", "--mode=random", "--enable-kvcache=true", "--block-size=64",
			"--hash-seed=42", "--zmq-endpoint=tcp://demo-epp.llm.svc.cluster.local:5557",
			"--render-url=http://demo-render.llm.svc.cluster.local:8000",
		},
	},
}

func TestServerArgs(t *testing.T) {
	for _, tc := range argsCases {
		t.Run(tc.name, func(t *testing.T) {
			s := stacktest.Parse(t, tc.spec)
			if d := cmp.Diff(tc.command, server{stacktest.Server(t, s, tc.role)}.command()); d != "" {
				t.Errorf("command (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tc.args, server{stacktest.Server(t, s, tc.role)}.args(false)); d != "" {
				t.Errorf("args (-want +got):\n%s", d)
			}
		})
	}
}
