package pods

import (
	"cmp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// numbered puts the numbers of the container's ports in the place of their names in its
// probes and hooks: the generated container names its ports in its own way.
func numbered(c *corev1.Container) {
	number := func(port *intstr.IntOrString) {
		i := slices.IndexFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.Name == port.StrVal })
		if port.Type == intstr.String && i >= 0 {
			*port = intstr.FromInt32(c.Ports[i].ContainerPort)
		}
	}
	handler := func(get *corev1.HTTPGetAction, socket *corev1.TCPSocketAction) {
		if get != nil {
			number(&get.Port)
		}
		if socket != nil {
			number(&socket.Port)
		}
	}
	for _, probe := range []**corev1.Probe{&c.StartupProbe, &c.ReadinessProbe, &c.LivenessProbe} {
		if *probe != nil {
			*probe = (*probe).DeepCopy()
			handler((*probe).HTTPGet, (*probe).TCPSocket)
		}
	}
	if c.Lifecycle == nil {
		return
	}
	c.Lifecycle = c.Lifecycle.DeepCopy()
	for _, hook := range []*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
		if hook != nil {
			handler(hook.HTTPGet, hook.TCPSocket)
		}
	}
}

// serving are the ports on which a stack's servers answer: the one that clients reach, and
// the one behind the sidecar.
func (s *Servers) serving() []string {
	return []string{
		cmp.Or(s.Text("spec.server.port"), strconv.Itoa(defaultPort)),
		cmp.Or(s.Text("spec.server.sidecarTargetPort"), strconv.Itoa(defaultBehind)),
	}
}

// asksServer reports whether a probe asks the model server, whose port follows from the
// stack. A name that no port of the container has is taken for it.
func (s *Servers) asksServer(p *corev1.Probe) bool {
	port := p.HTTPGet.Port
	return port.Type == intstr.String || port.IntVal == 0 || slices.Contains(s.serving(), port.String())
}
