package server

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// template returns the pod template of a role's workload.
func template(t *testing.T, s *base.Stack, role string) corev1.PodTemplateSpec {
	t.Helper()
	for _, o := range Objects(s) {
		switch w := o.(type) {
		case *appsv1.Deployment:
			if w.Name == stacktest.Server(t, s, role).WorkloadName() {
				return w.Spec.Template
			}
		case *lwsv1.LeaderWorkerSet:
			if w.Name == stacktest.Server(t, s, role).WorkloadName() {
				return w.Spec.LeaderWorkerTemplate.WorkerTemplate
			}
		}
	}
	t.Fatal("no workload for", role)
	return corev1.PodTemplateSpec{}
}

// placement is where a pod can run and what it gets there.
type placement struct {
	Image       string                      `json:"image"`
	Resources   corev1.ResourceRequirements `json:"resources"`
	Claims      []corev1.PodResourceClaim   `json:"claims,omitempty"`
	Nodes       map[string]string           `json:"nodes,omitempty"`
	Affinity    *corev1.Affinity            `json:"affinity,omitempty"`
	Tolerations []corev1.Toleration         `json:"tolerations,omitempty"`
	User        *int64                      `json:"user,omitempty"`
	NonRoot     *bool                       `json:"nonRoot,omitempty"`
}

func placementOf(pod corev1.PodSpec) placement {
	return placement{
		Image: pod.Containers[0].Image, Resources: pod.Containers[0].Resources, Claims: pod.ResourceClaims,
		Nodes: pod.NodeSelector, Affinity: pod.Affinity, Tolerations: pod.Tolerations,
		User: pod.SecurityContext.RunAsUser, NonRoot: pod.SecurityContext.RunAsNonRoot,
	}
}

func TestAccelerators(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"nvidia", `
model: {name: m}
server: {resources: {requests: {cpu: 4}, limits: {memory: 8Gi}}}
decode: {parallelism: {tensor: 2}}`, `
image: docker.io/vllm/vllm-openai:v0.30.0
nonRoot: true
resources:
  limits:
    memory: 8Gi
    nvidia.com/gpu: "2"
  requests:
    cpu: "4"
    nvidia.com/gpu: "2"
tolerations:
- effect: NoSchedule
  key: nvidia.com/gpu
  operator: Exists
user: 1000`},
		{"amd", `
model: {name: m}
server: {accelerator: {type: amd, tolerate: false}}`, `
image: docker.io/vllm/vllm-openai-rocm:v0.30.0
resources:
  limits:
    amd.com/gpu: "1"
  requests:
    amd.com/gpu: "1"
user: 0`},
		{"gaudi, with a number of the user's own", `
model: {name: m}
server: {accelerator: {type: intel-gaudi, count: 8}}
decode: {resources: {limits: {habana.ai/gaudi: 8}}}`, `
image: docker.io/opea/vllm-gaudi:1.22.0
nonRoot: true
resources:
  limits:
    habana.ai/gaudi: "8"
tolerations:
- effect: NoSchedule
  key: habana.ai/gaudi
  operator: Exists
user: 1000`},
		{"xpu by its older driver", `
model: {name: m}
server: {accelerator: {type: intel-xpu, resourceName: gpu.intel.com/i915, tolerate: false, count: 2}}`, `
image: docker.io/vllm/vllm-openai-xpu:v0.30.0
resources:
  limits:
    gpu.intel.com/i915: "2"
  requests:
    gpu.intel.com/i915: "2"
user: 0`},
		{"tpu gets the chips of its topology", `
model: {name: m}
server: {nodeSelector: {a: b}, accelerator: {type: google-tpu, tpu: {accelerator: tpu7x, topology: 2x2x1}}}
decode: {parallelism: {tensor: 8}}`, `
image: docker.io/vllm/vllm-tpu:v0.29.0
nodes:
  a: b
  cloud.google.com/gke-tpu-accelerator: tpu7x
  cloud.google.com/gke-tpu-topology: 2x2x1
resources:
  limits:
    google.com/tpu: "4"
  requests:
    google.com/tpu: "4"
tolerations:
- effect: NoSchedule
  key: google.com/tpu
  operator: Exists
user: 0`},
		{"cpu", `
model: {name: m}
server: {accelerator: {type: cpu}}`, `
image: docker.io/vllm/vllm-openai-cpu:v0.30.0
nonRoot: true
resources: {}
user: 1000`},
		{"claim", `
model: {name: m}
server: {accelerator: {dra: {}}}
decode: {parallelism: {tensor: 4}}`, `
claims:
- name: accelerator
  resourceClaimTemplateName: demo-decode-accelerator
image: docker.io/vllm/vllm-openai:v0.30.0
nonRoot: true
resources:
  claims:
  - name: accelerator
tolerations:
- effect: NoSchedule
  key: nvidia.com/gpu
  operator: Exists
user: 1000`},
		{"models of accelerator, in every alternative of the user's affinity", `
model: {name: m}
server:
  image: mine
  accelerator: {tolerate: false, nodeLabel: {key: gpu.product, values: [A, B]}}
  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}, {matchExpressions: [{key: z, operator: Exists}]}]}}}`, `
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
      - matchExpressions:
        - key: gpu.product
          operator: In
          values:
          - A
          - B
        matchFields:
        - key: metadata.name
          operator: In
          values:
          - node-1
      - matchExpressions:
        - key: z
          operator: Exists
        - key: gpu.product
          operator: In
          values:
          - A
          - B
image: mine
nonRoot: true
resources:
  limits:
    nvidia.com/gpu: "1"
  requests:
    nvidia.com/gpu: "1"
user: 1000`},
		{"the simulator uses none", `
model: {name: m}
server: {engine: simulator}`, `
image: ghcr.io/llm-d/llm-d-inference-sim:v0.10.2
nonRoot: true
resources:
  limits:
    memory: 1Gi
  requests:
    cpu: 100m
    memory: 256Mi
user: 1000`},
		{"baseline leaves the user to the image", `
model: {name: m}
security: {podSecurity: baseline}
server: {accelerator: {tolerate: false}}`, `
image: docker.io/vllm/vllm-openai:v0.30.0
resources:
  limits:
    nvidia.com/gpu: "1"
  requests:
    nvidia.com/gpu: "1"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stacktest.AsYAML(t, tc.want, placementOf(template(t, stacktest.Parse(t, tc.spec), "decode").Spec))
		})
	}
}

func TestResourceClaimTemplate(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
server: {accelerator: {dra: {selectors: ["device.attributes['x'].y"]}}}
decode: {parallelism: {tensor: 4}}
prefill: {accelerator: {type: amd, dra: {claimTemplateName: theirs}}}`)
	templates := resourceClaimTemplates(s)
	if len(templates) != 1 {
		t.Fatalf("%d templates: prefill has one already", len(templates))
	}
	stacktest.AsYAML(t, `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  labels:
    app.kubernetes.io/component: decode
    app.kubernetes.io/instance: demo
    app.kubernetes.io/managed-by: inferstack
    app.kubernetes.io/name: llm-d
    app.kubernetes.io/part-of: llm-d
  name: demo-decode-accelerator
  namespace: llm
spec:
  metadata: {}
  spec:
    devices:
      requests:
      - exactly:
          allocationMode: ExactCount
          count: 4
          deviceClassName: gpu.nvidia.com
          selectors:
          - cel:
              expression: device.attributes['x'].y
        name: accelerator`, templates[0])
	if got := *template(t, s, "prefill").Spec.ResourceClaims[0].ResourceClaimTemplateName; got != "theirs" {
		t.Error(got)
	}
}

func TestSidecar(t *testing.T) {
	for _, tc := range []struct {
		name, spec string
		args       []string
		ports      []string
	}{
		{"line 0.10", `
model: {name: m}
prefill: {}`, []string{"--port=8000", "--model-server-port=8200", "--kv-connector=nixlv2", "--secure-proxy=false"}, []string{"sidecar 8000"}},
		{"line 0.4", `
release: "0.4"
model: {name: m}
prefill: {}
kvTransfer: {sidecar: {verbosity: 3, args: [--x]}}`,
			[]string{"--port=8000", "--vllm-port=8200", "--connector=nixlv2", "--secure-proxy=false", "--zap-log-level=3", "--x"}, []string{"sidecar 8000"}},
		{"a port for each rank", `
model: {name: m}
server: {port: 9000}
decode: {parallelism: {data: 2, expert: true}}
prefill: {}`, []string{"--port=9000", "--model-server-port=8200", "--kv-connector=nixlv2", "--secure-proxy=false", "--data-parallel-size=2"},
			[]string{"sidecar 9000", "sidecar-1 9001"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pod := template(t, stacktest.Parse(t, tc.spec), "decode").Spec
			if len(pod.InitContainers) != 1 || *pod.InitContainers[0].RestartPolicy != corev1.ContainerRestartPolicyAlways {
				t.Fatal("no native sidecar")
			}
			if d := cmp.Diff(tc.args, pod.InitContainers[0].Args); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if d := cmp.Diff(tc.ports, portsOf(pod.InitContainers[0])); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func portsOf(c corev1.Container) []string {
	var out []string
	for _, p := range c.Ports {
		out = append(out, p.Name+" "+args.Text(p.ContainerPort))
	}
	return out
}

func TestServerPorts(t *testing.T) {
	for _, tc := range []struct {
		name, spec, role string
		ports            []string
		probed           int
		active           string
	}{
		{"alone", `
model: {name: m}`, "decode", []string{"http 8000"}, 8000, ""},
		{"decode behind the sidecar", `
model: {name: m}
prefill: {}`, "decode", []string{"http 8200", "nixl 5600"}, 8200, ""},
		{"prefill", `
model: {name: m}
prefill: {}`, "prefill", []string{"http 8000", "nixl 5600"}, 8000, ""},
		{"events", `
model: {name: m}
scheduler: {preset: precise-prefix}`, "decode", []string{"http 8000", "kv-events 5556"}, 8000, ""},
		{"events, again", `
model: {name: m}
kvCache: {events: {replayPort: 5559}}
scheduler: {preset: precise-prefix}`, "decode", []string{"http 8000", "kv-events 5556", "kv-replay 5559"}, 8000, ""},
		{"the supervisor answers for its ranks", `
model: {name: m}
decode: {parallelism: {data: 2, expert: true}}`, "decode", []string{"http 8000", "http-1 8001", "supervisor 8002"}, 8002, ""},
		{"a role with fewer ranks says so", `
model: {name: m}
decode: {parallelism: {data: 2, expert: true}}
prefill: {}`, "prefill", []string{"http 8000", "nixl 5600"}, 8000, "8000"},
		{"simulated ranks have no supervisor", `
model: {name: m}
server: {engine: simulator}
decode: {parallelism: {data: 2}}`, "decode", []string{"http 8000", "http-1 8001"}, 8000, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pod := template(t, stacktest.Parse(t, tc.spec), tc.role)
			c := pod.Spec.Containers[0]
			if d := cmp.Diff(tc.ports, portsOf(c)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			for _, p := range []*corev1.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
				if p.HTTPGet.Port.IntValue() != tc.probed {
					t.Errorf("probe asks %v", p.HTTPGet)
				}
			}
			if got := pod.Annotations["llm-d.ai/active-ports"]; got != tc.active {
				t.Errorf("active ports %q, want %q", got, tc.active)
			}
		})
	}
}
