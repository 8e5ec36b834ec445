package helm

import (
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/convert/draft"
	catalogue "github.com/inferstack/inferstack/release"
)

const tokenizerSection = "router.tokenizer"

// tokenizer is the render service in the EPP's pod, as the charts make it (llm-d-router
// config/charts/routerlib/templates/_deployment.yaml, v0.10.0). The EPP's own
// configuration says where it is.
func (r *release) tokenizer(p *draft.Part, t *Tokenizer) {
	if r.Text(schedulerSection+".preset") == precisePreset {
		p.On(schedulerSection+".preset", tokenizerSection).Dropped().Note("the tokenizer beside the EPP is left out: the stack makes a render service in its place")
		return
	}
	if t.ModelName == "" || t.Image.Repository == "llm-d-uds-tokenizer" {
		p.Lost(tokenizerSection, "the tokenizer of the charts before 0.10, which speaks over a socket that no EPP of the release lines opens; scheduler.preset: precise-prefix makes one of its own")
		return
	}
	port := or(t.Port, 8000)
	c := corev1.Container{
		Name: "vllm-render", Image: t.image(), ImagePullPolicy: corev1.PullPolicy(t.Image.PullPolicy),
		Command:        t.command(),
		Args:           slices.Concat(t.args(port), t.ExtraArgs),
		Ports:          []corev1.ContainerPort{{Name: "render-http", ContainerPort: port}},
		Env:            t.Env,
		VolumeMounts:   append([]corev1.VolumeMount{{Name: tokenizerCache, MountPath: "/root/.cache/huggingface"}}, t.VolumeMounts...),
		ReadinessProbe: t.ReadinessProbe,
	}
	if !p.Doc.Has(tokenizerSection + ".env") {
		c.Env = []corev1.EnvVar{{Name: "HF_TOKEN", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
			LocalObjectReference: corev1.LocalObjectReference{Name: "llm-d-hf-token"}, Key: "HF_TOKEN",
		}}}}
	}
	if c.ReadinessProbe == nil {
		c.ReadinessProbe = &corev1.Probe{
			ProbeHandler:        corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/health", Port: intstr.FromString("render-http")}},
			InitialDelaySeconds: 30, PeriodSeconds: 10, TimeoutSeconds: 5, FailureThreshold: 60,
		}
	}
	c.Resources = t.resources()
	p.Append(schedulerSection+".containers", c, tokenizerSection)
	p.Append(schedulerSection+".volumes", corev1.Volume{Name: tokenizerCache, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}, tokenizerSection)
	for i := range t.Volumes {
		p.Append(schedulerSection+".volumes", t.Volumes[i], tokenizerSection+".volumes")
	}
	for i := range t.InitContainers {
		p.Append(schedulerSection+".initContainers", t.InitContainers[i], tokenizerSection+".initContainers")
	}
}

const tokenizerCache = "model-cache"

func (t *Tokenizer) image() string {
	return draft.Unless(t.Image.Registry, "docker.io") + "/" + draft.Unless(t.Image.Repository, "vllm/vllm-openai-cpu") + ":" + draft.Unless(t.Image.Tag, catalogue.DefaultTag("router-chart/tokenizer"))
}

func (t *Tokenizer) command() []string {
	switch {
	case len(t.Command) > 0:
		return t.Command
	case t.Flavor == "rust":
		return []string{"vllm-rs", "render"}
	}
	return []string{"vllm", "launch", "render"}
}

func (t *Tokenizer) args(port int32) []string {
	if len(t.Args) > 0 {
		return t.Args
	}
	return []string{t.ModelName, "--port=" + strconv.Itoa(int(port))}
}

func (t *Tokenizer) resources() corev1.ResourceRequirements {
	if t.Resources != nil {
		return *t.Resources
	}
	return corev1.ResourceRequirements{Requests: corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("8Gi"),
	}}
}
