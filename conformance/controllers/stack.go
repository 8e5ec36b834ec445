package controllers

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/product"
)

// stack is an example in a cluster.
type stack struct {
	example product.Example
	server  *cluster.Cluster
	admin   *cluster.Client
	client  kubernetes.Interface
	node    *cluster.Node

	objects   []*unstructured.Unstructured
	workloads []workload
}

// workload is an emitted object of which a controller makes Pods.
type workload struct {
	object                *unstructured.Unstructured
	kind, namespace, name string
	replicas              int
	selector              metav1.LabelSelector
}

// read keeps of the example what the API server knows, and lists its workloads.
func (s *stack) read(t *testing.T) {
	t.Helper()
	s.objects = slices.DeleteFunc(slices.Clone(s.example.Objects), foreign)
	for _, object := range s.objects {
		switch object.GetKind() {
		case "Deployment", "StatefulSet":
			s.workloads = append(s.workloads, workloadOf(t, object))
		case "LeaderWorkerSet", "DisaggregatedSet":
			table.Unproven("examples/"+s.example.Name, object.GetKind()+"s have a controller of their own")
		}
	}
}

func workloadOf(t *testing.T, object *unstructured.Unstructured) workload {
	t.Helper()
	var spec struct {
		Spec struct {
			Replicas *int                 `json:"replicas"`
			Selector metav1.LabelSelector `json:"selector"`
		} `json:"spec"`
	}
	convert(t, object, &spec)
	w := workload{
		object: object, kind: object.GetKind(), namespace: object.GetNamespace(), name: object.GetName(),
		replicas: 1, selector: spec.Spec.Selector,
	}
	if spec.Spec.Replicas != nil {
		w.replicas = *spec.Spec.Replicas
	}
	return w
}

// pods returns the Pods of the example's namespaces that are not on their way out.
func (s *stack) pods(t *testing.T) []corev1.Pod {
	t.Helper()
	namespaces := map[string]bool{}
	for _, w := range s.workloads {
		namespaces[w.namespace] = true
	}
	list, err := s.client.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list.Items, func(pod corev1.Pod) bool {
		return !namespaces[pod.Namespace] || pod.DeletionTimestamp != nil
	})
}

// settle waits until something is so of every workload.
func (s *stack) settle(t *testing.T, so func(*testing.T, workload) bool) {
	t.Helper()
	for _, w := range s.workloads {
		eventually(t, fmt.Sprintf("%s %s of examples/%s", w.kind, w.name, s.example.Name), func() bool { return so(t, w) })
	}
}

// made reports whether a workload has all its Pods, of which a StatefulSet makes one after the other.
func (s *stack) made(t *testing.T, w workload) bool {
	want := w.replicas
	if w.kind == "StatefulSet" {
		want = min(want, 1)
	}
	return len(s.ownedBy(t, w)) == want
}

// ready reports whether all Pods of a workload are ready, and its status says so.
func (s *stack) ready(t *testing.T, w workload) bool {
	pods := s.ownedBy(t, w)
	live, err := s.admin.Get(t.Context(), w.object)
	if err != nil {
		t.Fatal(err)
	}
	ready, _, _ := unstructured.NestedInt64(live.Object, "status", "readyReplicas")
	updated, _, _ := unstructured.NestedInt64(live.Object, "status", "updatedReplicas")
	return len(pods) == w.replicas && int(ready) == w.replicas && int(updated) == w.replicas
}

// says runs inferstack status over what is in the cluster and requires that state of each workload.
func (s *stack) says(t *testing.T, want string) {
	t.Helper()
	items := []any{} // which a List has, be it empty
	for _, object := range s.objects {
		if live, err := s.admin.Get(t.Context(), object); err == nil {
			items = append(items, live.Object)
		}
	}
	if want == "ready" { // of Pods, status says only what keeps them from being ready
		for _, pod := range s.pods(t) {
			pod.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
			items = append(items, pod)
		}
	}
	states := s.states(t, items)
	for _, w := range s.workloads {
		if got := states[w.kind+" "+w.namespace+"/"+w.name]; got != want {
			t.Errorf("inferstack status calls %s %s %q, want %q", w.kind, w.name, got, want)
		}
	}
}

// states is what inferstack status says by object.
func (s *stack) states(t *testing.T, items []any) map[string]string {
	t.Helper()
	content, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "live.json")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"status", "--output", "json", file}
	for _, input := range s.example.Inputs {
		args = append(args, "--stack", input)
	}
	output, said, err := product.Try(t, args...)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("inferstack status: %v\n%s", err, said)
	}
	var answer struct {
		Components []struct {
			Objects []struct{ Kind, Namespace, Name, State string }
		}
	}
	if err := json.Unmarshal(output, &answer); err != nil {
		t.Fatalf("inferstack status: %v\n%s", err, output)
	}
	states := map[string]string{}
	for _, component := range answer.Components {
		for _, object := range component.Objects {
			states[object.Kind+" "+object.Namespace+"/"+object.Name] = object.State
		}
	}
	return states
}

func convert(t *testing.T, object *unstructured.Unstructured, into any) {
	t.Helper()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, into); err != nil {
		t.Fatal(err)
	}
}
