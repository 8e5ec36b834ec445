package generators

import (
	"cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// renderHome is the render pod's writable directory; the tokenizer is downloaded to it.
const renderHome = "/home/vllm"

// render makes vLLM's render service, which splits prompts for the EPP and the simulator
// of lines whose precise prefix caching asks one. Its pods are not the pool's
// (llm-d/llm-d#2212): they have no llm-d label.
func render(s *Stack) []Object {
	if !s.rendersHere() {
		return nil
	}
	return []Object{renderService(s), renderDeployment(s)}
}

// rendersHere says whether the stack makes a render service of its own.
func (s *Stack) rendersHere() bool {
	return s.precisePrefix() && s.Line.EPP.Tokenizer == "render" && s.Spec.Scheduler.Tokenizer.URL == ""
}

// tokenizerURL is where prompts are split: the user's render service, or ours beside the
// servers.
func (s *Stack) tokenizerURL() string {
	if url := s.Spec.Scheduler.Tokenizer.URL; url != "" {
		return url
	}
	return "http://" + serviceHost(s.renderName(), s.namespace()) + ":" + text(renderPort)
}

func (s *Stack) renderName() string { return s.name(componentRender) }

func renderService(s *Stack) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.meta(componentRender, s.renderName()),
		Spec: corev1.ServiceSpec{
			Ports:    []corev1.ServicePort{{Name: "http", Port: renderPort, TargetPort: intstr.FromString("http"), Protocol: corev1.ProtocolTCP}},
			Selector: s.selector(componentRender),
			Type:     corev1.ServiceTypeClusterIP,
		},
	}
}

func renderDeployment(s *Stack) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: appsv1.SchemeGroupVersion.String(), Kind: "Deployment"},
		ObjectMeta: s.meta(componentRender, s.renderName()),
		Spec: appsv1.DeploymentSpec{
			Replicas: new(s.Spec.Scheduler.Tokenizer.Replicas),
			Selector: &metav1.LabelSelector{MatchLabels: s.selector(componentRender)},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: s.labels(componentRender)},
				Spec: corev1.PodSpec{
					Volumes:                      []corev1.Volume{{Name: "home", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
					Containers:                   []corev1.Container{renderContainer(s)},
					AutomountServiceAccountToken: new(false),
					SecurityContext:              s.podSecurityContext(),
					ImagePullSecrets:             s.pullSecrets(),
				},
			},
		},
	}
}

func renderContainer(s *Stack) corev1.Container {
	vars := []corev1.EnvVar{
		{Name: "HOME", Value: renderHome},
		{Name: "USER", Value: "vllm"},
		// It only splits text; no position of the model is ever computed.
		{Name: "VLLM_ALLOW_LONG_MAX_MODEL_LEN", Value: "1"},
	}
	if secret := s.Spec.Model.TokenSecret; secret != nil {
		vars = append(vars, secretEnv("HF_TOKEN", secret))
	}
	return corev1.Container{
		Name:            "render",
		Image:           cmp.Or(s.Spec.Scheduler.Tokenizer.Image, s.Line.Images.Render),
		Command:         []string{"vllm", "launch", "render"},
		Args:            renderArgs(s),
		Ports:           []corev1.ContainerPort{{Name: "http", ContainerPort: renderPort, Protocol: corev1.ProtocolTCP}},
		Env:             vars,
		Resources:       resources(s.Spec.Scheduler.Tokenizer.Resources, renderResources()),
		VolumeMounts:    []corev1.VolumeMount{{Name: "home", MountPath: renderHome}},
		StartupProbe:    renderProbe(2, 300), // ten minutes for a slow download
		ReadinessProbe:  renderProbe(5, 1),
		LivenessProbe:   renderProbe(10, 5),
		ImagePullPolicy: s.pullPolicy(),
		SecurityContext: s.containerSecurityContext(),
	}
}

// renderArgs names the model and the names by which clients ask for it, since requests
// are rendered as they come.
func renderArgs(s *Stack) []string {
	a := &args{flags: s.Line.VLLM.Flags, list: []string{s.Spec.Model.Name}}
	a.add("port", renderPort)
	if names := s.Spec.Model.ServedNames; len(names) > 0 {
		a.list = append(a.list, "--"+a.flags["servedModelName"])
		a.list = append(a.list, names...)
	}
	return a.list
}

func renderProbe(period, failures int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:     corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/health", Port: intstr.FromString("http")}},
		PeriodSeconds:    period,
		FailureThreshold: failures,
	}
}

func renderResources() corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("8Gi")},
		Requests: corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse("1"),
			corev1.ResourceMemory: resource.MustParse("2Gi"),
		},
	}
}
