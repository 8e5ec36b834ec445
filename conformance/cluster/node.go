package cluster

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/inferstack/inferstack/conformance/kubelet"
)

// Node stands for a cluster's scheduler and kubelets as far as controllers see them: it takes every Pod, says that it
// runs and is ready, and lets it go when it is deleted. It runs nothing.
type Node struct {
	client kubernetes.Interface
	name   string
	held   atomic.Bool
	pods   int
}

// Node adds a node to the cluster until the test ends.
func (c *Cluster) Node(t testing.TB) *Node {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config)
	if err != nil {
		t.Fatal(err)
	}
	n := &Node{client: client, name: "node"}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.name}}
	if _, err := client.CoreV1().Nodes().Create(t.Context(), node, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			n.sync(ctx)
			time.Sleep(50 * time.Millisecond)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return n
}

// Hold keeps Pods that start from now on from becoming ready, until it is called with false.
func (n *Node) Hold(held bool) { n.held.Store(held) }

// sync does for each Pod what is next. What fails is tried again by the next one.
func (n *Node) sync(ctx context.Context) {
	list, err := n.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return
	}
	for _, pod := range list.Items {
		pods := n.client.CoreV1().Pods(pod.Namespace)
		switch {
		case pod.DeletionTimestamp != nil:
			now := int64(0)
			pods.Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
		case pod.Spec.NodeName == "":
			pods.Bind(ctx, &corev1.Binding{
				ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace},
				Target:     corev1.ObjectReference{Kind: "Node", Name: n.name},
			}, metav1.CreateOptions{})
		case !PodReady(pod) && !(n.held.Load() && pod.Status.PodIP != ""):
			n.run(ctx, pod, !n.held.Load())
		}
	}
}

func (n *Node) run(ctx context.Context, pod corev1.Pod, ready bool) {
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	now := metav1.Now()
	if pod.Status.PodIP == "" {
		n.pods++
		pod.Status.PodIP = kubelet.Address(n.pods)
		pod.Status.PodIPs = []corev1.PodIP{{IP: pod.Status.PodIP}}
		pod.Status.StartTime = &now
	}
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{
		{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: now},
		{Type: corev1.PodInitialized, Status: corev1.ConditionTrue, LastTransitionTime: now},
		{Type: corev1.ContainersReady, Status: status, LastTransitionTime: now},
		{Type: corev1.PodReady, Status: status, LastTransitionTime: now},
	}
	n.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, &pod, metav1.UpdateOptions{})
}

// PodReady reports whether a Pod says that it is ready.
func PodReady(pod corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
