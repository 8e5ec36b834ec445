package epp

import (
	"testing"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

func TestQueueTurnsFlowControlOn(t *testing.T) {
	for _, preset := range []string{"default", "queue", "prefix-aware"} {
		s := stacktest.Parse(t, `
model: {name: m}
monitoring: {}
scheduler: {preset: `+preset+`}
decode: {autoscaling: {max: 2, targetQueueSize: 8}}`)
		stacktest.AsYAML(t, "- flowControl", config(s)["featureGates"])
	}
}
