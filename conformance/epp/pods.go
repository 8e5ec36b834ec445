package epp

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/inferstack/inferstack/conformance/kubelet"
	"github.com/inferstack/inferstack/conformance/servers"
)

// Endpoint is a Pod with a model server behind its address.
type Endpoint struct {
	servers.Server

	Role string
}

// fewest and most are the bounds for the Pods of a workload: two, so that there is a choice, and three where more are
// emitted.
const fewest, most = 2, 3

// Pods makes Pods of the scenario's workloads from their emitted templates, starts their servers, and marks them ready
// as a kubelet would. They are listed by address.
func (s *Scenario) Pods(t testing.TB, client kubernetes.Interface) map[string]Endpoint {
	t.Helper()
	network := kubelet.NewNetwork(t)
	endpoints := map[string]Endpoint{}
	for _, w := range s.Workloads {
		for i := range min(max(w.Replicas, fewest), most) {
			pod := &corev1.Pod{
				ObjectMeta: *w.Template.ObjectMeta.DeepCopy(),
				Spec:       *w.Template.Spec.DeepCopy(),
			}
			pod.Name, pod.Namespace = fmt.Sprintf("%s-%d", w.Name, i), s.Pool.Namespace
			sandbox := network.Sandbox(t, pod.Namespace, pod.Name)
			endpoints[sandbox.IP] = Endpoint{Server: servers.Start(t, sandbox, w.Servers), Role: servers.Role(pod.Labels)}
			create(t, client, pod, sandbox.IP)
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
