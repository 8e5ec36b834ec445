package schema

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// LeastMemory is what a container needs at least to be started (cri-o
// internal/config/cgmgr, containerd and runc ask for about as much).
const LeastMemory = 1 << 20

// KnownMedium reports whether the kubelet can make an emptyDir of a medium (kubernetes
// pkg/volume/emptydir/empty_dir.go, SetUpAt).
func KnownMedium(m corev1.StorageMedium) bool {
	return m == corev1.StorageMediumDefault || m == corev1.StorageMediumMemory || m == corev1.StorageMediumHugePages ||
		strings.HasPrefix(string(m), string(corev1.StorageMediumHugePagesPrefix))
}
