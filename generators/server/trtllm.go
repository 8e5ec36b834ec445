package server

import (
	"path"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/manifest"
)

// The file of TensorRT-LLM's options, as in llm-d's guide optimized-baseline.
const (
	volumeOptions = "llm-api-options"
	optionsDir    = "/etc/trtllm"
	optionsFile   = "llm_api_options.yaml"
)

// trtllmArgs returns the generated arguments of TensorRT-LLM, which would listen inside its
// pod only. It knows a model from Hugging Face by its name, and another one by its directory's.
func (s server) trtllmArgs() []string {
	a := &args.List{Flags: s.engine().Flags}
	a.Items = []string{s.modelToLoad()}
	a.Add("host", "0.0.0.0")
	a.Add("port", s.ModelServerPort())
	a.Add("backend", "pytorch")
	if name := s.Spec.Model.Served()[0]; name != s.modelToLoad() {
		a.Add("servedModelName", name)
	}
	s.engineParallelArgs(a)
	spec := &s.Spec.Server.TRTLLM
	args.AddIf(a, "maxSeqLen", spec.MaxSeqLen)
	args.AddIf(a, "maxBatchSize", spec.MaxBatchSize)
	args.AddIf(a, "freeGpuMemoryFraction", spec.FreeGPUMemoryFraction)
	if m := s.Spec.Monitoring; m != nil && m.Tracing != nil {
		a.Add("otlpTracesEndpoint", m.Tracing.Endpoint)
	}
	a.Add("options", path.Join(optionsDir, optionsFile))
	return a.Items
}

// hasOptions reports whether the servers read a file of options.
func (s server) hasOptions() bool { return readsOptions(s.Stack) }

func readsOptions(s *base.Stack) bool {
	return s.Spec.Server.Create && s.Spec.Server.Engine == "trtllm" && s.Spec.Server.Launch != "custom"
}

func optionsName(s *base.Stack) string { return s.Name("llm-api-options") }

func optionsText(s *base.Stack) string { return manifest.Ordered(s.LLMAPIOptions(), nil) }

// Options makes the ConfigMap with the options of TensorRT-LLM's LLM API.
func Options(s *base.Stack) []base.Object {
	if !readsOptions(s) {
		return nil
	}
	return []base.Object{&corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: s.Meta("llm-api-options", optionsName(s)),
		Data:       map[string]string{optionsFile: optionsText(s)},
	}}
}

func (s server) optionsVolumes() []corev1.Volume {
	if !s.hasOptions() {
		return nil
	}
	return []corev1.Volume{{Name: volumeOptions, VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
		LocalObjectReference: corev1.LocalObjectReference{Name: optionsName(s.Stack)},
	}}}}
}

func (s server) optionsMounts() []corev1.VolumeMount {
	if !s.hasOptions() {
		return nil
	}
	return []corev1.VolumeMount{{Name: volumeOptions, ReadOnly: true, MountPath: optionsDir}}
}
