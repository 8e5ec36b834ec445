package server

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// TestOffloadHasRoom holds that offloaded KV cache, which vLLM keeps in /dev/shm, has room
// there and memory on the node.
func TestOffloadHasRoom(t *testing.T) {
	for _, tc := range []struct{ name, spec, shm, memory string }{
		{"none", ``, "8Gi", "0"},
		{"one rank", `kvCache: {offload: {cpuMemory: 200Gi}}`, "208Gi", "208Gi"},
		{"every rank has its own", "kvCache: {offload: {cpuMemory: 10Gi}}\ndecode: {parallelism: {data: 4}}", "48Gi", "48Gi"},
		{"the user's own number", "kvCache: {offload: {cpuMemory: 10Gi}}\nserver: {resources: {requests: {memory: 100Gi}}}", "18Gi", "100Gi"},
		{"a limit is a request", "kvCache: {offload: {cpuMemory: 10Gi}}\nserver: {resources: {limits: {memory: 100Gi}}}", "18Gi", "0"},
		{"a configuration by hand", `kvTransfer: {config: {kv_connector: MultiConnector, kv_role: kv_both, kv_connector_extra_config: {connectors: [{kv_connector: OffloadingConnector, kv_role: kv_both, kv_connector_extra_config: {cpu_bytes_to_use: 1073741824}}]}}}`, "9Gi", "9Gi"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pod := template(t, stacktest.StackOf(t, tc.spec), "decode").Spec
			for _, v := range pod.Volumes {
				if v.Name == volumeShm && v.EmptyDir.SizeLimit.String() != tc.shm {
					t.Errorf("/dev/shm has %s, not %s", v.EmptyDir.SizeLimit, tc.shm)
				}
			}
			if got := pod.Containers[0].Resources.Requests.Memory(); got.String() != tc.memory {
				t.Errorf("%s of memory requested, not %s", got, tc.memory)
			}
		})
	}
}

// TestSidecarOfAnotherVersion holds that flags are written as the image has them.
func TestSidecarOfAnotherVersion(t *testing.T) {
	s := stacktest.StackOf(t, "prefill: {}\nkvTransfer: {sidecar: {image: \"ghcr.io/llm-d/llm-d-routing-sidecar:v0.5.1\"}}\nmonitoring: {tracing: {endpoint: \"http://o:4317\"}}")
	container := server{s.Decode()}.sidecarContainer()
	for _, arg := range []string{"--vllm-port=8200", "--connector=nixlv2"} {
		if !slices.Contains(container.Args, arg) {
			t.Errorf("no %s in %v", arg, container.Args)
		}
	}
	if slices.Contains(container.Args, "--tracing=true") {
		t.Errorf("v0.5 knows no --tracing: %v", container.Args)
	}
	stacktest.AsYAML(t, `
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: OTEL_SERVICE_NAME
  value: routing-proxy
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: http://o:4317
- name: OTEL_TRACES_SAMPLER
  value: parentbased_traceidratio
- name: OTEL_TRACES_SAMPLER_ARG
  value: "0.1"
- name: OTEL_TRACES_EXPORTER
  value: otlp`, container.Env)
}

// TestDrain holds that a server goes on serving while requests are still sent to it, and
// that a pod that lends its accelerators stays as long as its leader.
func TestDrain(t *testing.T) {
	for _, tc := range []struct {
		name, spec     string
		server, worker int64
	}{
		{"the default", "decode: {parallelism: {nodes: 2, tensor: 2}}", 15, 115},
		{"an old vLLM", "decode: {parallelism: {nodes: 2, tensor: 2}}\nserver: {image: \"vllm/vllm-openai:v0.15.0\"}", 15, 15},
		{"a simulator", "server: {engine: simulator}", 15, 0},
		{"little time", "server: {terminationGracePeriodSeconds: 20}", 5, 0},
		{"no time", "server: {terminationGracePeriodSeconds: 0}", 0, 0},
		{"by a patch", "decode: {podTemplatePatch: {spec: {containers: [{name: modelserver, lifecycle: {preStop: {httpGet: {path: /, port: 1}}}}]}}}", 0, 0},
		{"the user's own", "server: {lifecycle: {preStop: {sleep: {seconds: 7}}}}\ndecode: {parallelism: {nodes: 2, tensor: 2}}", 7, 7},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := server{stacktest.StackOf(t, tc.spec).Decode()}
			sleeps := func(l *corev1.Lifecycle) int64 {
				if l == nil {
					return 0
				}
				return l.PreStop.Sleep.Seconds
			}
			if got := sleeps(s.container().Lifecycle); got != tc.server {
				t.Errorf("a server sleeps %d s, not %d", got, tc.server)
			}
			if s.Own.Parallelism.SpansNodes() {
				if got := sleeps(s.workerContainer().Lifecycle); got != tc.worker {
					t.Errorf("a worker sleeps %d s, not %d", got, tc.worker)
				}
			}
		})
	}
}
