package status

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// workload is what kstatus says, with what the controller says of a rollout that is stuck or
// of pods that the API server refuses, for want of quota or by a policy (Kubernetes 1.36
// pkg/controller/deployment/util, pkg/controller/replicaset).
func workload(u *unstructured.Unstructured) Verdict {
	v := general(u)
	seen, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
	if v.State == Ready || seen < u.GetGeneration() {
		return v
	}
	if c := conditionOf(u.Object["status"], "ReplicaFailure"); c != nil && c["status"] == "True" {
		return Verdict{Failing, "ReplicaFailure: " + because(c)}
	}
	if c := conditionOf(u.Object["status"], "Progressing"); c != nil && c["status"] == "False" {
		return Verdict{Failing, "Progressing: " + because(c)}
	}
	return v
}

// LacksPods reports whether a workload is not ready and no pods were read that say why.
func (r Report) LacksPods() bool {
	waits := false
	for _, c := range r.Components {
		for _, o := range c.Objects {
			switch o.Kind {
			case "Pod":
				return false
			case "Deployment", "StatefulSet", "DaemonSet", "LeaderWorkerSet", "DisaggregatedSet", "Job":
				waits = waits || o.State != Ready && o.Reason != missing
			}
		}
	}
	return waits
}

// attached asks for the condition of GKE's policies.
func attached(u *unstructured.Unstructured) Verdict {
	if conditionOf(u.Object["status"], "Attached") == nil {
		return Verdict{Progressing, "GKE has not attached it; does a Gateway of GKE lead to its target?"}
	}
	return conditions(u, u.Object["status"], "Attached")
}
