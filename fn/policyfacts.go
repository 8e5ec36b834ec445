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
		replicas := count(u, 1, "spec", "replicas")
		if n, scaled := most[u.GetName()]; scaled {
			replicas = n
		}
		for _, p := range podsOf(u) {
			pods := replicas * p.count
			for _, list := range []string{"initContainers", "containers"} {
				containers, _, _ := unstructured.NestedSlice(u.Object, append(p.spec, list)...)
				for i, c := range containers {
					facts.add(m, u, c, fmt.Sprintf("%s.%s[%d].image", strings.Join(p.spec, "."), list, i), pods)
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

// A podKind is where an object has a template of pods, and how many of them for a replica.
type podKind struct {
	spec  []string
	count int64
}

// podsOf are the templates of an object.
func podsOf(u *unstructured.Unstructured) []podKind {
	if u.GetKind() != "LeaderWorkerSet" {
		return []podKind{{[]string{"spec", "template", "spec"}, 1}}
	}
	within := func(name string) []string { return []string{"spec", "leaderWorkerTemplate", name, "spec"} }
	size := count(u, 1, "spec", "leaderWorkerTemplate", "size")
	if _, leads, _ := unstructured.NestedMap(u.Object, within("leaderTemplate")...); leads {
		return []podKind{{within("leaderTemplate"), 1}, {within("workerTemplate"), size - 1}}
	}
	return []podKind{{within("workerTemplate"), size}}
}

// count is a number of an object, or what stands for it.
func count(u *unstructured.Unstructured, instead int64, path ...string) int64 {
	if n, ok, _ := unstructured.NestedInt64(u.Object, path...); ok {
		return n
	}
	return instead
}
