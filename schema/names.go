package schema

// Longest names of workloads whose pods carry them in a label of at most 63 characters:
// controller-revision-hash is the StatefulSet's name, a hyphen and a hash of up to 10
// characters (kubernetes pkg/controller/history/controller_history.go). The StatefulSets
// of a LeaderWorkerSet's workers are named after the group too, as name-0 to name-999.
const (
	MaxStatefulSetName = 52
	MaxGroupName       = 48
)

// CertDirectory is where servers and sidecars find their certificate.
const CertDirectory = "/etc/server/tls"

// Selects reports whether all labels of a selector are among those of a pod.
func Selects(selector, labels map[string]string) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return true
}
