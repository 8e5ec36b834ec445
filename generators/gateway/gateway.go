// Package gateway makes the Gateways of a stack, the routes and the grants for them.
package gateway

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
)

// Objects makes the Gateways, and what configures their proxies.
func Objects(s *base.Stack) []base.Object {
	var objects []base.Object
	for _, f := range fronts(s) {
		if f.Standalone() {
			continue
		}
		if !f.Gateway.Existing {
			objects = append(objects, f.parameters()...)
			objects = append(objects, f.gateway())
		}
	}
	return append(objects, policies(s)...)
}

func (f front) gateway() *gwapiv1.Gateway {
	return &gwapiv1.Gateway{
		TypeMeta: metav1.TypeMeta{APIVersion: gwapiv1.GroupVersion.String(), Kind: "Gateway"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        f.GatewayName(),
			Namespace:   f.GatewayNamespace(),
			Labels:      f.labels(),
			Annotations: f.annotations(),
		},
		Spec: gwapiv1.GatewaySpec{
			GatewayClassName: gwapiv1.ObjectName(f.Gateway.GatewayClassName()),
			Listeners:        f.listeners(),
			Infrastructure:   f.infrastructure(),
		},
	}
}

// labels are the labels of the Gateway and what belongs to it.
func (f front) labels() map[string]string {
	labels := base.Joined(f.Gateway.Labels, f.Labels(base.ComponentGateway))
	if label := f.Gateway.Row().ExtProcLabel; label != "" && f.Native() {
		labels[label] = "true"
	}
	return labels
}

func (f front) annotations() map[string]string {
	if name := f.Gateway.Row().ServiceTypeAnnotation; name != "" && f.Gateway.ServiceType != "" && len(f.parameters()) == 0 {
		return base.Joined(f.Gateway.Annotations, map[string]string{name: f.Gateway.ServiceType})
	}
	return maps.Clone(f.Gateway.Annotations)
}

// infrastructure passes the user's labels and annotations on to the proxy's objects,
// and names the object that configures them. Istio passes on those of the Gateway by
// itself, and stops when infrastructure has some; GKE has no proxy in the cluster.
func (f front) infrastructure() *gwapiv1.GatewayInfrastructure {
	in := gwapiv1.GatewayInfrastructure{ParametersRef: f.parametersRef()}
	if f.Gateway.Row().Infrastructure {
		in.Labels = infrastructureMeta[gwapiv1.LabelKey, gwapiv1.LabelValue](f.Gateway.Labels)
		in.Annotations = infrastructureMeta[gwapiv1.AnnotationKey, gwapiv1.AnnotationValue](f.Gateway.Annotations)
	}
	if in.ParametersRef == nil && len(in.Labels) == 0 && len(in.Annotations) == 0 {
		return nil
	}
	return &in
}

func infrastructureMeta[K, V ~string](in map[string]string) map[K]V {
	if len(in) == 0 {
		return nil
	}
	out := make(map[K]V, len(in))
	for k, v := range in {
		out[K(k)] = V(v)
	}
	return out
}

// listeners writes every field that the API server would default, so that what is
// applied is what is stored.
func (f front) listeners() (out []gwapiv1.Listener) {
	listeners := f.Gateway.Listeners
	if len(listeners) == 0 {
		listeners = []schema.Listener{{Name: "default", Port: 80, Protocol: "HTTP"}}
	}
	for _, l := range listeners {
		listener := gwapiv1.Listener{
			Name:          gwapiv1.SectionName(l.Name),
			Port:          gwapiv1.PortNumber(l.Port),
			Protocol:      gwapiv1.ProtocolType(l.Protocol),
			TLS:           f.listenerTLS(l),
			AllowedRoutes: &gwapiv1.AllowedRoutes{Namespaces: f.allowedNamespaces()},
		}
		if l.Hostname != "" {
			listener.Hostname = new(gwapiv1.Hostname(l.Hostname))
		}
		out = append(out, listener)
	}
	return out
}

func (f front) listenerTLS(l schema.Listener) *gwapiv1.ListenerTLSConfig {
	if l.Protocol != "HTTPS" {
		return nil
	}
	secret := gwapiv1.SecretObjectReference{
		Group: new(gwapiv1.Group("")),
		Kind:  new(gwapiv1.Kind("Secret")),
		Name:  gwapiv1.ObjectName(l.TLSSecret),
	}
	if l.TLSSecretNamespace != "" && l.TLSSecretNamespace != f.GatewayNamespace() {
		secret.Namespace = new(gwapiv1.Namespace(l.TLSSecretNamespace))
	}
	return &gwapiv1.ListenerTLSConfig{
		Mode:            new(gwapiv1.TLSModeTerminate),
		CertificateRefs: []gwapiv1.SecretObjectReference{secret},
	}
}

// A front is one of the stack's gateways, as this package sees it.
type front struct{ base.Front }

func fronts(s *base.Stack) []front {
	return lists.Map(s.Fronts(), func(f base.Front) front { return front{f} })
}
