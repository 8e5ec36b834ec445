package manifests

import (
	"slices"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/schema/document"
)

// makers are kinds of which controllers make further objects: a Deployment's ReplicaSets, the
// Service that Istio makes for an InferencePool, what runs a Gateway.
var makers = []string{"DaemonSet", "Deployment", "DisaggregatedSet", "Gateway", "InferencePool", "Job", "LeaderWorkerSet", "ReplicaSet", "StatefulSet", "ScaledObject"}

// owned reports whether a controller made the object of another that a stack makes: it is not to be
// applied, and goes and comes with that one.
func owned(d document.Document) bool {
	list := d.At("metadata.ownerReferences")
	if list == nil {
		return false
	}
	for _, owner := range list.Content {
		if slices.Contains(makers, krm.Text(owner, "kind")) {
			return true
		}
	}
	return false
}
