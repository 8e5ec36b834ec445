// Package serverside knows what a cluster writes into objects beside what was applied: fields of
// its own, and defaults. Objects without it mean the same, whether they were read from a file or
// from the cluster.
package serverside

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/imageref"
)

// metadata are fields that the API server, kubectl and controllers write.
var metadata = []string{"creationTimestamp", "deletionTimestamp", "finalizers", "generateName", "generation", "managedFields", "ownerReferences", "resourceVersion", "selfLink", "uid"}

// annotations are the beginnings of those that kubectl and controllers write.
var annotations = []string{
	"kubectl.kubernetes.io/last-applied-configuration", "kubectl.kubernetes.io/restartedAt", "deployment.kubernetes.io/",
	"pv.kubernetes.io/", "volume.kubernetes.io/", "volume.beta.kubernetes.io/", "autoscaling.alpha.kubernetes.io/",
}

// fields are those of kinds that the cluster chooses, whatever they say.
var fields = map[string][]string{
	"Service":               {"spec.clusterIP", "spec.clusterIPs", "spec.ipFamilies", "spec.ports[].nodePort", "spec.healthCheckNodePort"},
	"PersistentVolumeClaim": {"spec.volumeName"},
	"ServiceAccount":        {"secrets"},
}

// Without is an object without what the cluster writes. The object itself is left as it is.
func Without(o map[string]any) map[string]any {
	out := Owned(o)
	Strip(out)
	return out
}

// Owned is an object with the defaults of the API server, and without what else the cluster
// writes. The object itself is left as it is.
func Owned(o map[string]any) map[string]any {
	out, _ := freeform.Copy(o).(map[string]any)
	if out == nil {
		return map[string]any{}
	}
	delete(out, "status")
	meta, _ := out["metadata"].(map[string]any)
	for _, key := range metadata {
		delete(meta, key)
	}
	noted(meta)
	kind, _ := out["kind"].(string)
	stripper{chosen: fields[kind]}.value("", out)
	for _, t := range podsOf(out) {
		meta, _ := t["metadata"].(map[string]any)
		delete(meta, "creationTimestamp")
		noted(meta)
	}
	return out
}

// Strip takes the defaults of the API server out of an object.
func Strip(o map[string]any) {
	kind, _ := o["kind"].(string)
	stripper{defaults: defaults()[kind]}.value("", o)
	for _, t := range podsOf(o) {
		pods().value("", t)
		follows(t)
	}
}

// podsOf are the pod templates of an object.
func podsOf(o map[string]any) (out []map[string]any) {
	kind, _ := o["kind"].(string)
	for _, path := range templates[kind] {
		out = append(out, all(o, strings.Split(path, "."))...)
	}
	return out
}

// noted drops the annotations that kubectl and controllers write.
func noted(meta map[string]any) {
	notes, _ := meta["annotations"].(map[string]any)
	for key := range notes {
		for _, begin := range annotations {
			if strings.HasPrefix(key, begin) {
				delete(notes, key)
			}
		}
	}
	if notes != nil && len(notes) == 0 {
		delete(meta, "annotations")
	}
}

// A stripper drops fields that say what their default says.
type stripper struct {
	defaults map[string]any
	chosen   []string // dropped in any case, except for a Service without an address
}

// value walks what is at a path, in which [] stands for any entry of a list.
func (s stripper) value(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, e := range v {
			at := strings.TrimPrefix(path+"."+key, ".")
			s.value(at, e)
			if s.drops(at, e, v) {
				delete(v, key)
			}
		}
	case []any:
		for _, e := range v {
			s.value(path+"[]", e)
		}
	}
}

func (s stripper) drops(path string, v any, in map[string]any) bool {
	for _, chosen := range s.chosen {
		if chosen == path {
			return fmt.Sprint(v) != "None" && fmt.Sprint(v) != "[None]"
		}
	}
	switch path {
	case "spec.ports[].targetPort":
		return fmt.Sprint(v) == fmt.Sprint(in["port"])
	case "subjects[].apiGroup":
		return v == ""
	}
	d, known := s.defaults[path]
	if m, nested := v.(map[string]any); nested && len(m) == 0 {
		_, nested := d.(map[string]any)
		return nested
	}
	return known && (fmt.Sprint(d) == fmt.Sprint(v) || reflect.DeepEqual(d, v))
}

// follows drops what follows from other fields of a pod.
func follows(t map[string]any) {
	spec, _ := t["spec"].(map[string]any)
	if spec["serviceAccount"] == spec["serviceAccountName"] {
		delete(spec, "serviceAccount")
	}
	for _, list := range []string{"containers", "initContainers"} {
		containers, _ := spec[list].([]any)
		for _, e := range containers {
			if c, ok := e.(map[string]any); ok && c["imagePullPolicy"] == pullPolicy(fmt.Sprint(c["image"])) {
				delete(c, "imagePullPolicy")
			}
		}
	}
}

// pullPolicy is that of an image for which none is written (Kubernetes 1.36
// pkg/apis/core/v1/defaults.go, SetDefaults_Container).
func pullPolicy(image string) string {
	if imageref.Parse(image).Floats() {
		return "Always"
	}
	return "IfNotPresent"
}

// all are the mappings at a path.
func all(v any, path []string) []map[string]any {
	if len(path) == 0 {
		if m, ok := v.(map[string]any); ok {
			return []map[string]any{m}
		}
		return nil
	}
	m, _ := v.(map[string]any)
	key, entries := strings.CutSuffix(path[0], "[]")
	if !entries {
		return all(m[key], path[1:])
	}
	var out []map[string]any
	list, _ := m[key].([]any)
	for _, e := range list {
		out = append(out, all(e, path[1:])...)
	}
	return out
}
