package modelservice

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// The presets of llm-d-deployer 1.0 (charts/llm-d/templates/modelservice/presets).
const (
	presetBasic = "basic-gpu-preset"
	presetNIXL  = "basic-gpu-with-nixl-preset"
	presetRedis = "basic-gpu-with-nixl-and-redis-lookup-preset"
)

var presetNames = []string{presetBasic, presetNIXL, presetRedis}

// Ports of the presets.
const (
	presetPort   = 8000
	presetBehind = 8001
	presetNIXLAt = 5557
)

const lmcacheTransfer = `{"kv_connector":"MultiConnector","kv_role":"kv_both","kv_connector_extra_config":{"connectors":[` +
	`{"kv_connector":"NixlConnector","kv_role":"kv_both"},{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"}]}}`

const nixlTransfer = `{"kv_connector":"NixlConnector","kv_role":"kv_both"}`

// preset is the base configuration of a preset: without images, which are the release
// catalogue's, and without what every stack has anyway.
func (m *service) preset(name string) base {
	m.gpuPreset = true
	if name == presetRedis {
		m.On("spec.kvCache", fromBase).Warn("LMCache must be in the vLLM image; a stack's default image has it only when vLLM's own does")
	}
	decode := m.presetDeployment(name, presetBehind)
	decode.Spec.Template.Spec.InitContainers = []corev1.Container{{
		Name: "routing-proxy",
		Args: []string{"--port=" + strconv.Itoa(presetPort), "--vllm-port=" + strconv.Itoa(presetBehind), "--connector=nixlv2"},
	}}
	return base{
		decode: decode, prefill: m.presetDeployment(name, presetPort),
		decodeService: presetService(), prefillService: presetService(),
		epp:        &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "epp", Args: []string{"-v", "4"}}}}}}},
		eppService: &corev1.Service{Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeNodePort}},
	}
}

func (m *service) presetDeployment(name string, port int) *appsv1.Deployment {
	memory := resource.MustParse("1Gi")
	load := m.vars().HFModelName
	if load == "" {
		load = "/models/" + m.vars().ModelPath
	}
	pod := corev1.PodSpec{
		Containers: []corev1.Container{{
			Name:    "vllm",
			Command: []string{"vllm", "serve", load},
			Args:    append([]string{"--port", strconv.Itoa(port)}, presetArgs(name)...),
			Env:     append([]corev1.EnvVar{{Name: "UCX_TLS", Value: "^cuda_ipc"}, {Name: "HF_HUB_CACHE", Value: "/models"}}, m.presetEnv(name)...),
			VolumeMounts: []corev1.VolumeMount{
				{Name: "dshm", MountPath: "/dev/shm"},
				{Name: "model-storage", MountPath: "/models"},
			},
		}},
		Volumes: []corev1.Volume{
			{Name: "dshm", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory, SizeLimit: &memory}}},
		},
	}
	return &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: pod}}}
}

func presetArgs(name string) []string {
	switch name {
	case presetNIXL:
		return []string{"--enforce-eager", "--kv-transfer-config", nixlTransfer}
	case presetRedis:
		return []string{"--enforce-eager", "--kv-transfer-config", lmcacheTransfer}
	}
	return nil
}

// presetEnv is the environment of NIXL and of LMCache, which looks keys up in Redis.
func (m *service) presetEnv(name string) []corev1.EnvVar {
	if name == presetBasic {
		return nil
	}
	env := []corev1.EnvVar{
		{Name: "VLLM_NIXL_SIDE_CHANNEL_PORT", Value: strconv.Itoa(presetNIXLAt)},
		{Name: "VLLM_NIXL_SIDE_CHANNEL_HOST", ValueFrom: podIP()},
		{Name: "LMCACHE_DISTRIBUTED_URL", ValueFrom: podIP()},
		{Name: "LMCACHE_LOOKUP_URL", Value: m.redisAddress()},
	}
	if name == presetNIXL {
		return env
	}
	return append(
		env,
		corev1.EnvVar{Name: "LMCACHE_LOCAL_CPU", Value: "True"},
		corev1.EnvVar{Name: "LMCACHE_MAX_LOCAL_CPU_SIZE", Value: "5"},
		corev1.EnvVar{Name: "LMCACHE_MAX_LOCAL_DISK_SIZE", Value: "10"},
		corev1.EnvVar{Name: "LMCACHE_CHUNK_SIZE", Value: "256"},
	)
}

func podIP() *corev1.EnvVarSource {
	return &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "status.podIP"}}
}

func presetService() *corev1.Service {
	return &corev1.Service{Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Name: "vllm", Port: presetPort}}}}
}
