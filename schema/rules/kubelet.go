package rules

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// kubeletTakes refuses what the API server accepts and the kubelet does not start.
func kubeletTakes(s stack) (out []schema.Problem) {
	for _, l := range s.addedVolumes() {
		for i := range l.volumes {
			if e := l.volumes[i].EmptyDir; e != nil && !schema.KnownMedium(e.Medium) {
				out = append(out, s.Problem(schema.Error, finding.Indexed(l.path, i)+".emptyDir.medium", "must be left out, or be Memory, HugePages or HugePages-<size> (got %q)", e.Medium))
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
				if name == "memory" && q.Sign() > 0 && q.Value() < schema.LeastMemory && q.MilliValue()%1000 == 0 {
					out = append(out, s.Problem(schema.Error, finding.Join(r.path+"."+list.name, name, 0), "is %d bytes, in which no container starts: units such as Mi and Gi follow the number (got %s)", q.Value(), q.String()))
				}
				if name != "cpu" && !strings.Contains(name, "/") && q.MilliValue()%1000 != 0 {
					out = append(out, s.Problem(schema.Error, finding.Join(r.path+"."+list.name, name, 0), "is a fraction of a byte: m stands for a thousandth here, M and Mi for a million (got %s)", q.String()))
				}
			}
		}
	}
	return out
}
