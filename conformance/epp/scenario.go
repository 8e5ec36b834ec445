// Package epp runs the real endpoint pickers with what Inferstack emits for them: their configuration, flags, identity
// and rights, over Pods with the emitted labels.
package epp

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	igwv1 "sigs.k8s.io/gateway-api-inference-extension/api/v1"

	"github.com/inferstack/inferstack/conformance/kubelet"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// Scenario is one endpoint picker among emitted objects and all that belongs to it.
type Scenario struct {
	Objects []*unstructured.Unstructured
	Pool    igwv1.InferencePool
	Picker  appsv1.Deployment
	// Workloads make the Pods that the pool selects.
	Workloads []Workload
	// Files are the picker's mounted configuration by path in the container.
	Files map[string]string
}

// Workload is what makes the Pods of one role.
type Workload struct {
	Name     string
	Replicas int
	Template corev1.PodTemplateSpec
	// Servers is what runs in the Pods: the template, or the one that is emitted for the simulator in the model
	// server's place.
	Servers corev1.PodSpec
}

// Scenarios returns one scenario for every InferencePool among the objects.
func Scenarios(t testing.TB, objects []*unstructured.Unstructured) []Scenario {
	t.Helper()
	var list []Scenario
	for _, pool := range manifests.Of(objects, "InferencePool") {
		s := Scenario{Objects: objects, Files: map[string]string{}}
		decode(t, pool, &s.Pool)
		s.findPicker(t)
		s.findFiles(t)
		s.findWorkloads(t)
		list = append(list, s)
	}
	return list
}

// findPicker follows the pool's reference to the Service and its selector to the Deployment.
func (s *Scenario) findPicker(t testing.TB) {
	t.Helper()
	for _, object := range manifests.Of(s.Objects, "Service") {
		if object.GetNamespace() != s.Pool.Namespace || object.GetName() != string(s.Pool.Spec.EndpointPickerRef.Name) {
			continue
		}
		var service corev1.Service
		decode(t, object, &service)
		for _, candidate := range manifests.Of(s.Objects, "Deployment") {
			var deployment appsv1.Deployment
			decode(t, candidate, &deployment)
			if selects(service.Spec.Selector, deployment.Spec.Template.Labels) {
				s.Picker = deployment
				return
			}
		}
	}
	t.Fatalf("pool %s: no Deployment behind its endpoint picker", s.Pool.Name)
}

// findFiles reads the ConfigMaps that the picker mounts.
func (s *Scenario) findFiles(t testing.TB) {
	t.Helper()
	mounts := map[string]string{}
	for _, mount := range s.container().VolumeMounts {
		mounts[mount.Name] = mount.MountPath
	}
	for _, volume := range s.Picker.Spec.Template.Spec.Volumes {
		if volume.ConfigMap == nil {
			continue
		}
		for _, object := range manifests.Of(s.Objects, "ConfigMap") {
			if object.GetNamespace() == s.Picker.Namespace && object.GetName() == volume.ConfigMap.Name {
				data, _, _ := unstructured.NestedStringMap(object.Object, "data")
				for key, value := range data {
					s.Files[mounts[volume.Name]+"/"+key] = value
				}
			}
		}
	}
}

func (s *Scenario) findWorkloads(t testing.TB) {
	t.Helper()
	wanted := map[string]string{}
	for key, value := range s.Pool.Spec.Selector.MatchLabels {
		wanted[string(key)] = string(value)
	}
	for _, object := range manifests.Parted(s.Objects) {
		for _, w := range workloads(t, object) {
			if object.GetNamespace() == s.Pool.Namespace && selects(wanted, w.Template.Labels) {
				w.Servers = w.Template.Spec
				s.Workloads = append(s.Workloads, w)
			}
		}
	}
}

// templates are where the kinds of workloads keep the templates of their Pods.
var templates = map[string][][]string{
	"Deployment":  {{"spec", "template"}},
	"StatefulSet": {{"spec", "template"}},
	"LeaderWorkerSet": {
		{"spec", "leaderWorkerTemplate", "leaderTemplate"},
		{"spec", "leaderWorkerTemplate", "workerTemplate"},
	},
}

// workloads returns one for each template of an object.
func workloads(t testing.TB, object *unstructured.Unstructured) []Workload {
	t.Helper()
	var list []Workload
	for _, path := range templates[object.GetKind()] {
		template, found, err := unstructured.NestedMap(object.Object, path...)
		if !found || err != nil {
			continue
		}
		w := Workload{Name: object.GetName(), Replicas: 1}
		if len(list) > 0 {
			w.Name += "-worker"
		}
		if replicas, ok, _ := unstructured.NestedInt64(object.Object, "spec", "replicas"); ok {
			w.Replicas = int(replicas)
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(template, &w.Template); err != nil {
			t.Fatal(err)
		}
		list = append(list, w)
	}
	return list
}

func (s *Scenario) container() corev1.Container {
	return s.Picker.Spec.Template.Spec.Containers[0]
}

// Args are the emitted arguments with the environment filled in, as the kubelet does it.
func (s *Scenario) Args() []string {
	pod := kubelet.Sandbox{Name: s.Picker.Name + "-0", Namespace: s.Picker.Namespace, IP: "127.0.0.1"}
	return kubelet.Args(s.container(), pod.Env(s.container()))
}

// Component names the program in the cache that stands for the picker's image.
func (s *Scenario) Component() (string, error) {
	image := s.container().Image
	switch {
	case strings.Contains(image, "llm-d-inference-scheduler:v0.4"):
		return "epp-llmd-0.4", nil
	case strings.Contains(image, "llm-d-router-endpoint-picker"):
		return "epp-gie-1.5", nil
	}
	return "", fmt.Errorf("no program stands for %s", image)
}

func selects(selector, set map[string]string) bool {
	return len(selector) > 0 && labels.SelectorFromSet(selector).Matches(labels.Set(set))
}

func decode(t testing.TB, object *unstructured.Unstructured, into any) {
	t.Helper()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, into); err != nil {
		t.Fatalf("%s: %v", manifests.Name(object), err)
	}
}
