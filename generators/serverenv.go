package generators

import (
	"path"

	corev1 "k8s.io/api/core/v1"
)

// homeDir is where vLLM and what it is made of keep their caches (torch, triton,
// flashinfer): an image's own home belongs to another user.
const homeDir = "/home/vllm"

// serverEnv returns the environment of the model server; of two variables with one name
// the user's wins, and the role's over the server section's.
func (s server) serverEnv() []corev1.EnvVar {
	var generated []corev1.EnvVar
	if s.simulated() {
		generated = s.simulatorEnv()
	} else {
		generated = env(s.vllmEnv(), s.weightsEnv(), s.kvTransferEnv(), s.kvEventsEnv(), s.tracingEnv("vllm-"+s.role))
	}
	if secret := s.Spec.Model.TokenSecret; secret != nil {
		generated = append(generated, secretEnv("HF_TOKEN", secret))
	}
	return env(generated, s.Spec.Server.Env, s.own.Env)
}

// vllmEnv gives a user without an entry in /etc/passwd a name and a home, which
// PyTorch's compiler asks for (torch _inductor/runtime/cache_dir_utils.py).
func (s *Stack) vllmEnv() []corev1.EnvVar {
	return []corev1.EnvVar{
		{Name: "HOME", Value: homeDir},
		{Name: "USER", Value: "vllm"},
		{Name: "VLLM_HTTP_TIMEOUT_KEEP_ALIVE", Value: keepAliveSeconds},
	}
}

// keepAliveSeconds outlasts the 90 seconds after which the routing sidecar, and the minute
// after which the proxy, drops an idle connection to a server. vLLM's own 5 seconds make
// requests fail on a connection that it has just closed (llm-d guides/pd-disaggregation,
// llm-d-benchmark issue 1675).
const keepAliveSeconds = "120"

// weightsEnv points Hugging Face's cache at the model volume. A volume that cannot be
// written must have everything already, and would fail on the first lock file.
func (s *Stack) weightsEnv() []corev1.EnvVar {
	source, storage := s.Spec.Model.ParsedSource(), &s.Spec.Model.Storage
	var vars []corev1.EnvVar
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

// kvEventsEnv is what the topic of the KV-cache events refers to, and the seed that
// makes the block hashes of all servers and of the EPP the same.
func (s *Stack) kvEventsEnv() []corev1.EnvVar {
	if s.kvEventsMode() == "" {
		return nil
	}
	return []corev1.EnvVar{
		fieldEnv("POD_IP", "status.podIP"),
		{Name: "PYTHONHASHSEED", Value: s.hashSeed()},
	}
}

// tracingEnv configures OpenTelemetry's SDK.
func (s *Stack) tracingEnv(service string) []corev1.EnvVar {
	if s.Spec.Monitoring == nil || s.Spec.Monitoring.Tracing == nil {
		return nil
	}
	tracing := s.Spec.Monitoring.Tracing
	return []corev1.EnvVar{
		{Name: "OTEL_SERVICE_NAME", Value: service},
		{Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Value: tracing.Endpoint},
		{Name: "OTEL_TRACES_SAMPLER", Value: "parentbased_traceidratio"},
		{Name: "OTEL_TRACES_SAMPLER_ARG", Value: text(tracing.Ratio)},
	}
}
