package server

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// TestRollout holds that an update goes as the stack says, for servers and for groups of
// pods, and that nothing is said of it otherwise.
func TestRollout(t *testing.T) {
	plain := Objects(stacktest.Parse(t, "model: {name: m}"))[0].(*appsv1.Deployment)
	if plain.Spec.Strategy.Type != "" {
		t.Error(plain.Spec.Strategy)
	}
	own := Objects(stacktest.Parse(t, "model: {name: m}\ndecode: {rollout: {maxSurge: 0, maxUnavailable: 50%}}"))[0].(*appsv1.Deployment)
	if u := own.Spec.Strategy.RollingUpdate; u == nil || u.MaxSurge.String() != "0" || u.MaxUnavailable.String() != "50%" {
		t.Error(own.Spec.Strategy)
	}
	group := Objects(stacktest.Parse(t, "model: {name: m}\ndecode: {rollout: {maxSurge: 1}, parallelism: {nodes: 2, data: 2, expert: true}}"))[0].(*lwsv1.LeaderWorkerSet)
	if c := group.Spec.RolloutStrategy.RollingUpdateConfiguration; c == nil || c.MaxSurge.String() != "1" || c.MaxUnavailable.String() != "1" {
		t.Error(group.Spec.RolloutStrategy)
	}
}
