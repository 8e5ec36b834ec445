package server

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/release"
)

// sidecarContainerName is the name of the routing sidecar, as in llm-d's guides and charts.
const sidecarContainerName = "routing-proxy"

// sidecarResources are for a proxy that copies streams.
var sidecarResources = base.Amounts("100m", "128Mi", "")

// sidecarContainer is the routing sidecar: a native one, an init container that keeps
// running, so that it is there before the model server and ends after it (Kubernetes
// 1.29 and later). It listens on the pool's ports and sends on to the model server's.
func (s server) sidecarContainer() corev1.Container {
	spec := &s.Spec.KVTransfer.Sidecar
	return corev1.Container{
		Name:            sidecarContainerName,
		Image:           s.sidecarImage(),
		Args:            slices.Concat(s.sidecarArgs(), spec.Args),
		Ports:           s.sidecarPorts(),
		Env:             base.Env([]corev1.EnvVar{base.FieldEnv("POD_IP", "status.podIP")}, s.sidecarBootstrapEnv(), s.sidecarTracingEnv()),
		Resources:       base.Resources(spec.Resources, sidecarResources),
		VolumeMounts:    s.certMounts(),
		RestartPolicy:   new(corev1.ContainerRestartPolicyAlways),
		ImagePullPolicy: s.PullPolicy(),
		SecurityContext: s.sidecarSecurityContext(),
	}
}

func (s server) sidecarImage() string {
	return cmp.Or(s.Spec.KVTransfer.Sidecar.Image, s.Line.Images.Sidecar)
}

// sidecarBootstrapEnv says where prefill servers answer for their KV cache, where that is not
// the sidecar's own default (llm-d-router v0.10 pkg/sidecar/proxy/connector_sglang.go and
// options.go).
func (s server) sidecarBootstrapEnv() []corev1.EnvVar {
	name := map[string]string{"sglang": "SGLANG_BOOTSTRAP_PORT", "mooncake": "MOONCAKE_BOOTSTRAP_PORT"}[s.Connector()]
	if port := s.Spec.KVTransfer.BootstrapPort; name != "" && port != sidecarBootstrapPort {
		return []corev1.EnvVar{{Name: name, Value: args.Text(port)}}
	}
	return nil
}

const sidecarBootstrapPort = 8998

// sidecarTracingEnv says where the sidecar's traces go: without the exporter's name they
// are written to its standard output.
func (s server) sidecarTracingEnv() []corev1.EnvVar {
	vars := s.TracingEnv(sidecarContainerName)
	if len(vars) > 0 {
		vars = append(vars, corev1.EnvVar{Name: "OTEL_TRACES_EXPORTER", Value: "otlp"})
	}
	return vars
}

// sidecarArgs are compared with the modelservice chart 0.4.12 in meaning: that one writes
// --connector and --vllm-port, which llm-d-router v0.10 has removed or deprecated, and
// debug logs.
func (s server) sidecarArgs() []string {
	spec := &s.Spec.KVTransfer.Sidecar
	a := &args.List{Flags: s.Line.Sidecar.Flags, Image: release.OfImage(s.sidecarImage())}
	a.Add("port", s.Spec.Server.Port)
	a.Add("modelServerPort", s.ModelServerPort())
	a.Add("connector", s.Line.Sidecar.Connectors[s.Connector()])
	if s.Spec.Encode != nil {
		a.Add("ecConnector", s.Line.Sidecar.ECConnectors[s.Spec.ECTransfer.Connector])
	}
	a.Add("secureProxy", s.ServesTLS())
	s.sidecarTLSArgs(a)
	if ports := s.PortCount(); ports > 1 {
		a.Add("dataParallelSize", ports)
	}
	if m := s.Spec.Monitoring; m != nil && m.Tracing != nil {
		a.Add("tracing", true)
	}
	if spec.EnablePrefillerSampling {
		a.Add("prefillerSampling", true)
	}
	args.AddIf(a, "verbosity", spec.Verbosity)
	a.Extra(s.Line.Sidecar.ExtraFlags)
	return a.Items
}

func (s server) sidecarPorts() []corev1.ContainerPort {
	ports := []corev1.ContainerPort{containerPort(base.SidecarPortName, s.Spec.Server.Port)}
	for rank := int32(1); rank < s.PortCount(); rank++ {
		ports = append(ports, containerPort(base.SidecarPortName+"-"+args.Text(rank), s.Spec.Server.Port+rank))
	}
	return ports
}

// sidecarSecurityContext takes root away again where the accelerator's pod has it.
func (s server) sidecarSecurityContext() *corev1.SecurityContext {
	context := s.ContainerSecurityContext()
	if s.accelerator().root {
		pod := s.PodSecurityContext()
		context.RunAsNonRoot, context.RunAsUser = pod.RunAsNonRoot, pod.RunAsUser
	}
	return context
}
