package server

import (
	"testing"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// TestRollouts holds that a server with accelerators is replaced in place unless the user
// knows that some are spare.
func TestRollouts(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"accelerators", ``, `
rollingUpdate:
  maxSurge: 0
  maxUnavailable: 1
type: RollingUpdate`},
		{"none to wait for", `server: {engine: simulator}`, `{}`},
		{"some are spare", `decode: {rollout: {maxSurge: 1}}`, `
rollingUpdate:
  maxSurge: 1
  maxUnavailable: 0
type: RollingUpdate`},
		{"several at a time", `decode: {rollout: {maxUnavailable: 25%}}`, `
rollingUpdate:
  maxSurge: 0
  maxUnavailable: 25%
type: RollingUpdate`},
		{"none may be away", `decode: {rollout: {maxUnavailable: 0}}`, `
rollingUpdate:
  maxSurge: 1
  maxUnavailable: 0
type: RollingUpdate`},
		{"all at once", `decode: {rollout: {type: Recreate}}`, `
type: Recreate`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := server{stacktest.StackOf(t, tc.spec).Decode()}
			stacktest.AsYAML(t, tc.want, s.strategy())
		})
	}
	groups := server{stacktest.StackOf(t, "decode: {parallelism: {nodes: 2, tensor: 2}, rollout: {partition: 1}}").Decode()}
	stacktest.AsYAML(t, `
rollingUpdateConfiguration:
  maxSurge: 0
  maxUnavailable: 1
  partition: 1
type: RollingUpdate`, groups.groupStrategy())
}

// TestProbesHaveNoKey holds that a probe does not ask what only a key opens.
func TestProbesHaveNoKey(t *testing.T) {
	for spec, want := range map[string]string{
		"": "/v1/models",
		"server: {args: [--api-key, $(KEY)], env: [{name: KEY, valueFrom: {secretKeyRef: {name: s, key: k}}}]}": "/health",
		"server: {args: [--api_key=$(KEY)], env: [{name: KEY, valueFrom: {secretKeyRef: {name: s, key: k}}}]}":  "/health",
		"decode: {env: [{name: VLLM_API_KEY, valueFrom: {secretKeyRef: {name: s, key: k}}}]}":                   "/health",
	} {
		s := server{stacktest.StackOf(t, spec).Decode()}
		for _, probe := range []string{s.startupProbe().HTTPGet.Path, s.readinessProbe().HTTPGet.Path} {
			if probe != want {
				t.Errorf("%s: a probe asks %s, not %s", spec, probe, want)
			}
		}
	}
}
