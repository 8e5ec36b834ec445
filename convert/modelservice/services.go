package modelservice

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
)

// services are those of each role, where the base configuration has one.
func (m *service) services(b *base) {
	if b.decodeService != nil {
		m.roleService("decode", b.decodeService)
	}
	if b.prefillService != nil && m.spec.Prefill != nil {
		m.roleService("prefill", b.prefillService)
	}
}

func (m *service) roleService(role string, svc *corev1.Service) {
	to, name := "spec."+role+".service", role+"Service"
	m.Set(to+".name", serviceName(m.Doc.Name, role), fromBase)
	server := cmp.Or(m.Text("spec.server.port"), "8000")
	main := mainPort(svc.Spec.Ports, server)
	for i := range svc.Spec.Ports {
		p := &svc.Spec.Ports[i]
		switch {
		case i == main:
			if text(p.Port) != server {
				m.Set(to+".port", p.Port, fromBase)
			}
			m.target(role, p)
			if p.Name != "" && p.Name != "http" {
				m.On(to, fromBase).Note("the port %s of %s is called http in every stack", p.Name, name)
			}
		case sideChannel(p):
			m.On(to, fromBase).Dropped().Note("port %d of %s is left out: NIXL's side channel is reached at the address of the pod", p.Port, name)
		default:
			m.Lost(fromBase, "port %d of %s; the Service of a role has the servers' port alone", p.Port, name)
		}
	}
	if svc.Spec.Type != "" {
		m.Set(to+".type", string(svc.Spec.Type), fromBase)
	}
	if svc.Spec.ClusterIP == corev1.ClusterIPNone {
		m.On(to, fromBase).Note("no longer headless: it has a cluster IP of its own")
	}
	m.serviceRest(to, name, svc)
}

// appProtocols are those of the ports that a stack's Services have.
var appProtocols = []string{"http", "http2", "grpc", "kubernetes.io/h2c"}

// target is where a Service's port leads, which in a stack is always the port on which
// clients reach the servers.
func (m *service) target(role string, p *corev1.ServicePort) {
	name, server := role+"Service", cmp.Or(m.Text("spec.server.port"), "8000")
	if n := p.TargetPort.IntValue(); n != 0 && text(n) != server {
		m.Lost(fromBase, "target port %d of %s; the servers listen on %s", n, name, server)
	}
	m.detail(name, p)
}

// detail is what a port says beside its number and its target.
func (m *service) detail(name string, p *corev1.ServicePort) {
	if p.Protocol != "" && p.Protocol != corev1.ProtocolTCP {
		m.Lost(fromBase, "protocol %s of port %d of %s; a stack's Services speak TCP", p.Protocol, p.Port, name)
	}
	if p.AppProtocol != nil && !slices.Contains(appProtocols, *p.AppProtocol) {
		m.Lost(fromBase, "appProtocol %s of port %d of %s; the stack says what it speaks", *p.AppProtocol, p.Port, name)
	} else if p.AppProtocol != nil {
		m.On("spec", fromBase).Dropped().Note("appProtocol %s of port %d of %s is left out: the stack writes its own", *p.AppProtocol, p.Port, name)
	}
	if p.NodePort != 0 {
		m.Lost(fromBase, "node port %d of %s", p.NodePort, name)
	}
}

// serviceRest is what a Service says beside its ports and its type.
func (m *service) serviceRest(to, name string, svc *corev1.Service) {
	rest := svc.Spec.DeepCopy()
	if len(rest.Selector) > 0 {
		m.On(to, fromBase).Dropped().Note("the selector of %s is left out: the Service selects by the labels of the stack", name)
	}
	rest.Selector, rest.Ports, rest.Type = nil, nil, ""
	if rest.ClusterIP == corev1.ClusterIPNone {
		rest.ClusterIP, rest.ClusterIPs = "", nil
	}
	m.unsaid(name, rest)
}

// mainPort is the port that leads to the servers: the one of their number, or the first
// that is not NIXL's.
func mainPort(ports []corev1.ServicePort, server string) int {
	first := -1
	for i := range ports {
		p := &ports[i]
		if text(p.Port) == server || text(p.TargetPort.IntValue()) == server {
			return i
		}
		if first < 0 && !sideChannel(p) {
			first = i
		}
	}
	return first
}

func sideChannel(p *corev1.ServicePort) bool { return strings.Contains(p.Name, "nixl") }

// eppService is the EPP's Service, which has ports for ext_proc and for metrics.
func (m *service) eppService(svc *corev1.Service) {
	const to, name = "spec.scheduler", "eppService"
	if svc.Spec.Type != "" {
		m.Set(to+".serviceType", string(svc.Spec.Type), fromBase)
	}
	for i := range svc.Spec.Ports {
		p := &svc.Spec.Ports[i]
		target := draft.Unless(p.TargetPort.IntValue(), int(p.Port))
		switch {
		case target == 9002 || p.Name == "grpc" || len(svc.Spec.Ports) == 1:
			m.Set(to+".port", p.Port, fromBase)
			if target != 9002 && p.TargetPort.IntValue() != 0 {
				m.On(to, fromBase).Warn("target port %d of eppService: the EPP of a stack listens on 9002", target)
			}
		case target == 9090 && p.Port == 9090:
		default:
			m.Lost(fromBase, "port %d of %s; the EPP's Service has ports for ext_proc and metrics", p.Port, name)
		}
		m.detail(name, p)
	}
	m.serviceRest(to, name, svc)
}
