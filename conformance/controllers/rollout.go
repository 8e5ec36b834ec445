package controllers

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/conformance/cluster"
)

// mark is what another version of an image has in its name.
const mark = "-next"

// rollout gives every workload another image while no new Pod becomes ready: no more Pods are there, and no fewer are
// ready, than the strategy allows, and status says so. Then they become ready, all the while within the same bounds,
// and nothing is left of the old ones.
func (s *stack) rollout(t *testing.T) {
	t.Helper()
	s.node.Hold(true)
	for _, w := range s.workloads {
		next := w.object.DeepCopy()
		containers, _, err := unstructured.NestedSlice(next.Object, "spec", "template", "spec", "containers")
		if err != nil {
			t.Fatal(err)
		}
		first := containers[0].(map[string]any)
		first["image"] = first["image"].(string) + mark
		if err := unstructured.SetNestedSlice(next.Object, containers, "spec", "template", "spec", "containers"); err != nil {
			t.Fatal(err)
		}
		if result := s.admin.Apply(t.Context(), next); result.Err != nil {
			t.Fatal(result.Err)
		}
	}
	s.settle(t, s.begun)
	time.Sleep(2 * time.Second) // for what should not happen
	s.within(t)
	s.says(t, "progressing")
	s.node.Hold(false)
	s.settle(t, func(t *testing.T, w workload) bool {
		s.within(t)
		return s.ready(t, w)
	})
	s.says(t, "ready")
	for _, pod := range s.pods(t) {
		if !isNext(pod) {
			t.Errorf("Pod %s is left of the old version", pod.Name)
		}
	}
}

func isNext(pod corev1.Pod) bool { return strings.HasSuffix(pod.Spec.Containers[0].Image, mark) }

// begun reports whether the first Pod of the new version is there.
func (s *stack) begun(t *testing.T, w workload) bool {
	for _, pod := range s.ownedBy(t, w) {
		if isNext(pod) {
			return true
		}
	}
	return false
}

// within requires that each workload is within the bounds of its strategy.
func (s *stack) within(t *testing.T) {
	t.Helper()
	for _, w := range s.workloads {
		surge, unavailable := w.strategy(t)
		ready, all := 0, s.ownedBy(t, w)
		for _, pod := range all {
			if cluster.PodReady(pod) {
				ready++
			}
		}
		if len(all) > w.replicas+surge || ready < w.replicas-unavailable {
			t.Errorf("%s %s has %d Pods, %d of them ready, in a rollout of %d that may have %d more and miss %d",
				w.kind, w.name, len(all), ready, w.replicas, surge, unavailable)
		}
	}
}

// bounds returns what a Deployment declares, as the deployment controller rounds it.
func bounds(t *testing.T, deployment appsv1.Deployment) (surge, unavailable int) {
	t.Helper()
	replicas := 1
	if deployment.Spec.Replicas != nil {
		replicas = int(*deployment.Spec.Replicas)
	}
	if deployment.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
		return 0, replicas
	}
	quarter := intstr.FromString("25%")
	declared := appsv1.RollingUpdateDeployment{MaxSurge: &quarter, MaxUnavailable: &quarter}
	if rolling := deployment.Spec.Strategy.RollingUpdate; rolling != nil {
		if rolling.MaxSurge != nil {
			declared.MaxSurge = rolling.MaxSurge
		}
		if rolling.MaxUnavailable != nil {
			declared.MaxUnavailable = rolling.MaxUnavailable
		}
	}
	surge, err := intstr.GetScaledValueFromIntOrPercent(declared.MaxSurge, replicas, true)
	if err != nil {
		t.Fatal(err)
	}
	unavailable, err = intstr.GetScaledValueFromIntOrPercent(declared.MaxUnavailable, replicas, false)
	if err != nil {
		t.Fatal(err)
	}
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

// clear deletes the workloads and requires that their Pods go with them.
func (s *stack) clear(t *testing.T) {
	t.Helper()
	for _, w := range s.workloads {
		if err := s.admin.Delete(t.Context(), w.object); err != nil {
			t.Errorf("delete %s %s: %v", w.kind, w.name, err)
		}
	}
	eventually(t, "nothing is left of examples/"+s.example.Name, func() bool {
		for _, w := range s.workloads {
			sets, err := s.client.AppsV1().ReplicaSets(w.namespace).List(t.Context(), metav1.ListOptions{})
			if err != nil || len(sets.Items) > 0 {
				return false
			}
		}
		return len(s.pods(t)) == 0
	})
}
