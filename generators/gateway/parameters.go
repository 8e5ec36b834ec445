package gateway

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/internal/apis"
	"github.com/inferstack/inferstack/internal/imageref"
)

// parametersName is the name of the object that configures the gateway's proxy.
func (f front) parametersName() string {
	return base.Derived(f.GatewayName(), "options", base.MaxLabel)
}

// parametersRef names the object that parameters makes, and is nil without one.
func (f front) parametersRef() *gwapiv1.LocalParametersReference {
	if len(f.parameters()) == 0 {
		return nil
	}
	of := f.Gateway.Row().Parameters
	return &gwapiv1.LocalParametersReference{Group: gwapiv1.Group(of.Group), Kind: gwapiv1.Kind(of.Kind), Name: f.parametersName()}
}

// parameters makes the object that configures the gateway's proxy, where the spec says
// anything on it and the class has one.
func (f front) parameters() []base.Object {
	configure := makers[f.Gateway.Class].parameters
	if configure == nil || f.Gateway.ServiceType == "" && f.Gateway.Replicas == nil && f.Gateway.Image == "" && f.Gateway.Resources == nil {
		return nil
	}
	return configure(f, metav1.ObjectMeta{
		Name:      f.parametersName(),
		Namespace: f.GatewayNamespace(),
		Labels:    f.Labels(base.ComponentGateway),
	})
}

// istioOptions is the ConfigMap whose fragments Istio merges into the objects it makes
// for the Gateway (istio.io, Gateway API, automated deployment).
func (f front) istioOptions(meta metav1.ObjectMeta) []base.Object {
	if !f.Gateway.Istio.HasGatewayOptions() {
		return nil
	}
	options := &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: meta,
		Data:       map[string]string{},
	}
	deployment := map[string]any{}
	if f.Gateway.Replicas != nil {
		deployment["replicas"] = *f.Gateway.Replicas
	}
	if container := f.istioContainer(); container != nil {
		deployment["template"] = map[string]any{"spec": map[string]any{"containers": []any{container}}}
	}
	if len(deployment) > 0 {
		options.Data["deployment"] = fragment(map[string]any{"spec": deployment})
	}
	if f.Gateway.ServiceType != "" {
		options.Data["service"] = fragment(map[string]any{"spec": map[string]any{"type": f.Gateway.ServiceType}})
	}
	return []base.Object{options}
}

// istioContainer is the patch of the proxy's container, or nil.
func (f front) istioContainer() map[string]any {
	if f.Gateway.Image == "" && f.Gateway.Resources == nil {
		return nil
	}
	container := map[string]any{"name": "istio-proxy"}
	if f.Gateway.Image != "" {
		container["image"] = f.Gateway.Image
	}
	if f.Gateway.Resources != nil {
		container["resources"] = f.proxyResources()
	}
	return container
}

// fragment writes a patch as YAML with sorted keys.
func fragment(patch map[string]any) string {
	data, err := yaml.Marshal(patch)
	if err != nil {
		panic(err) // maps of plain values marshal
	}
	return string(data)
}

func (f front) kgatewayParameters(meta metav1.ObjectMeta) []base.Object {
	proxy := apis.KubeProxy{}
	if f.Gateway.Replicas != nil {
		proxy.Deployment = &apis.ProxyDeployment{Replicas: new(*f.Gateway.Replicas)}
	}
	if f.Gateway.Image != "" || f.Gateway.Resources != nil {
		proxy.EnvoyContainer = &apis.EnvoyContainer{Image: imageParts(f.Gateway.Image), Resources: f.proxyResources()}
	}
	if f.Gateway.ServiceType != "" {
		proxy.Service = &apis.ProxyService{Type: f.Gateway.ServiceType}
	}
	return []base.Object{&apis.GatewayParameters{
		TypeMeta:   metav1.TypeMeta{APIVersion: "gateway.kgateway.dev/v1alpha1", Kind: "GatewayParameters"},
		ObjectMeta: meta,
		Spec:       apis.GatewayParametersSpec{Kube: proxy},
	}}
}

func (f front) agentgatewayParameters(meta metav1.ObjectMeta) []base.Object {
	spec := apis.AgentgatewayParametersSpec{Image: imageParts(f.Gateway.Image), Resources: f.proxyResources()}
	if f.Gateway.Replicas != nil {
		spec.Deployment = &apis.Overlay{Spec: apis.OverlaySpec{Replicas: new(*f.Gateway.Replicas)}}
	}
	if f.Gateway.ServiceType != "" {
		spec.Service = &apis.Overlay{Spec: apis.OverlaySpec{Type: f.Gateway.ServiceType}}
	}
	return []base.Object{&apis.AgentgatewayParameters{
		TypeMeta:   metav1.TypeMeta{APIVersion: "agentgateway.dev/v1alpha1", Kind: "AgentgatewayParameters"},
		ObjectMeta: meta,
		Spec:       spec,
	}}
}

func (f front) proxyResources() *corev1.ResourceRequirements {
	if f.Gateway.Resources == nil {
		return nil
	}
	return new(base.Resources(f.Gateway.Resources, corev1.ResourceRequirements{}))
}

// imageParts takes an image reference apart as kgateway wants it.
func imageParts(image string) *apis.Image {
	if image == "" {
		return nil
	}
	return new(apis.Image(imageref.Parse(image)))
}
