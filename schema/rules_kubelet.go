package schema

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// LeastMemory is what a container needs at least to be started (cri-o
// internal/config/cgmgr, containerd and runc ask for about as much).
const LeastMemory = 1 << 20

// kubeletTakes refuses what the API server accepts and the kubelet does not start.
func kubeletTakes(s *Stack) []Problem {
	var out []Problem
	for _, l := range s.addedVolumes() {
		for i := range l.volumes {
			if e := l.volumes[i].EmptyDir; e != nil && !KnownMedium(e.Medium) {
				out = append(out, s.Problem(Error, indexed(l.path, i)+".emptyDir.medium", "must be left out, or be Memory, HugePages or HugePages-<size> (got %q)", e.Medium))
			}
		}
	}
	for _, r := range s.requirements() {
		for _, list := range []struct {
			name  string
			items map[string]resource.Quantity
		}{{"requests", r.Requests}, {"limits", r.Limits}} {
			for _, name := range slices.Sorted(maps.Keys(list.items)) {
				q := list.items[name]
				if name == "memory" && q.Sign() > 0 && q.Value() < LeastMemory && q.MilliValue()%1000 == 0 {
					out = append(out, s.Problem(Error, join(r.path+"."+list.name, name, 0), "is %d bytes, in which no container starts: units such as Mi and Gi follow the number (got %s)", q.Value(), q.String()))
				}
				if name != "cpu" && !strings.Contains(name, "/") && q.MilliValue()%1000 != 0 {
					out = append(out, s.Problem(Error, join(r.path+"."+list.name, name, 0), "is a fraction of a byte: m stands for a thousandth here, M and Mi for a million (got %s)", q.String()))
				}
			}
		}
	}
	return out
}

// KnownMedium reports whether the kubelet can make an emptyDir of a medium (kubernetes
// pkg/volume/emptydir/empty_dir.go, SetUpAt).
func KnownMedium(m corev1.StorageMedium) bool {
	return m == corev1.StorageMediumDefault || m == corev1.StorageMediumMemory || m == corev1.StorageMediumHugePages ||
		strings.HasPrefix(string(m), string(corev1.StorageMediumHugePagesPrefix))
}
