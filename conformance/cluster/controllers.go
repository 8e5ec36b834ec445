package cluster

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/kubelet"
)

// controllers are those of kube-controller-manager that act on what Inferstack emits. The others would need keys, clouds
// or volumes.
var controllers = strings.Join([]string{
	"deployment-controller", "replicaset-controller", "statefulset-controller", "endpointslice-controller",
	"disruption-controller", "horizontal-pod-autoscaler-controller", "garbage-collector-controller",
}, ",")

// Controllers runs kube-controller-manager over the API server until the test ends.
func (c *Cluster) Controllers(t testing.TB) *kubelet.Process {
	t.Helper()
	return kubelet.Start(t, exec.Command(assets.Binary(t, "kube-controller-manager"),
		"--kubeconfig="+c.Kubeconfig(t),
		"--controllers="+controllers,
		"--leader-elect=false",
		"--secure-port=0",
		"--cert-dir="+t.TempDir(),
		"--horizontal-pod-autoscaler-sync-period=1s",
	))
}
