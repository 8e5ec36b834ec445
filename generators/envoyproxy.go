package generators

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Files of the standalone proxy.
const (
	envoyConfigDir = "/etc/envoy"
	envoyConfigKey = "envoy.yaml"
)

// envoyProxy makes the standalone proxies.
func envoyProxy(s *Stack) []Object {
	var objects []Object
	for _, f := range s.fronts() {
		if f.standalone() {
			config := f.envoyConfigMap()
			objects = append(objects, config, f.envoyDeployment(config.Data[envoyConfigKey]), f.envoyService())
		}
	}
	return objects
}

// envoyComponent sets the pods of a further proxy apart from those of the first.
func (f front) envoyComponent() string { return componentProxy + f.suffix }

func (f front) envoyMeta(name string) metav1.ObjectMeta {
	meta := f.metaIn(f.gatewayNamespace(), f.envoyComponent(), name)
	meta.Labels = joined(f.gw.Labels, meta.Labels)
	return meta
}

func (f front) envoyConfigName() string { return derived(f.gatewayName(), "config", maxLabel) }

func (f front) envoyConfigMap() *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: f.envoyMeta(f.envoyConfigName()),
		Data:       map[string]string{envoyConfigKey: f.envoyConfig()},
	}
}

func (f front) envoyService() *corev1.Service {
	meta := f.envoyMeta(f.gatewayName())
	meta.Annotations = joined(f.gw.Annotations)
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: meta,
		Spec: corev1.ServiceSpec{
			Type:     corev1.ServiceType(cmp.Or(f.gw.ServiceType, string(corev1.ServiceTypeClusterIP))),
			Selector: f.selector(f.envoyComponent()),
			Ports: []corev1.ServicePort{{
				Name:       "http",
				Protocol:   corev1.ProtocolTCP,
				Port:       f.gw.Envoy.ServicePort,
				TargetPort: intstr.FromString("http"),
			}},
		},
	}
}

func (f front) envoyDeployment(config string) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: f.envoyMeta(f.gatewayName()),
		Spec: appsv1.DeploymentSpec{
			Replicas: f.envoyReplicas(),
			Selector: &metav1.LabelSelector{MatchLabels: f.selector(f.envoyComponent())},
			Strategy: appsv1.DeploymentStrategy{
				Type:          appsv1.RollingUpdateDeploymentStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxUnavailable: new(intstr.FromInt32(0))},
			},
			Template: f.envoyPod(config),
		},
	}
}

// envoyReplicas defaults to two, so that a node can be drained without an outage.
func (f front) envoyReplicas() *int32 {
	if f.gw.Replicas != nil {
		return new(*f.gw.Replicas)
	}
	return new(int32(2))
}

func (f front) envoyPod(config string) corev1.PodTemplateSpec {
	sum := sha256.Sum256([]byte(config))
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      f.labels(f.envoyComponent()),
			Annotations: map[string]string{checksumAnnotation: hex.EncodeToString(sum[:])},
		},
		Spec: corev1.PodSpec{
			AutomountServiceAccountToken:  new(false),
			TerminationGracePeriodSeconds: new(f.envoyDrain() + envoyEndSeconds),
			ImagePullSecrets:              f.pullSecrets(),
			SecurityContext:               f.envoySecurityContext(),
			TopologySpreadConstraints: []corev1.TopologySpreadConstraint{{
				MaxSkew:           1,
				TopologyKey:       corev1.LabelHostname,
				WhenUnsatisfiable: corev1.ScheduleAnyway,
				LabelSelector:     &metav1.LabelSelector{MatchLabels: f.selector(f.envoyComponent())},
			}},
			Containers: []corev1.Container{f.envoyContainer()},
			Volumes: []corev1.Volume{{
				Name: "config",
				VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
					LocalObjectReference: corev1.LocalObjectReference{Name: f.envoyConfigName()},
				}},
			}},
		},
	}
}

// envoySecurityContext lets a process that is not root listen on a port below 1024.
func (f front) envoySecurityContext() *corev1.PodSecurityContext {
	context := f.podSecurityContext()
	if f.gw.Envoy.ListenPort < 1024 || f.gw.Envoy.AdminPort < 1024 {
		context.Sysctls = lowPorts()
	}
	return context
}

// envoyWorkers are the proxy's threads where nothing bounds its processors.
const envoyWorkers = 4

// envoyConcurrency is the number of worker threads: the one that is asked for, or as many
// as the container may use processors, where that is bounded. Envoy would start one for
// each of the node's, a hundred or more on a GPU node, each with connections of its own to
// EPP and servers.
func (f front) envoyConcurrency() []string {
	workers := int64(envoyWorkers)
	if f.gw.Resources != nil {
		if limit, ok := f.gw.Resources.Limits["cpu"]; ok {
			workers = max(1, limit.Value())
		}
	}
	if n := f.gw.Envoy.Concurrency; n != nil {
		workers = int64(*n)
	}
	return []string{"--concurrency", strconv.FormatInt(workers, 10)}
}
