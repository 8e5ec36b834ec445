package epp

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Endpoint is a Pod with a model server behind its address.
type Endpoint struct {
	Pod, IP, Role string
}

// Pods makes the Pods of the scenario's workloads from their emitted templates, marks them ready as a kubelet would,
// and puts a model server behind each. first is the last byte of the first Pod's loopback address.
func (s *Scenario) Pods(t testing.TB, client kubernetes.Interface, first int) map[string]Endpoint {
	t.Helper()
	var ports []int
	for _, port := range s.Pool.Spec.TargetPorts {
		ports = append(ports, int(port.Number))
	}
	endpoints := map[string]Endpoint{}
	for _, w := range s.Workloads {
		for i := range w.Replicas {
			ip := fmt.Sprintf("127.0.0.%d", first+len(endpoints))
			pod := &corev1.Pod{
				ObjectMeta: *w.Template.ObjectMeta.DeepCopy(),
				Spec:       *w.Template.Spec.DeepCopy(),
			}
			pod.Name, pod.Namespace = fmt.Sprintf("%s-%d", w.Name, i), s.Pool.Namespace
			create(t, client, pod, ip)
			serveModel(t, ip, ports)
			endpoints[ip] = Endpoint{Pod: pod.Name, IP: ip, Role: role(pod.Labels)}
		}
	}
	return endpoints
}

func create(t testing.TB, client kubernetes.Interface, pod *corev1.Pod, ip string) {
	t.Helper()
	pods := client.CoreV1().Pods(pod.Namespace)
	live, err := pods.Create(t.Context(), pod, metav1.CreateOptions{})
	if err != nil {
		t.Fatalf("Pod %s: %v", pod.Name, err)
	}
	t.Cleanup(func() {
		now := int64(0)
		pods.Delete(context.Background(), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
	})
	live.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
		Conditions: []corev1.PodCondition{
			{Type: corev1.PodReady, Status: corev1.ConditionTrue}, {Type: corev1.ContainersReady, Status: corev1.ConditionTrue},
		},
	}
	if _, err := pods.UpdateStatus(t.Context(), live, metav1.UpdateOptions{}); err != nil {
		t.Fatalf("Pod %s: %v", pod.Name, err)
	}
}
