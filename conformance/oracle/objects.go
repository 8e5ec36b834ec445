package oracle

import (
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// name is one that an object may have, or may not.
func (m *maker) name() string {
	if m.odd() {
		return pick(m, anything[1:])
	}
	return pick(m, []string{"a", "a-b", "a1"})
}

// workload makes the fields of workloads around their pods.
func workload(m *maker) metav1.Object {
	replicas := int32(m.number(true))
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "d"}}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "a:1"}}}}
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "d"}}
	if m.odd() {
		selector = pick(m, []*metav1.LabelSelector{nil, {}})
	}
	meta := metav1.ObjectMeta{Name: m.name(), Namespace: "ns"}
	if m.chance(30) {
		s := &appsv1.StatefulSet{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"}, ObjectMeta: meta}
		s.Name = "s" // the pods' label takes 52 characters of it
		s.Spec.Replicas, s.Spec.Selector, s.Spec.Template, s.Spec.ServiceName = &replicas, selector, template, "s"
		s.Spec.PodManagementPolicy = pick(m, []appsv1.PodManagementPolicyType{"", appsv1.ParallelPodManagement, appsv1.OrderedReadyPodManagement, "parallel"})
		return s
	}
	d := &appsv1.Deployment{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}, ObjectMeta: meta}
	d.Spec.Replicas, d.Spec.Selector, d.Spec.Template = &replicas, selector, template
	d.Spec.Strategy.Type = pick(m, []appsv1.DeploymentStrategyType{"", appsv1.RecreateDeploymentStrategyType, appsv1.RollingUpdateDeploymentStrategyType, "Rolling"})
	d.Spec.MinReadySeconds = pick(m, []int32{0, 0, 10, -1})
	d.Spec.ProgressDeadlineSeconds = pick(m, []*int32{nil, nil, new(int32(600)), new(int32(10)), new(int32(0))})
	if m.chance(50) {
		d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: m.share(), MaxUnavailable: m.share()}
	}
	return d
}

// share is a number of pods or a part of them.
func (m *maker) share() *intstr.IntOrString {
	return pick(m, []*intstr.IntOrString{nil, new(intstr.FromInt32(0)), new(intstr.FromInt32(1)), new(intstr.FromString("0%")), new(intstr.FromString("50%")),
		new(intstr.FromString("150%")), new(intstr.FromString("1.5%")), new(intstr.FromString("half")), new(intstr.FromInt32(-1))})
}

func service(m *maker) metav1.Object {
	s := &corev1.Service{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}, ObjectMeta: metav1.ObjectMeta{Name: m.name(), Namespace: "ns"}}
	s.Spec.Type = pick(m, []corev1.ServiceType{"", corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeExternalName})
	if m.odd() {
		s.Spec.Type = "Ingress"
	}
	s.Spec.ClusterIP = pick(m, []string{"", "", "None"})
	s.Spec.ExternalName = pick(m, []string{"", "a.example.com"})
	s.Spec.SessionAffinity = pick(m, []corev1.ServiceAffinity{"", corev1.ServiceAffinityNone, corev1.ServiceAffinityClientIP})
	if s.Spec.Type != corev1.ServiceTypeLoadBalancer { // which gets a healthCheckNodePort then
		s.Spec.ExternalTrafficPolicy = pick(m, []corev1.ServiceExternalTrafficPolicy{"", "", "", corev1.ServiceExternalTrafficPolicyLocal})
	}
	for i := range m.IntN(3) {
		var p corev1.ServicePort
		m.value(reflect.ValueOf(&p).Elem(), "port", 0)
		p.NodePort, p.AppProtocol = pick(m, []int32{0, 0, 0, 30080 + int32(i)}), nil
		if !m.odd() {
			p.Name, p.Port = []string{"http", "metrics"}[i], max(1, p.Port)
		}
		s.Spec.Ports = append(s.Spec.Ports, p)
	}
	return s
}

func budget(m *maker) metav1.Object {
	b := &policyv1.PodDisruptionBudget{TypeMeta: metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"}, ObjectMeta: metav1.ObjectMeta{Name: m.name(), Namespace: "ns"}}
	b.Spec.MinAvailable = m.share()
	if b.Spec.MinAvailable == nil || m.odd() {
		b.Spec.MaxUnavailable = m.share()
	}
	b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
	return b
}
