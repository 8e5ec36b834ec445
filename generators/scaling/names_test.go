package scaling

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/generators/redis"
)

func TestLongNamesLeaveRoomForHashes(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
decode: {parallelism: {tensor: 4, nodes: 2}, disruptionBudget: {maxUnavailable: 1}}
kvCache: {redis: {persistence: {size: 1Gi}}}`)
	s.Metadata.Name = strings.Repeat("a", 50)
	if name := s.Decode().WorkloadName(); len(name) > 48 {
		t.Errorf("%s has %d characters", name, len(name))
	}
	if name := redis.Name(s); len(name) > 52 {
		t.Errorf("%s has %d characters", name, len(name))
	}
	if in := guarded(s.Decode()).MatchExpressions; len(in) != 1 || strings.Join(in[0].Values, " ") != "decode decode-worker" {
		t.Errorf("the budget guards %v", in)
	}
}
