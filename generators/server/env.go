package server

import (
	"path"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
)

// homeDir is where the engine and what it is made of keep their caches (torch, triton,
// flashinfer): an image's own home belongs to another user.
func (s server) homeDir() string { return "/home/" + s.Spec.Server.Engine }

// environment returns the environment of the model server; of two variables with one name
// the user's wins, and the role's over the server section's.
func (s server) environment() []corev1.EnvVar {
	var generated []corev1.EnvVar
	switch {
	case s.Simulated():
		generated = s.simulatorEnv()
	case !s.RunsVLLM():
		generated = base.Env(s.engineEnv(), s.rdmaEnv(), s.weightsEnv(), s.hicacheEnv(), s.TracingEnv(s.Spec.Server.Engine+"-"+s.Role))
	default:
		generated = base.Env(s.vllmEnv(), s.rdmaEnv(), s.weightsEnv(), s.kvTransferEnv(), s.ecTransferEnv(), s.eventsEnv(), s.offloadEnv(), s.adapterEnv(), s.TracingEnv("vllm-"+s.Role))
	}
	if secret := s.Spec.Model.TokenSecret; secret != nil {
		generated = append(generated, base.SecretEnv("HF_TOKEN", secret))
	}
	return base.Env(generated, s.Spec.Server.Env, s.Own.Env)
}

// vllmEnv gives a user without an entry in /etc/passwd a name and a home, which
// PyTorch's compiler asks for (torch _inductor/runtime/cache_dir_utils.py).
func (s server) vllmEnv() []corev1.EnvVar {
	vars := []corev1.EnvVar{
		{Name: "HOME", Value: s.homeDir()},
		{Name: "USER", Value: "vllm"},
		{Name: "VLLM_HTTP_TIMEOUT_KEEP_ALIVE", Value: keepAliveSeconds},
	}
	if budget := s.startupBudget(); budget > engineSeconds {
		vars = append(vars, corev1.EnvVar{Name: "VLLM_ENGINE_READY_TIMEOUT_S", Value: args.Text(budget)})
	}
	settings := s.VLLMOf(s.Own)
	if settings.CPUKVCacheSpace != nil {
		vars = append(vars, corev1.EnvVar{Name: "VLLM_CPU_KVCACHE_SPACE", Value: args.Text(*settings.CPUKVCacheSpace)})
	}
	if settings.LoggingLevel != "" {
		vars = append(vars, corev1.EnvVar{Name: "VLLM_LOGGING_LEVEL", Value: settings.LoggingLevel})
	}
	return append(vars, base.FlagEnv(s.Line.VLLM.Env[s.AcceleratorOf(s.Own).Type])...)
}

// engineSeconds is how long vLLM waits for its own engines to load the model, however long
// the start-up probe would (vllm-project/vllm#48031).
const engineSeconds = 600

// keepAliveSeconds outlasts the 90 seconds after which the routing sidecar, and the minute
// after which the proxy, drops an idle connection to a server. vLLM's own 5 seconds make
// requests fail on a connection that it has just closed (llm-d guides/pd-disaggregation,
// llm-d-benchmark issue 1675).
const keepAliveSeconds = "120"

// weightsEnv points Hugging Face's cache at the model volume. A volume that cannot be
// written must have everything already, and would fail on the first lock file.
func (s server) weightsEnv() (vars []corev1.EnvVar) {
	source, storage := s.Spec.Model.ParsedSource(), &s.Spec.Model.Storage
	switch {
	case source.Scheme == "pvc+hf":
		vars = []corev1.EnvVar{{Name: "HF_HUB_CACHE", Value: path.Join(storage.MountPath, source.Path)}}
	case source.Scheme == "hf" && storage.ReadOnly:
		vars = []corev1.EnvVar{{Name: "HF_HUB_CACHE", Value: path.Join(storage.MountPath, "hub")}}
	case source.Scheme == "hf":
		return []corev1.EnvVar{{Name: "HF_HOME", Value: storage.MountPath}}
	}
	if len(vars) > 0 && storage.ReadOnly {
		vars = append(vars, corev1.EnvVar{Name: "HF_HUB_OFFLINE", Value: "1"})
	}
	return vars
}

// eventsEnv is what the topic of the KV-cache events refers to, and the seed that
// makes the block hashes of all servers and of the EPP the same.
func (s server) eventsEnv() []corev1.EnvVar {
	if s.eventsMode() == "" {
		return nil
	}
	return []corev1.EnvVar{
		base.FieldEnv("POD_IP", "status.podIP"),
		{Name: "PYTHONHASHSEED", Value: kvevents.HashSeed(s.Stack)},
	}
}
