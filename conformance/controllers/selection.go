package controllers

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	igwv1 "sigs.k8s.io/gateway-api-inference-extension/api/v1"

	"github.com/inferstack/inferstack/conformance/manifests"
)

// selectors requires that a workload's selector matches its own Pods and no other, and that a pool selects Pods that
// listen on its ports.
func (s *stack) selectors(t *testing.T) {
	t.Helper()
	for _, w := range s.workloads {
		selector, err := metav1.LabelSelectorAsSelector(&w.selector)
		if err != nil {
			t.Fatal(err)
		}
		matched, own := names(s.selected(t, w.namespace, selector)), names(s.ownedBy(t, w))
		if !slices.Equal(matched, own) {
			t.Errorf("%s %s selects %v and has %v", w.kind, w.name, matched, own)
		}
	}
	for _, object := range manifests.Of(s.objects, "InferencePool") {
		var pool igwv1.InferencePool
		convert(t, object, &pool)
		wanted := labels.Set{}
		for key, value := range pool.Spec.Selector.MatchLabels {
			wanted[string(key)] = string(value)
		}
		for _, pod := range s.selected(t, pool.Namespace, wanted.AsSelector()) {
			for _, port := range pool.Spec.TargetPorts {
				if !listens(pod, int32(port.Number)) {
					t.Errorf("pool %s selects Pod %s, which does not listen on %d", pool.Name, pod.Name, port.Number)
				}
			}
		}
	}
}

func (s *stack) selected(t *testing.T, namespace string, selector labels.Selector) []corev1.Pod {
	t.Helper()
	return slices.DeleteFunc(s.pods(t), func(pod corev1.Pod) bool {
		return pod.Namespace != namespace || !selector.Matches(labels.Set(pod.Labels))
	})
}

func names(pods []corev1.Pod) []string {
	var list []string
	for _, pod := range pods {
		list = append(list, pod.Name)
	}
	slices.Sort(list)
	return list
}

func containers(pod corev1.Pod) []corev1.Container {
	return append(slices.Clone(pod.Spec.InitContainers), pod.Spec.Containers...)
}

func listens(pod corev1.Pod, number int32) bool {
	for _, container := range containers(pod) {
		for _, port := range container.Ports {
			if port.ContainerPort == number {
				return true
			}
		}
	}
	return false
}

// endpoints requires of every Service that its EndpointSlices have all Pods that it selects, ready, at ports on which
// they listen. It returns how many Services there are.
func (s *stack) endpoints(t *testing.T) int {
	t.Helper()
	count := 0
	for _, object := range manifests.Of(s.objects, "Service") {
		var service corev1.Service
		convert(t, object, &service)
		if len(service.Spec.Selector) == 0 {
			continue
		}
		count++
		pods := s.selected(t, service.Namespace, labels.SelectorFromSet(service.Spec.Selector))
		if len(pods) == 0 && s.onlyLeaderWorkerSets() {
			continue
		}
		eventually(t, "the endpoints of Service "+service.Name, func() bool {
			return len(pods) > 0 && s.listed(t, service) == len(pods)
		})
		s.ports(t, service, pods)
	}
	return count
}

// onlyLeaderWorkerSets reports whether Pods of the example may be missing for want of a controller.
func (s *stack) onlyLeaderWorkerSets() bool {
	return len(manifests.Of(s.objects, "LeaderWorkerSet"))+len(manifests.Of(s.objects, "DisaggregatedSet")) > 0
}

func (s *stack) slices(t *testing.T, service corev1.Service) []discoveryv1.EndpointSlice {
	t.Helper()
	list, err := s.client.DiscoveryV1().EndpointSlices(service.Namespace).List(t.Context(), metav1.ListOptions{
		LabelSelector: discoveryv1.LabelServiceName + "=" + service.Name,
	})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}

// listed returns how many ready endpoints a Service has.
func (s *stack) listed(t *testing.T, service corev1.Service) int {
	t.Helper()
	count := 0
	for _, slice := range s.slices(t, service) {
		for _, endpoint := range slice.Endpoints {
			if endpoint.Conditions.Ready != nil && *endpoint.Conditions.Ready {
				count++
			}
		}
	}
	return count
}

// ports requires that each port of the Service is one on which its Pods listen.
func (s *stack) ports(t *testing.T, service corev1.Service, pods []corev1.Pod) {
	t.Helper()
	for _, slice := range s.slices(t, service) {
		if len(slice.Ports) != len(service.Spec.Ports) {
			t.Errorf("Service %s has %d ports, its endpoints %d", service.Name, len(service.Spec.Ports), len(slice.Ports))
		}
		for _, port := range slice.Ports {
			for _, pod := range pods {
				if !listens(pod, *port.Port) {
					t.Errorf("Service %s leads to port %d of Pod %s, which does not listen there", service.Name, *port.Port, pod.Name)
				}
			}
		}
	}
}

// budgets requires that each PodDisruptionBudget counts the Pods of one workload, all healthy, and lets one go where it
// says so. It returns how many there are.
func (s *stack) budgets(t *testing.T) int {
	t.Helper()
	list := manifests.Of(s.objects, "PodDisruptionBudget")
	for _, object := range list {
		var emitted policyv1.PodDisruptionBudget
		convert(t, object, &emitted)
		selector, err := metav1.LabelSelectorAsSelector(emitted.Spec.Selector)
		if err != nil {
			t.Fatal(err)
		}
		pods := len(s.selected(t, emitted.Namespace, selector))
		if pods == 0 && s.onlyLeaderWorkerSets() {
			continue
		}
		allowed := disruptions(t, emitted.Spec, pods)
		eventually(t, "PodDisruptionBudget "+emitted.Name, func() bool {
			live, err := s.client.PolicyV1().PodDisruptionBudgets(emitted.Namespace).Get(t.Context(), emitted.Name, metav1.GetOptions{})
			return err == nil && pods > 0 && int(live.Status.ExpectedPods) == pods && int(live.Status.CurrentHealthy) == pods &&
				int(live.Status.DisruptionsAllowed) == allowed
		})
	}
	return len(list)
}

// disruptions is how many Pods a budget lets go when all are healthy.
func disruptions(t *testing.T, spec policyv1.PodDisruptionBudgetSpec, pods int) int {
	t.Helper()
	bound, of := spec.MaxUnavailable, func(n int) int { return n }
	if spec.MinAvailable != nil {
		bound, of = spec.MinAvailable, func(n int) int { return max(0, pods-n) }
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(bound, pods, true)
	if err != nil {
		t.Fatal(err)
	}
	return of(n)
}
