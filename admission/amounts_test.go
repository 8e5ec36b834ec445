package admission

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// TestPodAmounts holds the resources of a pod as a whole against those of its containers.
func TestPodAmounts(t *testing.T) {
	for _, c := range []struct{ name, pod, at string }{
		{"enough", `{resources: {requests: {memory: 3Gi}}, containers: [{resources: {requests: {memory: 1Gi}}}, {resources: {requests: {memory: 2Gi}}}]}`, ""},
		{"two containers", `{resources: {requests: {memory: 2Gi}}, containers: [{resources: {requests: {memory: 1Gi}}}, {resources: {requests: {memory: 2Gi}}}]}`, "requests[memory]"},
		{"a sidecar counts", `{resources: {requests: {memory: 1Gi}}, initContainers: [{restartPolicy: Always, resources: {requests: {memory: 128Mi}}}], containers: [{resources: {requests: {memory: 1Gi}}}]}`, "requests[memory]"},
		{"an init container counts where it needs more", `{resources: {requests: {cpu: "1"}}, initContainers: [{resources: {requests: {cpu: "2"}}}], containers: [{}]}`, "requests[cpu]"},
		{"and not beside the others", `{resources: {requests: {cpu: "2"}}, initContainers: [{resources: {requests: {cpu: "2"}}}], containers: [{resources: {requests: {cpu: "2"}}}]}`, ""},
		{"a limit is requested", `{resources: {requests: {memory: 1Gi}}, containers: [{resources: {limits: {memory: 2Gi}}}]}`, "requests[memory]"},
		{"a limit of the pod alone", `{resources: {limits: {memory: "2"}}, containers: [{resources: {requests: {memory: 128Mi}}}]}`, "limits[memory]"},
		{"a limit of the pod alone, and a sidecar", `{resources: {limits: {memory: 1Mi}}, initContainers: [{restartPolicy: Always, resources: {requests: {memory: 128Mi}}}], containers: [{}]}`, "limits[memory]"},
		{"huge pages together", `{resources: {limits: {hugepages-2Mi: 4Mi, memory: 1Gi}}, containers: [{resources: {limits: {hugepages-2Mi: 4Mi, memory: 1Mi}}}, {resources: {limits: {hugepages-2Mi: 2Mi, memory: 1Mi}}}]}`, "limits[hugepages-2Mi]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var spec corev1.PodSpec
			if err := yaml.UnmarshalStrict([]byte(c.pod), &spec); err != nil {
				t.Fatal(err)
			}
			for i := range spec.Containers {
				spec.Containers[i].Name = string(rune('a' + i))
				spec.Containers[i].Image = "i"
			}
			for i := range spec.InitContainers {
				spec.InitContainers[i].Name, spec.InitContainers[i].Image = "init", "i"
			}
			var found []string
			j := &judge{}
			j.podSpec(nil, &spec)
			for _, flaw := range j.flaws {
				if at, ok := strings.CutPrefix(flaw.Path, "resources."); ok {
					found = append(found, at)
				}
			}
			want := []string{c.at}
			if c.at == "" {
				want = nil
			}
			if !slices.Equal(found, want) {
				t.Errorf("found %q, want %q", found, want)
			}
		})
	}
}
