package server

import (
	"testing"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// TestIDs holds who chooses the ids, and that a claim's weights change hands once.
func TestIDs(t *testing.T) {
	for spec, want := range map[string]string{
		"": `
fsGroup: 1000
runAsNonRoot: true
runAsUser: 1000
seccompProfile:
  type: RuntimeDefault`,
		"model: {name: m, source: pvc://c}": `
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
runAsNonRoot: true
runAsUser: 1000
seccompProfile:
  type: RuntimeDefault`,
		"model: {name: m, source: pvc://c}\nsecurity: {platformIDs: true}": `
runAsNonRoot: true
seccompProfile:
  type: RuntimeDefault`,
	} {
		stacktest.AsYAML(t, want, template(t, stacktest.StackOf(t, spec), "decode").Spec.SecurityContext)
	}
}
