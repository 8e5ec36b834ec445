// Package render makes vLLM's render service, which splits prompts into tokens.
package render

import (
	"cmp"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
)

// home is the render pod's writable directory; the tokenizer is downloaded to it.
const home = "/home/vllm"

// Objects makes vLLM's render service, which splits prompts for the EPP and the simulator
// of lines whose precise prefix caching asks one. Its pods are not the pool's
// (llm-d/llm-d#2212): they have no llm-d label.
func Objects(s *base.Stack) []base.Object {
	if !Here(s) {
		return nil
	}
	return []base.Object{service(s), deployment(s)}
}

// Here reports whether the stack makes a render service of its own.
func Here(s *base.Stack) bool {
	return s.PrecisePrefix() && s.Line.EPP.Tokenizer == "render" && s.Spec.Scheduler.Tokenizer.URL == ""
}

// URL is where prompts are split: the user's render service, or ours beside the
// servers.
func URL(s *base.Stack) string {
	if url := s.Spec.Scheduler.Tokenizer.URL; url != "" {
		return url
	}
	return "http://" + base.ServiceHost(Name(s), s.Namespace()) + ":" + args.Text(base.RenderPort)
}

func Name(s *base.Stack) string { return s.Name(base.ComponentRender) }

func service(s *base.Stack) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.Meta(base.ComponentRender, Name(s)),
		Spec: corev1.ServiceSpec{
			Ports:    []corev1.ServicePort{{Name: "http", Port: base.RenderPort, TargetPort: intstr.FromString("http"), Protocol: corev1.ProtocolTCP}},
			Selector: s.Selector(base.ComponentRender),
			Type:     corev1.ServiceTypeClusterIP,
		},
	}
}

func deployment(s *base.Stack) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: appsv1.SchemeGroupVersion.String(), Kind: "Deployment"},
		ObjectMeta: s.Meta(base.ComponentRender, Name(s)),
		Spec: appsv1.DeploymentSpec{
			Replicas: new(s.Spec.Scheduler.Tokenizer.Replicas),
			Selector: &metav1.LabelSelector{MatchLabels: s.Selector(base.ComponentRender)},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: s.Labels(base.ComponentRender)},
				Spec: corev1.PodSpec{
					Volumes:                      []corev1.Volume{{Name: "home", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
					Containers:                   []corev1.Container{container(s)},
					AutomountServiceAccountToken: new(false),
					SecurityContext:              s.PodSecurityContext(),
					ImagePullSecrets:             s.PullSecrets(),
				},
			},
		},
	}
}

func container(s *base.Stack) corev1.Container {
	vars := []corev1.EnvVar{
		{Name: "HOME", Value: home},
		{Name: "USER", Value: "vllm"},
		// It only splits text; no position of the model is ever computed.
		{Name: "VLLM_ALLOW_LONG_MAX_MODEL_LEN", Value: "1"},
	}
	if secret := s.Spec.Model.TokenSecret; secret != nil {
		vars = append(vars, base.SecretEnv("HF_TOKEN", secret))
	}
	return corev1.Container{
		Name:            "render",
		Image:           cmp.Or(s.Spec.Scheduler.Tokenizer.Image, s.Line.Images.Render),
		Command:         []string{"vllm", "launch", "render"},
		Args:            arguments(s),
		Ports:           []corev1.ContainerPort{{Name: "http", ContainerPort: base.RenderPort, Protocol: corev1.ProtocolTCP}},
		Env:             vars,
		Resources:       base.Resources(s.Spec.Scheduler.Tokenizer.Resources, resources()),
		VolumeMounts:    []corev1.VolumeMount{{Name: "home", MountPath: home}},
		StartupProbe:    probe(2, 300), // ten minutes for a slow download
		ReadinessProbe:  probe(5, 1),
		LivenessProbe:   probe(10, 5),
		ImagePullPolicy: s.PullPolicy(),
		SecurityContext: s.ContainerSecurityContext(),
	}
}

// arguments names the model and the names by which clients ask for it, since requests
// are rendered as they come.
func arguments(s *base.Stack) []string {
	a := &args.List{Flags: s.Line.VLLM.Flags, Items: []string{s.Spec.Model.Name}}
	a.Add("port", base.RenderPort)
	if names := s.Spec.Model.ServedNames; len(names) > 0 {
		a.Items = append(a.Items, "--"+a.Flags["servedModelName"])
		a.Items = append(a.Items, names...)
	}
	return a.Items
}

func probe(period, failures int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:     corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/health", Port: intstr.FromString("http")}},
		PeriodSeconds:    period,
		FailureThreshold: failures,
	}
}

func resources() corev1.ResourceRequirements { return base.Amounts("1", "2Gi", "8Gi") }
