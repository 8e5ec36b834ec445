package generators

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/inferstack/inferstack/generators/epp"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/generators/redis"
	"github.com/inferstack/inferstack/generators/render"
)

// TestHelpersAreNotInThePool holds that the pool's selector finds servers only.
func TestHelpersAreNotInThePool(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
scheduler: {preset: precise-prefix}
kvCache: {redis: {index: true}}`)
	for name, generate := range map[string]generator{"epp": epp.Objects, "render": render.Objects, "redis": redis.Objects} {
		pods := stacktest.OfType[*appsv1.Deployment](generate(s))
		if len(pods) != 1 || stacktest.Has(pods[0].Spec.Template.Labels, s.PoolSelector()) {
			t.Errorf("%s: the pool selects one of %d Deployments", name, len(pods))
		}
	}
}
