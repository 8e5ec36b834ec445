package generators

import (
	"strings"
	"testing"
)

func TestLowPorts(t *testing.T) {
	for spec, want := range map[string]int{
		"model: {name: m}":                                                 0,
		"model: {name: m}\nserver: {port: 80}":                             1,
		"model: {name: m}\nserver: {sidecarTargetPort: 81}\nprefill: {}":   1,
		"model: {name: m}\nkvTransfer: {sideChannelPort: 99}\nprefill: {}": 1,
	} {
		if got := len(template(t, parse(t, spec), "decode").Spec.SecurityContext.Sysctls); got != want {
			t.Errorf("%s: %d sysctls, want %d", spec, got, want)
		}
	}
}

func TestLongNamesLeaveRoomForHashes(t *testing.T) {
	s := parse(t, `
model: {name: m}
decode: {parallelism: {tensor: 4, nodes: 2}, disruptionBudget: {maxUnavailable: 1}}
kvCache: {redis: {persistence: {size: 1Gi}}}`)
	s.Metadata.Name = strings.Repeat("a", 50)
	if name := s.decode().roleName(); len(name) > 48 {
		t.Errorf("%s has %d characters", name, len(name))
	}
	if name := s.redisName(); len(name) > 52 {
		t.Errorf("%s has %d characters", name, len(name))
	}
	if in := s.decode().guarded().MatchExpressions; len(in) != 1 || strings.Join(in[0].Values, " ") != "decode decode-worker" {
		t.Errorf("the budget guards %v", in)
	}
}
