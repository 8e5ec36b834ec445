package server

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/internal/apis"
)

// TestDisaggregatedSet has roles as one workload, without their pods, which are those of a Deployment or of a
// LeaderWorkerSet.
func TestDisaggregatedSet(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"as little as possible", `
model: {name: m}
prefill: {replicas: 3}
disaggregatedSet: {}`, `
roles:
- {name: prefill, spec: {replicas: 3, leaderWorkerTemplate: {size: 1, restartPolicy: None}, rolloutStrategy: {type: RollingUpdate, rollingUpdateConfiguration: {maxSurge: 0, maxUnavailable: 1}}, startupPolicy: LeaderCreated}}
- {name: decode, spec: {replicas: 1, leaderWorkerTemplate: {size: 1, restartPolicy: None}, rolloutStrategy: {type: RollingUpdate, rollingUpdateConfiguration: {maxSurge: 0, maxUnavailable: 1}}, startupPolicy: LeaderCreated}}`},
		{"slices, a place for each, and groups", `
model: {name: m}
prefill: {rollout: {maxSurge: 1}, parallelism: {data: 16, nodes: 2, expert: true}}
disaggregatedSet: {slices: 4, placementPolicy: {type: ExclusiveTopology, topology: example.com/rack}}`, `
slices: 4
placementPolicy: {type: ExclusiveTopology, topology: example.com/rack}
roles:
- {name: prefill, spec: {replicas: 1, leaderWorkerTemplate: {size: 2, restartPolicy: RecreateGroupOnPodRestart}, rolloutStrategy: {type: RollingUpdate, rollingUpdateConfiguration: {maxSurge: 1, maxUnavailable: 0}}, startupPolicy: LeaderCreated}}
- {name: decode, spec: {replicas: 1, leaderWorkerTemplate: {size: 1, restartPolicy: None}, rolloutStrategy: {type: RollingUpdate, rollingUpdateConfiguration: {maxSurge: 0, maxUnavailable: 1}}, startupPolicy: LeaderCreated}}`},
		{"encode servers", `
model: {name: m}
encode: {}
disaggregatedSet: {}`, `
roles:
- {name: encode, spec: {replicas: 1, leaderWorkerTemplate: {size: 1, restartPolicy: None}, rolloutStrategy: {type: RollingUpdate, rollingUpdateConfiguration: {maxSurge: 0, maxUnavailable: 1}}, startupPolicy: LeaderCreated}}
- {name: decode, spec: {replicas: 1, leaderWorkerTemplate: {size: 1, restartPolicy: None}, rolloutStrategy: {type: RollingUpdate, rollingUpdateConfiguration: {maxSurge: 0, maxUnavailable: 1}}, startupPolicy: LeaderCreated}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all := Objects(stacktest.Parse(t, tc.spec))
			if len(all) != 1 {
				t.Fatalf("%d objects", len(all))
			}
			spec := all[0].(*apis.DisaggregatedSet).Spec
			for i := range spec.Roles {
				role := &spec.Roles[i]
				if pods := role.Spec.LeaderWorkerTemplate.WorkerTemplate; pods.Labels["llm-d.ai/role"] != role.Name || len(pods.Spec.Containers) == 0 {
					t.Errorf("%s: the pods are others: %v", role.Name, pods.Labels)
				}
				role.Labels = nil
			}
			data, err := yaml.Marshal(spec)
			if err != nil {
				t.Fatal(err)
			}
			var have, want map[string]any
			if err := yaml.Unmarshal(data, &have); err != nil {
				t.Fatal(err)
			}
			if err := yaml.Unmarshal([]byte(tc.want), &want); err != nil {
				t.Fatal(err)
			}
			for _, role := range have["roles"].([]any) {
				role := role.(map[string]any)
				delete(role, "metadata")
				spec := role["spec"].(map[string]any)
				delete(spec["leaderWorkerTemplate"].(map[string]any), "workerTemplate")
				delete(spec, "networkConfig")
			}
			if d := cmp.Diff(want, have); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestDisaggregatedSetMetadata has what server says on the set, and what a role says on the role.
func TestDisaggregatedSetMetadata(t *testing.T) {
	set := Objects(stacktest.Parse(t, `
model: {name: m}
server: {labels: {team: a}, annotations: {note: all}}
prefill: {labels: {team: b}}
disaggregatedSet: {name: own}`))[0].(*apis.DisaggregatedSet)
	if set.Name != "own" || set.Labels["team"] != "a" || set.Annotations["note"] != "all" {
		t.Errorf("%+v", set.ObjectMeta)
	}
	prefill, decode := set.Spec.Roles[0], set.Spec.Roles[1]
	if prefill.Labels["team"] != "b" || prefill.Annotations["note"] != "all" || decode.Labels["team"] != "a" || prefill.ObjectMeta.Name != "" {
		t.Errorf("%+v %+v", prefill.ObjectMeta, decode.ObjectMeta)
	}
}
