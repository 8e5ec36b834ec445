package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDisaggregatedSet holds roles to what a DisaggregatedSet can have.
func TestDisaggregatedSet(t *testing.T) {
	const long = "a-name-of-thirty-three-characters"
	for _, tc := range []struct{ name, spec, want string }{
		{"two roles", `
model: {name: m}
prefill: {replicas: 2, rollout: {maxSurge: 1}}
decode: {disruptionBudget: {maxUnavailable: 1}, service: {}, parallelism: {nodes: 2, data: 2, expert: true}}
disaggregatedSet: {}`, ``},
		{"three roles", `
model: {name: m}
prefill: {}
encode: {}
scheduler: {failureMode: FailClose}
disaggregatedSet: {}`, ``},
		{"slices and their places", `
model: {name: m}
prefill: {}
disaggregatedSet: {slices: 2, placementPolicy: {type: ExclusiveSlice, topology: topology.kubernetes.io/zone}}`, `
info spec.disaggregatedSet.slices: needs a LeaderWorkerSet newer than 0.9, whose DisaggregatedSet has no slices
info spec.disaggregatedSet.placementPolicy: needs a LeaderWorkerSet newer than 0.9, whose DisaggregatedSet has none`},
		{"a place without domains", `
model: {name: m}
prefill: {}
disaggregatedSet: {placementPolicy: {type: ExclusiveSlice}}`, `spec.disaggregatedSet.placementPolicy.topology: required, but missing`},
		{"one role", `
model: {name: m}
disaggregatedSet: {}`, `spec.disaggregatedSet: needs a second role, and there are decode servers alone: add prefill or encode, or leave it out`},
		{"servers of others", `
model: {name: m}
server: {create: false}
pool: {selector: {app: x}}
prefill: {}
disaggregatedSet: {}`, `spec.disaggregatedSet: runs the servers that the stack makes, and spec.server.create is false`},
		{"variants and names of roles", `
model: {name: m}
prefill: {name: other}
decode: {variants: [{name: a}, {name: b}]}
disaggregatedSet: {}`, `
spec.prefill.name: names a workload of the role's own, and a DisaggregatedSet has all roles; set spec.disaggregatedSet.name
spec.decode.variants: cannot be roles of a DisaggregatedSet, which replaces servers that differ as one; leave out spec.disaggregatedSet, or the variants`},
		{"autoscaling", `
model: {name: m}
server: {resources: {requests: {cpu: 4}}}
prefill: {autoscaling: {max: 3, targetCPUUtilization: 70}}
disaggregatedSet: {}`, `spec.prefill.autoscaling: cannot scale a role of a DisaggregatedSet, which has no scale subresource for one; set replicas, or leave out spec.disaggregatedSet`},
		{"rollouts of other workloads", `
model: {name: m}
prefill: {rollout: {type: Recreate}}
decode: {rollout: {partition: 1, maxSurge: 0, maxUnavailable: 0}, parallelism: {nodes: 2, data: 2, expert: true}}
disaggregatedSet: {}`, `
spec.prefill.rollout.type: must be RollingUpdate in a DisaggregatedSet, which has nothing else
spec.decode.rollout.partition: cannot be combined with spec.disaggregatedSet, whose controller decides how far each role is replaced
spec.decode.rollout.maxUnavailable: must not be 0 beside maxSurge: 0, which would let no server be replaced`},
		{"a selector that was there", `
model: {name: m}
decode: {selector: {app: x}}
prefill: {}
pool: {selector: {app: x}}
disaggregatedSet: {}`, `
spec.decode.selector: selects the pods of spec.prefill too; name a label that only these have
spec.decode.selector: is of a workload that was there before the stack; the one of a DisaggregatedSet selects by labels of its own`},
		{"some of one role and none of another", `
model: {name: m}
prefill: {replicas: 0}
disaggregatedSet: {}`, `
spec.prefill.replicas: is 0, and other roles have servers: a DisaggregatedSet has some of each role, or none at all
warning spec.prefill.replicas: is 0: no server is started, and requests that need one fail`},
		{"placed twice", `
model: {name: m}
server: {podAnnotations: {leaderworkerset.sigs.k8s.io/exclusive-topology: rack}}
decode: {annotations: {leaderworkerset.sigs.k8s.io/exclusive-topology: rack}}
prefill: {}
disaggregatedSet: {placementPolicy: {type: ExclusiveSlice, topology: rack}}`, `
spec.server.podAnnotations[leaderworkerset.sigs.k8s.io/exclusive-topology]: cannot be combined with spec.disaggregatedSet.placementPolicy: both would place the pods
spec.decode.annotations[leaderworkerset.sigs.k8s.io/exclusive-topology]: cannot be combined with spec.disaggregatedSet.placementPolicy: both would place the pods`},
		{"groups placed in a set without slices", `
model: {name: m}
decode: {annotations: {leaderworkerset.sigs.k8s.io/exclusive-topology: rack}}
prefill: {}
disaggregatedSet: {}`, ``},
		{"a long name", `
model: {name: m}
prefill: {}
disaggregatedSet: {name: ` + long + `}`, `spec.disaggregatedSet.name: makes the name of a DisaggregatedSet of 33 characters, and at most 32 leave room for slice, revision and role in those of its pods; set a shorter spec.disaggregatedSet.name`},
		{"a claim of one node for all slices", `
model: {name: m, storage: {type: pvc, size: 10Gi, accessMode: ReadWriteOncePod}}
prefill: {}
disaggregatedSet: {slices: 3}`, `spec.model.storage.accessMode: ReadWriteOncePod lets one pod have the volume, and the stack has up to 6 that need it; use ReadWriteMany`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(strings.TrimSpace(tc.want), said(t, tc.spec)); d != "" {
				t.Error(d)
			}
		})
	}
}
