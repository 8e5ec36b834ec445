// Package envoyproxy makes the standalone proxy, which stands in for a Gateway.
package envoyproxy

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/generators/base"
)

// Files of the standalone proxy.
const (
	configDir = "/etc/envoy"
	configKey = "envoy.yaml"
)

// Objects makes the standalone proxies.
func Objects(s *base.Stack) (objects []base.Object) {
	for _, each := range s.Fronts() {
		if f := (proxy{each}); f.Standalone() {
			config := f.configMap()
			objects = append(objects, config, f.deployment(config.Data[configKey]), f.service())
		}
	}
	return objects
}

// Component sets the pods of a further proxy apart from those of the first.
func Component(f base.Front) string { return base.ComponentProxy + f.Suffix }

func Meta(f base.Front, name string) metav1.ObjectMeta {
	meta := f.MetaIn(f.GatewayNamespace(), Component(f), name)
	meta.Labels = base.Joined(f.Gateway.Labels, meta.Labels)
	return meta
}

func (f proxy) configName() string { return base.Derived(f.GatewayName(), "config", base.MaxLabel) }

func (f proxy) configMap() *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: Meta(f.Front, f.configName()),
		Data:       map[string]string{configKey: f.config()},
	}
}

func (f proxy) service() *corev1.Service {
	meta := Meta(f.Front, f.GatewayName())
	meta.Annotations = base.Joined(f.Gateway.Annotations)
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: meta,
		Spec: corev1.ServiceSpec{
			Type:     corev1.ServiceType(cmp.Or(f.Gateway.ServiceType, string(corev1.ServiceTypeClusterIP))),
			Selector: f.Selector(Component(f.Front)),
			Ports: []corev1.ServicePort{{
				Name:       "http",
				Protocol:   corev1.ProtocolTCP,
				Port:       f.Gateway.Envoy.ServicePort,
				TargetPort: intstr.FromString("http"),
			}},
		},
	}
}

func (f proxy) deployment(config string) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: Meta(f.Front, f.GatewayName()),
		Spec: appsv1.DeploymentSpec{
			Replicas: f.replicas(),
			Selector: &metav1.LabelSelector{MatchLabels: f.Selector(Component(f.Front))},
			Strategy: appsv1.DeploymentStrategy{
				Type:          appsv1.RollingUpdateDeploymentStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxUnavailable: new(intstr.FromInt32(0))},
			},
			Template: f.pod(config),
		},
	}
}

// replicas defaults to two, so that a node can be drained without an outage.
func (f proxy) replicas() *int32 {
	if f.Gateway.Replicas != nil {
		return new(*f.Gateway.Replicas)
	}
	return new(int32(2))
}

func (f proxy) pod(config string) corev1.PodTemplateSpec {
	sum := sha256.Sum256([]byte(config))
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      f.Labels(Component(f.Front)),
			Annotations: map[string]string{base.ChecksumAnnotation: hex.EncodeToString(sum[:])},
		},
		Spec: corev1.PodSpec{
			AutomountServiceAccountToken:  new(false),
			TerminationGracePeriodSeconds: new(f.drain() + endSeconds),
			ImagePullSecrets:              f.PullSecrets(),
			SecurityContext:               f.securityContext(),
			TopologySpreadConstraints: []corev1.TopologySpreadConstraint{{
				MaxSkew:           1,
				TopologyKey:       corev1.LabelHostname,
				WhenUnsatisfiable: corev1.ScheduleAnyway,
				LabelSelector:     &metav1.LabelSelector{MatchLabels: f.Selector(Component(f.Front))},
			}},
			Containers: []corev1.Container{f.container()},
			Volumes: []corev1.Volume{{
				Name: "config",
				VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
					LocalObjectReference: corev1.LocalObjectReference{Name: f.configName()},
				}},
			}},
		},
	}
}

// securityContext lets a process that is not root listen on a port below 1024.
func (f proxy) securityContext() *corev1.PodSecurityContext {
	context := f.PodSecurityContext()
	if f.Gateway.Envoy.ListenPort < 1024 || f.Gateway.Envoy.AdminPort < 1024 {
		context.Sysctls = base.LowPorts()
	}
	return context
}

// workers are the proxy's threads where nothing bounds its processors.
const workers = 4

// concurrency is the number of worker threads: the one that is asked for, or as many
// as the container may use processors, where that is bounded. Envoy would start one for
// each of the node's, a hundred or more on a GPU node, each with connections of its own to
// EPP and servers.
func (f proxy) concurrency() []string {
	workers := int64(workers)
	if f.Gateway.Resources != nil {
		if limit, ok := f.Gateway.Resources.Limits["cpu"]; ok {
			workers = max(1, limit.Value())
		}
	}
	if n := f.Gateway.Envoy.Concurrency; n != nil {
		workers = int64(*n)
	}
	return []string{"--concurrency", strconv.FormatInt(workers, 10)}
}

// A proxy is a gateway of the stack that is an Envoy of its own.
type proxy struct{ base.Front }
