package modelservice

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// An object is a child object of a base configuration: what it is, its metadata, and
// that of its pods.
type object struct {
	name string
	to   string // section of the stack whose workload it is, or ""
	meta *metav1.ObjectMeta
	pods *metav1.ObjectMeta
}

// objects are those that the base configuration has and the ModelService uses.
func (m *service) objects(b *base) (out []object) {
	deployment := func(name, to string, d *appsv1.Deployment) {
		if d != nil {
			out = append(out, object{name, to, &d.ObjectMeta, &d.Spec.Template.ObjectMeta})
		}
	}
	deployment("decodeDeployment", "spec.decode", b.decode)
	deployment("eppDeployment", "spec.scheduler", b.epp)
	if b.decodeService != nil {
		out = append(out, object{"decodeService", "", &b.decodeService.ObjectMeta, nil})
	}
	if b.eppService != nil {
		out = append(out, object{"eppService", "", &b.eppService.ObjectMeta, nil})
	}
	if m.spec.Prefill != nil {
		deployment("prefillDeployment", "spec.prefill", b.prefill)
		if b.prefillService != nil {
			out = append(out, object{"prefillService", "", &b.prefillService.ObjectMeta, nil})
		}
	}
	if b.pool != nil {
		out = append(out, object{"inferencePool", "", &b.pool.ObjectMeta, nil})
	}
	if b.model != nil {
		out = append(out, object{"inferenceModel", "", &b.model.ObjectMeta, nil})
	}
	if b.route != nil {
		out = append(out, object{"httpRoute", "", &b.route.ObjectMeta, nil})
	}
	return out
}

// metadata is what the child objects' own labels and annotations become. A stack says
// them of every object, of workloads or of pods, so that what all child objects have goes to
// delivery, and what only some have has no place but on workloads.
func (m *service) metadata(b *base) {
	objects := m.objects(b)
	m.spread(objects, "labels", func(o *metav1.ObjectMeta) map[string]string { return o.Labels })
	m.spread(objects, "annotations", func(o *metav1.ObjectMeta) map[string]string { return o.Annotations })
	for _, o := range objects {
		rest := o.meta.DeepCopy()
		rest.Labels, rest.Annotations = nil, nil
		rest.Name, rest.Namespace = "", "" // the controller's
		m.unsaid(o.name+" metadata", rest)
		if o.pods != nil {
			rest = o.pods.DeepCopy()
			rest.Labels, rest.Annotations = nil, nil
			m.unsaid(o.name+" pod metadata", rest)
		}
	}
}

func (m *service) spread(objects []object, field string, of func(*metav1.ObjectMeta) map[string]string) {
	if len(objects) == 0 {
		return
	}
	all := maps.Clone(of(objects[0].meta))
	for _, o := range objects[1:] {
		own := of(o.meta)
		maps.DeleteFunc(all, func(k, v string) bool { return own[k] != v })
	}
	maps.DeleteFunc(all, func(k, _ string) bool { return generated(k) })
	if len(all) > 0 {
		m.Set("spec.delivery."+field, all, fromBase)
		m.On("spec.delivery."+field, fromBase).Note("%s of every object of the base configuration, and so of every object of the stack", field)
	}
	for _, o := range objects {
		own := of(o.meta)
		for _, key := range slices.Sorted(maps.Keys(own)) {
			if _, everywhere := all[key]; everywhere {
				continue
			}
			m.alone(o, field, key, own[key])
		}
	}
}

// alone is a label or an annotation that not every object has.
func (m *service) alone(o object, field, key, value string) {
	switch {
	case generated(key):
		m.On("spec", fromBase).Dropped().Note("%s of %s: left out of its metadata.%s, since the stack writes its own", key, o.name, field)
	case o.to != "":
		m.entries(o.to+"."+field, key, value)
	default:
		m.Lost(fromBase, "metadata.%s[%s] of %s; spec.delivery.%s holds for every object, and fits once all objects of the base configuration have it", field, key, o.name, field)
	}
}

// entries adds to the labels or annotations of a workload.
func (m *service) entries(to, key, value string) {
	all := map[string]string{key: value}
	if have := m.Get(to); have != nil && have.Decode(&all) != nil {
		return // ours: it decodes
	}
	m.Set(to, all, fromBase)
}

// generated reports whether a stack writes a label by itself, or a tool an annotation.
func generated(key string) bool {
	switch key {
	case "app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/component",
		"app.kubernetes.io/part-of", "app.kubernetes.io/managed-by":
		return true
	}
	return strings.HasPrefix(key, "kubectl.kubernetes.io/") || strings.HasPrefix(key, "deployment.kubernetes.io/")
}

// unsaid reports the fields that are left of an object once everything that a stack
// can say, or decides by itself, has been taken out of it.
func (m *service) unsaid(name string, rest any) {
	if fields := written(rest); len(fields) > 0 {
		m.Lost(fromBase, "%s of %s", strings.Join(slices.Sorted(maps.Keys(fields)), ", "), name)
	}
}

// written are the fields of a Kubernetes struct that say something.
func written(v any) map[string]any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // Kubernetes structs are plain data
	}
	out := map[string]any{}
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	maps.DeleteFunc(out, func(_ string, v any) bool {
		fields, ok := v.(map[string]any)
		return v == nil || ok && len(fields) == 0
	})
	return out
}
