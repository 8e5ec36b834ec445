package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"istio.io/api/label"
	"istio.io/istio/pkg/ptr"
)

// surroundings are the objects that a cluster with Istio has and no manifest brings: namespaces, the built-in
// GatewayClass, and per Gateway the Service that Istio's deployment controller makes, with one ready proxy behind it.
func surroundings(m *Manifests) []runtime.Object {
	objects := []runtime.Object{&gwapiv1.GatewayClass{
		ObjectMeta: metav1.ObjectMeta{Name: "istio"},
		Spec:       gwapiv1.GatewayClassSpec{ControllerName: "istio.io/gateway-controller"},
	}}
	for name, missing := range m.namespaces {
		if missing {
			objects = append(objects, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
				Name: name, Labels: map[string]string{corev1.LabelMetadataName: name},
			}})
		}
	}
	for i, gateway := range m.gateways {
		if gateway.Spec.GatewayClassName == "istio" && len(gateway.Spec.Addresses) == 0 {
			service := gatewayService(gateway, i)
			objects = append(objects, service, gatewayEndpoints(service))
		}
	}
	return objects
}

// gatewayService is the Service as pilot's manifests/charts kube-gateway template makes it: <gateway>-<class>.
func gatewayService(gateway *gwapiv1.Gateway, index int) *corev1.Service {
	ports := []corev1.ServicePort{{Name: "status-port", Port: 15021, Protocol: corev1.ProtocolTCP}}
	seen := map[int32]bool{}
	for _, listener := range gateway.Spec.Listeners {
		port := int32(listener.Port)
		if !seen[port] {
			seen[port] = true
			ports = append(ports, corev1.ServicePort{Name: fmt.Sprintf("http-%d", port), Port: port, Protocol: corev1.ProtocolTCP})
		}
	}
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Name: gateway.Name + "-istio", Namespace: gateway.Namespace, Labels: proxyLabels(gateway),
		},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeLoadBalancer, ClusterIP: fmt.Sprintf("10.0.1.%d", index+1),
			Selector: proxyLabels(gateway), Ports: ports,
		},
		Status: corev1.ServiceStatus{LoadBalancer: corev1.LoadBalancerStatus{
			Ingress: []corev1.LoadBalancerIngress{{IP: fmt.Sprintf("192.0.2.%d", index+1)}},
		}},
	}
}

func gatewayEndpoints(service *corev1.Service) *discoveryv1.EndpointSlice {
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Name: service.Name + "-1", Namespace: service.Namespace,
			Labels: map[string]string{discoveryv1.LabelServiceName: service.Name},
		},
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"198.51.100.1"}, Conditions: discoveryv1.EndpointConditions{Ready: ptr.Of(true)}}},
	}
	for _, port := range service.Spec.Ports {
		slice.Ports = append(slice.Ports, discoveryv1.EndpointPort{Name: &port.Name, Port: &port.Port, Protocol: &port.Protocol})
	}
	return slice
}

func proxyLabels(gateway *gwapiv1.Gateway) map[string]string {
	return map[string]string{label.IoK8sNetworkingGatewayGatewayName.Name: gateway.Name}
}
