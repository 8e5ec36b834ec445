package admission

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/inferstack/inferstack/internal/lists"
)

// A handler is what a probe or a hook of the lifecycle does.
type handler struct {
	exec      *corev1.ExecAction
	httpGet   *corev1.HTTPGetAction
	tcpSocket *corev1.TCPSocketAction
	grpc      *corev1.GRPCAction
	sleep     *corev1.SleepAction
}

// lives judges what a container is asked and told while it runs; init containers that end
// have none of it.
func (j *judge) lives(at *field.Path, c *corev1.Container, init bool) {
	sidecar := c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
	if init && !sidecar {
		j.endsAlone(at, c)
		return
	}
	j.probe(at.Child("livenessProbe"), c.LivenessProbe, true)
	j.probe(at.Child("startupProbe"), c.StartupProbe, true)
	j.probe(at.Child("readinessProbe"), c.ReadinessProbe, false)
	if p := c.ReadinessProbe; p != nil && p.TerminationGracePeriodSeconds != nil {
		j.bad(at.Child("readinessProbe").Child("terminationGracePeriodSeconds"), "has no meaning for a readiness probe; remove it")
	}
	if l := c.Lifecycle; l != nil {
		j.hook(at.Child("lifecycle").Child("postStart"), l.PostStart)
		j.hook(at.Child("lifecycle").Child("preStop"), l.PreStop)
		if l.StopSignal != nil {
			j.stopSignal(at.Child("lifecycle").Child("stopSignal"), *l.StopSignal)
		}
	}
}

func (j *judge) endsAlone(at *field.Path, c *corev1.Container) {
	for name, set := range map[string]bool{
		"lifecycle": c.Lifecycle != nil, "livenessProbe": c.LivenessProbe != nil,
		"readinessProbe": c.ReadinessProbe != nil, "startupProbe": c.StartupProbe != nil,
	} {
		if set {
			j.bad(at.Child(name), "needs restartPolicy: Always in an init container, which otherwise ends before the others start")
		}
	}
	for i, p := range c.ResizePolicy {
		if p.RestartPolicy == corev1.RestartContainer {
			j.bad(at.Child("resizePolicy").Index(i).Child("restartPolicy"), "must be NotRequired in an init container without restartPolicy: Always")
		}
	}
}

func (j *judge) probe(at *field.Path, p *corev1.Probe, once bool) {
	if p == nil {
		return
	}
	j.handler(at, handler{p.Exec, p.HTTPGet, p.TCPSocket, p.GRPC, nil}, "exec", "httpGet", "tcpSocket", "grpc")
	least(j, at.Child("initialDelaySeconds"), p.InitialDelaySeconds, 0)
	least(j, at.Child("timeoutSeconds"), p.TimeoutSeconds, 0)
	least(j, at.Child("periodSeconds"), p.PeriodSeconds, 0)
	least(j, at.Child("successThreshold"), p.SuccessThreshold, 0)
	least(j, at.Child("failureThreshold"), p.FailureThreshold, 0)
	if once && p.SuccessThreshold > 1 {
		j.bad(at.Child("successThreshold"), "must be 1 for liveness and startup probes (got %d)", p.SuccessThreshold)
	}
	if grace := p.TerminationGracePeriodSeconds; grace != nil {
		least(j, at.Child("terminationGracePeriodSeconds"), *grace, 1)
	}
}

func (j *judge) hook(at *field.Path, h *corev1.LifecycleHandler) {
	if h != nil {
		j.handler(at, handler{h.Exec, h.HTTPGet, h.TCPSocket, nil, h.Sleep}, "exec", "httpGet", "tcpSocket", "sleep")
	}
}

func (j *judge) handler(at *field.Path, h handler, names ...string) {
	set := map[string]bool{
		"exec": h.exec != nil, "httpGet": h.httpGet != nil, "tcpSocket": h.tcpSocket != nil, "grpc": h.grpc != nil, "sleep": h.sleep != nil,
	}
	there := lists.Map(names, func(name string) bool { return set[name] })
	j.members(at, names, there...)
	if h.exec != nil && len(h.exec.Command) == 0 {
		j.missing(at.Child("exec").Child("command"))
	}
	if get := h.httpGet; get != nil {
		at := at.Child("httpGet")
		j.portOrName(at.Child("port"), get.Port)
		oneOf(j, at.Child("scheme"), get.Scheme, corev1.URISchemeHTTP, corev1.URISchemeHTTPS)
		for i, header := range get.HTTPHeaders {
			j.text(at.Child("httpHeaders").Index(i).Child("name"), header.Name, headerName)
		}
	}
	if h.tcpSocket != nil {
		j.portOrName(at.Child("tcpSocket").Child("port"), h.tcpSocket.Port)
	}
	if h.grpc != nil {
		j.port(at.Child("grpc").Child("port"), h.grpc.Port)
	}
	if h.sleep != nil && h.sleep.Seconds < 0 {
		j.bad(at.Child("sleep").Child("seconds"), "must be at least 0 (got %d)", h.sleep.Seconds)
	}
}

// stopSignal needs the pod to say its operating system, which no field of a stack but a
// podTemplatePatch can.
func (j *judge) stopSignal(at *field.Path, signal corev1.Signal) {
	if !known(signals, string(signal)) {
		j.bad(at, "must be a signal of Linux such as SIGTERM (got %q)", signal)
	}
}
