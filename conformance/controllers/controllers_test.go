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
	t.Run("strategies", func(t *testing.T) {
		example := strategies(t, examples)
		s := &stack{example: example, server: server, admin: server.Client(t), client: client, node: node}
		s.live(t)
	})
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
	s.drain(t)
	s.scale(t)
	pods := len(s.pods(t))
	s.clear(t)
	table.Row(t, "examples/"+s.example.Name, len(s.workloads), pods, services, budgets, s.server.Version)
}

// strategies is an example with a strategy and a budget of each kind, and with two endpoint pickers.
func strategies(t *testing.T, examples []product.Example) product.Example {
	i := slices.IndexFunc(examples, func(e product.Example) bool { return e.Name == "prefill-decode-istio" })
	edited := examples[i].Stacks(t).Edit(t, `
spec:
  scheduler: {replicas: 2, highAvailability: leader-election}
  decode:
    replicas: 4
    rollout: {maxSurge: 1, maxUnavailable: 0}
    disruptionBudget: {minAvailable: 75%}
  prefill:
    replicas: 3
    rollout: {maxSurge: 0, maxUnavailable: 2}
    disruptionBudget: {maxUnavailable: 1}
`)
	input := edited.Write(t)
	return product.Example{
		Name: "prefill-decode-istio with strategies and budgets", Inputs: []string{input},
		Objects: manifests.Parse(t, product.Run(t, "render", input)),
	}
}

// autoscaling hands the number of servers to a HorizontalPodAutoscaler, which raises it to its minimum: it finds what
// it scales, and by the selector of that its Pods. Metrics are not there.
func autoscaling(t *testing.T, server *cluster.Cluster, client kubernetes.Interface, examples []product.Example) {
	i := slices.IndexFunc(examples, func(e product.Example) bool { return e.Name == "quickstart" })
	patch := `spec: {monitoring: {}, decode: {replicas: null, autoscaling: {min: 3, max: 8, targetRunningRequests: 4}}}`
	objects := manifests.Parse(t, product.Run(t, "render", examples[i].Stacks(t).Edit(t, patch).Write(t)))
	server.Install(t, slices.DeleteFunc(objects, foreign))
	for _, object := range manifests.Of(objects, "HorizontalPodAutoscaler") {
		var hpa autoscalingv2.HorizontalPodAutoscaler
		convert(t, object, &hpa)
		minimum := *hpa.Spec.MinReplicas
		eventually(t, "the autoscaler raises the number of servers to its minimum", func() bool {
			scaled, err := client.AppsV1().Deployments(hpa.Namespace).Get(t.Context(), hpa.Spec.ScaleTargetRef.Name, metav1.GetOptions{})
			return err == nil && *scaled.Spec.Replicas == minimum && scaled.Status.ReadyReplicas == minimum
		})
		eventually(t, "the autoscaler counts the servers", func() bool {
			live, err := client.AutoscalingV2().HorizontalPodAutoscalers(hpa.Namespace).Get(t.Context(), hpa.Name, metav1.GetOptions{})
			return err == nil && live.Status.CurrentReplicas == minimum && able(live.Status.Conditions)
		})
		table.Row(t, "an autoscaler's minimum", 1, *hpa.Spec.MinReplicas, 0, 0, server.Version)
		return
	}
	t.Error("no HorizontalPodAutoscaler is emitted")
}

// able reports whether an autoscaler finds what it scales.
func able(conditions []autoscalingv2.HorizontalPodAutoscalerCondition) bool {
	return slices.ContainsFunc(conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool {
		return c.Type == autoscalingv2.AbleToScale && c.Status == corev1.ConditionTrue
	})
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
