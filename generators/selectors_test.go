package generators

import (
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// selectorsMatch checks what selects pods: a workload its own and no other's, everything
// else at least one.
func selectorsMatch(t *testing.T, s *base.Stack, objects []base.Object) {
	all := allPods(objects)
	for _, p := range all {
		if p.selector == nil {
			continue
		}
		if got := selected(all, p.namespace, p.selector); len(got) != 1 || got[0].workload != p.workload {
			t.Errorf("%s selects the pods of %d workloads", identity(p.workload), len(got))
		}
	}
	for _, o := range objects {
		switch o := o.(type) {
		case *corev1.Service:
			serviceSelects(t, s, o, all)
		case *policyv1.PodDisruptionBudget:
			about := map[base.Object]bool{}
			for _, p := range matching(t, all, o.Namespace, o.Spec.Selector) {
				about[p.workload] = true
			}
			if len(about) != 1 {
				t.Errorf("%s is about the pods of %d workloads", identity(o), len(about))
			}
		case *monitoringv1.PodMonitor:
			podMonitorSelects(t, s, o, all)
		case *monitoringv1.ServiceMonitor:
			serviceMonitorSelects(t, o, objects)
		case *networkingv1.NetworkPolicy:
			if len(matching(t, all, o.Namespace, &o.Spec.PodSelector)) == 0 {
				t.Errorf("%s selects no pods", identity(o))
			}
		}
	}
	if s.Spec.NetworkPolicy != nil {
		everyPodIsCovered(t, all, objects)
	}
}

func serviceSelects(t *testing.T, s *base.Stack, service *corev1.Service, all []pods) {
	if len(service.Spec.Selector) == 0 {
		return
	}
	targets := selected(all, service.Namespace, service.Spec.Selector)
	if len(targets) == 0 && s.Spec.Server.Create {
		t.Errorf("%s selects no pods", identity(service))
	}
	for _, p := range targets {
		for _, port := range service.Spec.Ports {
			if !p.serves(targetOf(port)) {
				t.Errorf("%s: port %d goes to %s, which %s does not serve", identity(service), port.Port, port.TargetPort.String(), identity(p.workload))
			}
		}
	}
}

// targetOf is the target port, which defaults to the port.
func targetOf(port corev1.ServicePort) intstr.IntOrString {
	if port.TargetPort == (intstr.IntOrString{}) {
		return intstr.FromInt32(port.Port)
	}
	return port.TargetPort
}

// podMonitorSelects wants every endpoint on some pod, and some endpoint on every pod.
func podMonitorSelects(t *testing.T, s *base.Stack, m *monitoringv1.PodMonitor, all []pods) {
	if !s.Spec.Server.Create {
		return
	}
	targets := selected(all, m.Namespace, m.Spec.Selector.MatchLabels)
	if len(targets) == 0 {
		t.Errorf("%s selects no pods", identity(m))
	}
	scraped := map[base.Object]bool{}
	for _, e := range m.Spec.PodMetricsEndpoints {
		found := false
		for _, p := range targets {
			if p.serves(intstr.FromString(*e.Port)) {
				found, scraped[p.workload] = true, true
			}
		}
		if !found {
			t.Errorf("%s: no pod has the port %s", identity(m), *e.Port)
		}
	}
	for _, p := range targets {
		if !scraped[p.workload] {
			t.Errorf("%s: no endpoint of %s", identity(m), identity(p.workload))
		}
	}
}

func serviceMonitorSelects(t *testing.T, m *monitoringv1.ServiceMonitor, objects []base.Object) {
	var targets []*corev1.Service
	for _, o := range objects {
		if service, ok := o.(*corev1.Service); ok && o.GetNamespace() == m.Namespace && stacktest.Has(o.GetLabels(), m.Spec.Selector.MatchLabels) {
			targets = append(targets, service)
		}
	}
	if len(targets) != 1 {
		t.Fatalf("%s selects %d Services", identity(m), len(targets))
	}
	for _, e := range m.Spec.Endpoints {
		found := false
		for _, p := range targets[0].Spec.Ports {
			found = found || p.Name == e.Port
		}
		if !found {
			t.Errorf("%s: Service %s has no port %s", identity(m), targets[0].Name, e.Port)
		}
		if a := e.Authorization; a != nil {
			needs(t, objects, m, "Secret", m.Namespace, a.Credentials.Name)
		}
	}
}

func matching(t *testing.T, all []pods, namespace string, selector *metav1.LabelSelector) []pods {
	t.Helper()
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	var out []pods
	for _, p := range all {
		if p.namespace == namespace && s.Matches(labels.Set(p.labels)) {
			out = append(out, p)
		}
	}
	return out
}

func everyPodIsCovered(t *testing.T, all []pods, objects []base.Object) {
	covered := map[*corev1.PodSpec]bool{}
	for _, o := range objects {
		if np, ok := o.(*networkingv1.NetworkPolicy); ok {
			for _, p := range matching(t, all, np.Namespace, &np.Spec.PodSelector) {
				covered[p.spec] = true
			}
		}
	}
	for _, p := range all {
		if !covered[p.spec] {
			t.Errorf("no NetworkPolicy for pods of %s", identity(p.workload))
		}
	}
}
