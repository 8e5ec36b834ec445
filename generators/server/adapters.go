package server

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
)

// adapterArgs returns the flags of vLLM or SGLang for LoRA adapters, which list names. They
// are needed too where adapters are only loaded at run time.
func (s server) adapterArgs(a *args.List, list string) {
	lora := s.Spec.Model.LoRA
	if lora == nil {
		return
	}
	a.On("enableLora")
	args.AddIf(a, "maxLoraRank", lora.RankLimit())
	args.AddIf(a, "maxLoras", lora.MaxAdapters)
	args.AddIf(a, "maxCPULoras", lora.MaxCPUAdapters)
	var adapters []string
	for i := range lora.Adapters {
		adapter := &lora.Adapters[i]
		adapters = append(adapters, adapter.Name+"="+s.Spec.Model.AdapterPath(adapter))
	}
	if len(adapters) > 0 {
		a.Words(list, adapters)
	}
}

// simulatedAdapter is an adapter in the simulator's --lora-modules, which takes JSON alone
// (llm-d-inference-sim docs/configuration.md, v0.10.2).
type simulatedAdapter struct {
	Name string `json:"name"`
}

// simulatedAdapters serves the adapters by name; nothing is loaded.
func (s server) simulatedAdapters(a *args.List) {
	lora := s.Spec.Model.LoRA
	if lora == nil {
		return
	}
	args.AddIf(a, "maxLoras", lora.MaxAdapters)
	args.AddIf(a, "maxCPULoras", lora.MaxCPUAdapters)
	modules := lists.Map(s.Spec.Model.AdapterNames(), func(name string) string { return compactJSON(simulatedAdapter{name}) })
	if len(modules) > 0 {
		a.Words("loraModules", modules)
	}
}

// adapterEnv turns on what loads adapters at run time (vllm docs/features/lora.md).
func (s server) adapterEnv() (vars []corev1.EnvVar) {
	if dir := s.Spec.Model.ResolverDir(); dir != "" {
		vars = append(vars,
			corev1.EnvVar{Name: "VLLM_PLUGINS", Value: "lora_filesystem_resolver"},
			corev1.EnvVar{Name: "VLLM_LORA_RESOLVER_CACHE_DIR", Value: dir})
	}
	if lora := s.Spec.Model.LoRA; lora != nil && (lora.RuntimeUpdating || lora.ResolveFrom != "") {
		vars = append(vars, corev1.EnvVar{Name: "VLLM_ALLOW_RUNTIME_LORA_UPDATING", Value: "True"})
	}
	return vars
}

func (s server) adapterVolumes() (out []corev1.Volume) {
	for i, v := range s.Spec.Model.AdapterVolumes() {
		volume := corev1.Volume{Name: schema.AdapterVolumeName(i)}
		if v.Image != "" {
			volume.Image = &corev1.ImageVolumeSource{Reference: v.Image, PullPolicy: s.PullPolicy()}
		} else {
			volume.PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: v.Claim, ReadOnly: true}
		}
		out = append(out, volume)
	}
	return out
}

func (s server) adapterMounts() (out []corev1.VolumeMount) {
	for i, v := range s.Spec.Model.AdapterVolumes() {
		out = append(out, corev1.VolumeMount{Name: schema.AdapterVolumeName(i), ReadOnly: true, MountPath: v.MountPath})
	}
	return out
}
