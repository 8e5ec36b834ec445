// Package controllers lets Kubernetes' own controllers act on what Inferstack emits: they make ReplicaSets, Pods and
// EndpointSlices of it, roll it out, scale it, count its disruptions and clear it away.
package controllers

import (
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
)

var table = report.New("kube-controller-manager", "manifests", "workloads", "Pods", "Services", "budgets", "version")

func TestMain(m *testing.M) { report.Main(m, table) }

// TestControllers starts one API server with its controllers for all proofs.
func TestControllers(t *testing.T) {
	examples := product.Examples(t)
	server := cluster.StartFor(t, product.Objects(examples))
	client, err := kubernetes.NewForConfig(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	manager := server.Controllers(t)
	defer func() {
		if t.Failed() {
			t.Log(manager.Tail())
		}
	}()
	node := server.Node(t)
	for _, example := range examples {
		if !example.Top() {
			continue
		}
		t.Run(example.Name, func(t *testing.T) {
			s := &stack{example: example, server: server, admin: server.Client(t), client: client, node: node}
			s.live(t)
		})
	}
	t.Run("autoscaling", func(t *testing.T) { autoscaling(t, server, client, examples) })
}

// live leads an example from nothing through a rollout to its end.
func (s *stack) live(t *testing.T) {
	s.read(t)
	s.says(t, "failing") // nothing is there yet
	s.node.Hold(true)
	s.server.Install(t, s.objects)
	s.settle(t, s.made)
	s.says(t, "progressing")
	s.node.Hold(false)
	s.settle(t, s.ready)
	s.says(t, "ready")

	s.selectors(t)
	services := s.endpoints(t)
	budgets := s.budgets(t)
	s.rollout(t)
	pods := len(s.pods(t))
	s.clear(t)
	table.Row(t, "examples/"+s.example.Name, len(s.workloads), pods, services, budgets, s.server.Version)
}

// autoscaling hands the number of servers to a HorizontalPodAutoscaler, which raises it to its minimum: it finds what
// it scales. Metrics are not there.
func autoscaling(t *testing.T, server *cluster.Cluster, client kubernetes.Interface, examples []product.Example) {
	i := slices.IndexFunc(examples, func(e product.Example) bool { return e.Name == "quickstart" })
	patch := `spec: {decode: {replicas: null, autoscaling: {min: 3, max: 8, targetRunningRequests: 4}}, monitoring: {}}`
	objects := manifests.Parse(t, product.Run(t, "render", examples[i].Stacks(t).Edit(t, patch).Write(t)))
	server.Install(t, slices.DeleteFunc(objects, foreign))
	for _, object := range manifests.Of(objects, "HorizontalPodAutoscaler") {
		var hpa autoscalingv2.HorizontalPodAutoscaler
		convert(t, object, &hpa)
		deployments := client.AppsV1().Deployments(hpa.Namespace)
		eventually(t, "the autoscaler raises the number of servers to its minimum", func() bool {
			scaled, err := deployments.Get(t.Context(), hpa.Spec.ScaleTargetRef.Name, metav1.GetOptions{})
			return err == nil && *scaled.Spec.Replicas == *hpa.Spec.MinReplicas && scaled.Status.ReadyReplicas == *hpa.Spec.MinReplicas
		})
		table.Row(t, "an autoscaler's minimum", 1, *hpa.Spec.MinReplicas, 0, 0, server.Version)
		return
	}
	t.Error("no HorizontalPodAutoscaler is emitted")
}

// foreign are the objects of GKE's API group, whose CRDs no Go module carries.
func foreign(object *unstructured.Unstructured) bool {
	return object.GroupVersionKind().Group == "networking.gke.io"
}

// eventually waits until it is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if so() {
			return
		}
	}
	t.Fatalf("it never comes so far: %s", what)
}

// ownedBy returns the Pods of a workload by their owners, not by their labels.
func (s *stack) ownedBy(t *testing.T, w workload) []corev1.Pod {
	t.Helper()
	owners := []string{w.name}
	if w.kind == "Deployment" {
		sets, err := s.client.AppsV1().ReplicaSets(w.namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		owners = nil
		for _, set := range sets.Items {
			if owned(&set, "Deployment", []string{w.name}) {
				owners = append(owners, set.Name)
			}
		}
	}
	kind := map[string]string{"Deployment": "ReplicaSet", "StatefulSet": "StatefulSet"}[w.kind]
	return slices.DeleteFunc(s.pods(t), func(pod corev1.Pod) bool { return !owned(&pod, kind, owners) })
}

func owned(object metav1.Object, kind string, names []string) bool {
	owner := metav1.GetControllerOf(object)
	return owner != nil && owner.Kind == kind && slices.Contains(names, owner.Name)
}

// strategy returns how many Pods a rollout may have beyond the wanted number, and how many may be missing.
func (w workload) strategy(t *testing.T) (surge, unavailable int) {
	t.Helper()
	if w.kind == "StatefulSet" {
		return 0, 1
	}
	var deployment appsv1.Deployment
	convert(t, w.object, &deployment)
	return bounds(t, deployment)
}
