package controllers

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// drain evicts every Pod as kubectl drain does, again and again where a budget refuses: each goes in the end, others
// come in their place, and at no time are fewer ready than a budget wants.
func (s *stack) drain(t *testing.T) {
	t.Helper()
	old := s.pods(t)
	for _, pod := range old {
		eventually(t, "Pod "+pod.Name+" is evicted", func() bool {
			s.guarded(t)
			return s.evict(t, pod)
		})
	}
	s.settle(t, s.ready)
	s.guarded(t)
	gone := map[types.UID]bool{}
	for _, pod := range old {
		gone[pod.UID] = true
	}
	for _, pod := range s.pods(t) {
		if gone[pod.UID] {
			t.Errorf("Pod %s has been evicted and is there", pod.Name)
		}
	}
}

// evict reports whether a Pod goes; a budget may keep it for now.
func (s *stack) evict(t *testing.T, pod corev1.Pod) bool {
	t.Helper()
	err := s.client.PolicyV1().Evictions(pod.Namespace).Evict(t.Context(), &policyv1.Eviction{
		ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace},
	})
	if err != nil && !apierrors.IsTooManyRequests(err) && !apierrors.IsNotFound(err) {
		t.Fatalf("evict Pod %s: %v", pod.Name, err)
	}
	return !apierrors.IsTooManyRequests(err)
}

// guarded requires that as many Pods are ready as each budget wants.
func (s *stack) guarded(t *testing.T) {
	t.Helper()
	for _, object := range manifests.Of(s.objects, "PodDisruptionBudget") {
		var budget policyv1.PodDisruptionBudget
		convert(t, object, &budget)
		live, err := s.client.PolicyV1().PodDisruptionBudgets(budget.Namespace).Get(t.Context(), budget.Name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		if err != nil {
			t.Fatal(err)
		}
		ready := int32(0)
		for _, pod := range s.selected(t, budget.Namespace, selector) {
			if cluster.PodReady(pod) {
				ready++
			}
		}
		if ready < live.Status.DesiredHealthy {
			t.Errorf("PodDisruptionBudget %s wants %d healthy Pods, and %d are", budget.Name, live.Status.DesiredHealthy, ready)
		}
	}
}

// scale asks for one Pod more of each workload, as kubectl scale does, and requires that the Services have it.
func (s *stack) scale(t *testing.T) {
	t.Helper()
	for i := range s.workloads {
		w := &s.workloads[i]
		if w.kind != "Deployment" {
			continue
		}
		w.replicas++
		patch := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, w.replicas) // no update: controllers write the object too
		deployments := s.client.AppsV1().Deployments(w.namespace)
		if _, err := deployments.Patch(t.Context(), w.name, types.MergePatchType, patch, metav1.PatchOptions{}, "scale"); err != nil {
			t.Fatal(err)
		}
	}
	s.settle(t, s.ready)
	s.endpoints(t)
	s.budgets(t)
}
