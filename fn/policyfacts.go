package fn

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/internal/provenance"
)

// policyFacts is what policies see of a stack's objects, which the stack itself need not say.
type policyFacts struct {
	// Images are those of all containers, sorted.
	Images []string `json:"images"`
	// Accelerators are the devices of all servers, as many as an autoscaler may start. Those of
	// resource claims are not counted.
	Accelerators int64 `json:"accelerators"`

	fields map[string]string // of the stack, by image
}

// factsOf reads the pods of what was made.
func factsOf(m generators.Made) (policyFacts, error) {
	facts := policyFacts{Images: []string{}, fields: map[string]string{}}
	var all []*unstructured.Unstructured
	most := map[string]int64{}
	for _, o := range m.Objects {
		text, err := json.Marshal(o)
		if err != nil {
			return facts, err
		}
		u := &unstructured.Unstructured{}
		if err := u.UnmarshalJSON(text); err != nil {
			return facts, err
		}
		all = append(all, u)
		target, _, _ := unstructured.NestedString(u.Object, "spec", "scaleTargetRef", "name")
		for _, name := range []string{"maxReplicas", "maxReplicaCount"} {
			if n, ok, _ := unstructured.NestedInt64(u.Object, "spec", name); ok {
				most[target] = n
			}
		}
	}
	for _, u := range all {
		replicas := count(u.Object, "spec", "replicas")
		if n, scaled := most[u.GetName()]; scaled {
			replicas = n
		}
		for _, p := range podsOf(u) {
			pods := replicas * p.count
			for _, list := range []string{"initContainers", "containers"} {
				containers, _, _ := unstructured.NestedSlice(p.spec, list)
				for i, c := range containers {
					facts.add(m, u, c, fmt.Sprintf("%s.%s[%d].image", p.path, list, i), pods)
				}
			}
		}
	}
	slices.Sort(facts.Images)
	return facts, nil
}

func (f *policyFacts) add(m generators.Made, u *unstructured.Unstructured, container any, path string, pods int64) {
	c, _ := container.(map[string]any)
	if image, _ := c["image"].(string); image != "" && f.fields[image] == "" {
		f.Images = append(f.Images, image)
		f.fields[image], _ = provenance.Field(m.Spec, u, path)
	}
	limits, _, _ := unstructured.NestedMap(c, "resources", "limits")
	for name, value := range limits {
		domain, device, extended := strings.Cut(name, "/")
		if extended && domain != "rdma" && !strings.Contains(device, "rdma") {
			n := int64(0)
			_, _ = fmt.Sscan(fmt.Sprint(value), &n) // a device is counted in whole numbers
			f.Accelerators += n * pods
		}
	}
}

// A podKind is the spec of an object's pods, where it is, and how many of them for a replica.
type podKind struct {
	spec  map[string]any
	path  string
	count int64
}

// podsOf are the pods of an object.
func podsOf(u *unstructured.Unstructured) []podKind {
	switch u.GetKind() {
	case "LeaderWorkerSet":
		return groupPods(u.Object, "")
	case "DisaggregatedSet":
		var out []podKind
		roles, _, _ := unstructured.NestedSlice(u.Object, "spec", "roles")
		for i := range roles {
			role, _ := roles[i].(map[string]any)
			for _, p := range groupPods(role, fmt.Sprintf("spec.roles[%d].", i)) {
				p.count *= count(role, "spec", "replicas") * count(u.Object, "spec", "slices")
				out = append(out, p)
			}
		}
		return out
	}
	spec, _, _ := unstructured.NestedMap(u.Object, "spec", "template", "spec")
	return []podKind{{spec, "spec.template.spec", 1}}
}

// groupPods are the pods of a LeaderWorkerSet, which is at a path.
func groupPods(set map[string]any, at string) []podKind {
	pods := func(name string, count int64) (podKind, bool) {
		spec, found, _ := unstructured.NestedMap(set, "spec", "leaderWorkerTemplate", name, "spec")
		return podKind{spec, at + "spec.leaderWorkerTemplate." + name + ".spec", count}, found
	}
	size := count(set, "spec", "leaderWorkerTemplate", "size")
	leader, leads := pods("leaderTemplate", 1)
	if !leads {
		workers, _ := pods("workerTemplate", size)
		return []podKind{workers}
	}
	workers, _ := pods("workerTemplate", size-1)
	return []podKind{leader, workers}
}

// count is a number of an object, or 1.
func count(o map[string]any, path ...string) int64 {
	if n, ok, _ := unstructured.NestedInt64(o, path...); ok {
		return n
	}
	return 1
}
