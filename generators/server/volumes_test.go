package server

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// kept is how a pod keeps its weights and finds them.
type kept struct {
	Volumes []corev1.Volume      `json:"volumes"`
	Mounts  []corev1.VolumeMount `json:"mounts"`
	Env     []corev1.EnvVar      `json:"env"`
}

const homeMount = `- mountPath: /home/vllm
  name: home`

const homeEnv = `- name: HOME
  value: /home/vllm
- name: USER
  value: vllm
- name: VLLM_HTTP_TIMEOUT_KEEP_ALIVE
  value: "120"
- name: VLLM_ENGINE_READY_TIMEOUT_S
  value: "3600"
`

const homeVolume = `- emptyDir: {}
  name: home`

func TestServerVolumes(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"weights of a pod of its own, and shared memory", `
model: {name: m, tokenSecret: {name: t, key: k}, storage: {size: 20Gi}}`, `
env:
` + homeEnv + `- name: HF_HOME
  value: /model-cache
- name: HF_TOKEN
  valueFrom:
    secretKeyRef:
      key: k
      name: t
mounts:
- mountPath: /model-cache
  name: model
` + homeMount + `
- mountPath: /dev/shm
  name: shm
volumes:
- emptyDir:
    sizeLimit: 20Gi
  name: model
` + homeVolume + `
- emptyDir:
    medium: Memory
    sizeLimit: 8Gi
  name: shm`},
		{"a claim that is made", `
model: {name: m, storage: {type: pvc, size: 20Gi, mountPath: /w}}
server: {sharedMemory: 0}`, `
env:
` + homeEnv + `- name: HF_HOME
  value: /w
mounts:
- mountPath: /w
  name: model
` + homeMount + `
volumes:
- name: model
  persistentVolumeClaim:
    claimName: demo-model
` + homeVolume},
		{"a claim that cannot be written", `
model: {name: m, storage: {type: pvc, existingClaim: c, readOnly: true}}
server: {sharedMemory: 0}`, `
env:
` + homeEnv + `- name: HF_HUB_CACHE
  value: /model-cache/hub
- name: HF_HUB_OFFLINE
  value: "1"
mounts:
- mountPath: /model-cache
  name: model
  readOnly: true
` + homeMount + `
volumes:
- name: model
  persistentVolumeClaim:
    claimName: c
    readOnly: true
` + homeVolume},
		{"a claim with a cache", `
model: {name: m, source: pvc+hf://c/deep/hub/org/model}
server: {sharedMemory: 0}`, `
env:
` + homeEnv + `- name: HF_HUB_CACHE
  value: /model-cache/deep/hub
mounts:
- mountPath: /model-cache
  name: model
` + homeMount + `
volumes:
- name: model
  persistentVolumeClaim:
    claimName: c
` + homeVolume},
		{"an image", `
model: {name: m, source: "oci://r/i:1"}
server: {sharedMemory: 0}`, `
env:
- name: HOME
  value: /home/vllm
- name: USER
  value: vllm
- name: VLLM_HTTP_TIMEOUT_KEEP_ALIVE
  value: "120"
- name: VLLM_ENGINE_READY_TIMEOUT_S
  value: "3600"
mounts:
- mountPath: /model-cache
  name: model
` + homeMount + `
volumes:
- image:
    pullPolicy: IfNotPresent
    reference: r/i:1
  name: model
` + homeVolume},
		{"what the user adds, by role", `
model: {name: m, source: pvc://c}
server:
  sharedMemory: 0
  env: [{name: A, value: server}, {name: B, value: server}]
  volumes: [{name: a, emptyDir: {}}]
  volumeMounts: [{name: a, mountPath: /a}]
decode:
  env: [{name: A, value: decode}, {name: USER, value: me}]
  volumes: [{name: b, emptyDir: {}}]
  volumeMounts: [{name: b, mountPath: /b}]`, `
env:
- name: HOME
  value: /home/vllm
- name: USER
  value: me
- name: VLLM_HTTP_TIMEOUT_KEEP_ALIVE
  value: "120"
- name: VLLM_ENGINE_READY_TIMEOUT_S
  value: "3600"
- name: A
  value: decode
- name: B
  value: server
mounts:
- mountPath: /model-cache
  name: model
` + homeMount + `
- mountPath: /a
  name: a
- mountPath: /b
  name: b
volumes:
- name: model
  persistentVolumeClaim:
    claimName: c
` + homeVolume + `
- emptyDir: {}
  name: a
- emptyDir: {}
  name: b`},
		{"the simulator keeps nothing", `
model: {name: m, storage: {size: 1Gi}}
server: {engine: simulator}`, `
env:
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: POD_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
mounts: null
volumes: null`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pod := template(t, stacktest.Parse(t, tc.spec), "decode").Spec
			stacktest.AsYAML(t, tc.want, kept{pod.Volumes, pod.Containers[0].VolumeMounts, pod.Containers[0].Env})
		})
	}
}

func TestTransferEnv(t *testing.T) {
	for _, tc := range []struct{ name, spec, role, want string }{
		{"decode", `
model: {name: m, source: pvc://c}
prefill: {}
kvTransfer: {sideChannelPort: 5700}`, "decode", homeEnv + `- name: VLLM_NIXL_SIDE_CHANNEL_HOST
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: VLLM_NIXL_SIDE_CHANNEL_PORT
  value: "5700"`},
		{"prefill", `
model: {name: m, source: pvc://c}
prefill: {}`, "prefill", homeEnv + `- name: VLLM_NIXL_SIDE_CHANNEL_HOST
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: VLLM_NIXL_SIDE_CHANNEL_PORT
  value: "5600"`},
		{"an accelerator with an environment of its own", `
model: {name: m, source: pvc://c}
server: {accelerator: {type: intel-xpu}, probes: {startup: {failureThreshold: 60}}}
prefill: {}`, "decode", strings.Replace(homeEnv, "- name: VLLM_ENGINE_READY_TIMEOUT_S\n  value: \"3600\"\n", "", 1) + `- name: VLLM_WORKER_MULTIPROC_METHOD
  value: spawn
- name: VLLM_NIXL_SIDE_CHANNEL_HOST
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: VLLM_NIXL_SIDE_CHANNEL_PORT
  value: "5600"
- name: UCX_TLS
  value: tcp`},
		{"events and traces", `
model: {name: m, source: pvc://c}
scheduler: {preset: precise-prefix}
kvCache: {hashSeed: "7"}
monitoring: {tracing: {endpoint: "http://otel:4317", ratio: 0.25}}`, "decode", homeEnv + `- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: PYTHONHASHSEED
  value: "7"
- name: OTEL_SERVICE_NAME
  value: vllm-decode
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: http://otel:4317
- name: OTEL_TRACES_SAMPLER
  value: parentbased_traceidratio
- name: OTEL_TRACES_SAMPLER_ARG
  value: "0.25"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stacktest.AsYAML(t, tc.want, server{stacktest.Server(t, stacktest.Parse(t, tc.spec), tc.role)}.environment())
		})
	}
}

func TestStorage(t *testing.T) {
	stacktest.AsYAML(t, `
- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    labels:
      app.kubernetes.io/component: model
      app.kubernetes.io/instance: demo
      app.kubernetes.io/managed-by: inferstack
      app.kubernetes.io/name: llm-d
      app.kubernetes.io/part-of: llm-d
    name: weights
    namespace: llm
  spec:
    accessModes:
    - ReadWriteOnce
    resources:
      requests:
        storage: 100Gi
    storageClassName: fast
  status: {}`, Storage(stacktest.Parse(t, `
model: {name: m, storage: {type: pvc, size: 100Gi, name: weights, storageClassName: fast, accessMode: ReadWriteOnce}}`)))
	for _, none := range []string{
		`{model: {name: m}}`,
		`{model: {name: m, storage: {type: pvc, existingClaim: c}}}`,
		`{model: {name: m, source: pvc://c/p}}`,
		`{model: {name: m, storage: {type: pvc, size: 1Gi}}, server: {engine: simulator}}`,
	} {
		if made := Storage(stacktest.Parse(t, none)); made != nil {
			t.Errorf("%s makes %v", none, made)
		}
	}
}
