package generators

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/apis"
)

// pods is a kind of pods that a workload makes.
type pods struct {
	workload  base.Object
	namespace string
	labels    map[string]string
	selector  map[string]string // of the workload; nil where it has none
	spec      *corev1.PodSpec
}

// allPods lists the pods of every workload; a group of several nodes makes two kinds.
func allPods(objects []base.Object) []pods {
	var out []pods
	add := func(o base.Object, t *corev1.PodTemplateSpec, selector map[string]string) {
		out = append(out, pods{o, o.GetNamespace(), t.Labels, selector, &t.Spec})
	}
	for _, o := range objects {
		switch w := o.(type) {
		case *appsv1.Deployment:
			add(w, &w.Spec.Template, w.Spec.Selector.MatchLabels)
		case *appsv1.StatefulSet:
			add(w, &w.Spec.Template, w.Spec.Selector.MatchLabels)
		case *batchv1.Job:
			add(w, &w.Spec.Template, nil)
		case *lwsv1.LeaderWorkerSet:
			if leader := w.Spec.LeaderWorkerTemplate.LeaderTemplate; leader != nil {
				add(w, leader, nil)
			}
			add(w, &w.Spec.LeaderWorkerTemplate.WorkerTemplate, nil)
		case *apis.DisaggregatedSet:
			for _, role := range w.Spec.Roles {
				if leader := role.Spec.LeaderWorkerTemplate.LeaderTemplate; leader != nil {
					add(w, leader, nil)
				}
				add(w, &role.Spec.LeaderWorkerTemplate.WorkerTemplate, nil)
			}
		}
	}
	return out
}

// selected lists the pods in a namespace that have the labels.
func selected(all []pods, namespace string, labels map[string]string) []pods {
	var out []pods
	for _, p := range all {
		if p.namespace == namespace && stacktest.Has(p.labels, labels) {
			out = append(out, p)
		}
	}
	return out
}

// serves reports whether a container of the pods has the port, by name or number.
func (p pods) serves(port intstr.IntOrString) bool {
	for _, c := range append(p.spec.InitContainers, p.spec.Containers...) {
		for _, cp := range c.Ports {
			if port.Type == intstr.String && cp.Name == port.StrVal || port.Type == intstr.Int && cp.ContainerPort == port.IntVal {
				return true
			}
		}
	}
	return false
}

// find returns the object of a kind, or nil.
func find(objects []base.Object, kind, namespace, name string) base.Object {
	for _, o := range objects {
		if manifest.KindOf(o) == kind && o.GetNamespace() == namespace && o.GetName() == name {
			return o
		}
	}
	return nil
}

// needs fails unless the object is there.
func needs(t *testing.T, objects []base.Object, from base.Object, kind, namespace, name string) {
	t.Helper()
	if find(objects, kind, namespace, name) == nil {
		t.Errorf("%s refers to %s %s/%s, which is not there", identity(from), kind, namespace, name)
	}
}

// servicePortOf fails unless the Service is there and has the port.
func servicePortOf(t *testing.T, objects []base.Object, from base.Object, namespace, name string, port int32) {
	t.Helper()
	service, ok := find(objects, "Service", namespace, name).(*corev1.Service)
	if !ok {
		t.Errorf("%s refers to Service %s/%s, which is not there", identity(from), namespace, name)
		return
	}
	for _, p := range service.Spec.Ports {
		if p.Port == port {
			return
		}
	}
	t.Errorf("%s refers to port %d of Service %s, which it has not", identity(from), port, name)
}
