package admission

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// service judges a Service (kubernetes pkg/apis/core/validation, ValidateService).
func (j *judge) service(at *field.Path, s *corev1.ServiceSpec) {
	oneOf(j, at.Child("type"), s.Type, corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeExternalName)
	oneOf(j, at.Child("sessionAffinity"), s.SessionAffinity, corev1.ServiceAffinityNone, corev1.ServiceAffinityClientIP)
	headless := s.ClusterIP == corev1.ClusterIPNone
	external := s.Type == corev1.ServiceTypeNodePort || s.Type == corev1.ServiceTypeLoadBalancer
	switch {
	case s.Type == corev1.ServiceTypeExternalName:
		if s.ExternalName == "" {
			j.missing(at.Child("externalName"))
		}
		if s.ClusterIP != "" {
			j.bad(at.Child("clusterIP"), "must be left out with type ExternalName")
		}
	case len(s.Ports) == 0 && !headless:
		j.missing(at.Child("ports"))
	}
	if headless && external {
		j.bad(at.Child("clusterIP"), "must not be None with type %s", s.Type)
	}
	if s.ExternalTrafficPolicy != "" && !external && len(s.ExternalIPs) == 0 {
		j.bad(at.Child("externalTrafficPolicy"), "must be left out unless the type is NodePort or LoadBalancer")
	}
	names, numbers := map[string]bool{}, map[string]bool{}
	for i := range s.Ports {
		p, at := &s.Ports[i], at.Child("ports").Index(i)
		j.servicePort(at, p, len(s.Ports) > 1)
		if p.NodePort != 0 && !external && s.Type != corev1.ServiceTypeExternalName {
			j.bad(at.Child("nodePort"), "must be left out unless the type is NodePort or LoadBalancer")
		}
		if p.Name != "" && names[p.Name] {
			j.bad(at.Child("name"), "%s is there twice", p.Name)
		}
		number := fmt.Sprintf("%d/%s", p.Port, protocolOf(p.Protocol))
		if numbers[number] {
			j.bad(at, "%s is there twice", number)
		}
		names[p.Name], numbers[number] = true, true
	}
}

func (j *judge) servicePort(at *field.Path, p *corev1.ServicePort, several bool) {
	if several && p.Name == "" {
		j.missing(at.Child("name"))
	}
	j.optional(at.Child("name"), p.Name, dnsLabel)
	j.port(at.Child("port"), p.Port)
	oneOf(j, at.Child("protocol"), p.Protocol, corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP)
	if p.TargetPort != (intstr.IntOrString{}) && p.TargetPort != intstr.FromString("") {
		j.portOrName(at.Child("targetPort"), p.TargetPort)
	}
}

// protocolOf is a port's protocol, which is TCP unless it says another.
func protocolOf(p corev1.Protocol) corev1.Protocol {
	if p == "" {
		return corev1.ProtocolTCP
	}
	return p
}
