package apiserver

import (
	"testing"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
)

var (
	table    = report.New("kube-apiserver: applied, and again", "manifests", "objects", "Pods admitted", "version", "CRDs")
	upgrades = report.New("kube-apiserver: the next version over the former", "manifests", "versions", "changed", "replaced", "pruned", "objects left")
)

func TestMain(m *testing.M) { report.Main(m, table, upgrades) }

// TestAPIServer starts one API server for all proofs.
func TestAPIServer(t *testing.T) {
	server := cluster.Start(t)
	storageClasses(t, server.Client(t))
	all := product.Examples(t)
	t.Run("examples", func(t *testing.T) { examples(t, server, append(product.Overlays(t), all...)) })
	t.Run("converted", func(t *testing.T) { converted(t, server) })
	t.Run("kubectl", func(t *testing.T) { kubectl(t, server, all) })
	t.Run("autoscaling", func(t *testing.T) { autoscaling(t, server, all) })
	t.Run("upgrades", func(t *testing.T) { lives(t, server, all) })
}

// asRoot are the examples whose Pods do not hold the restricted standard (docs/pod-security.md).
var asRoot = map[string]exemption{
	"tpu":                     {"baseline", "the vLLM image for TPUs runs as root"},
	"variants":                {"baseline", "the vLLM image for AMD's GPUs runs as root"},
	"wide-expert-parallelism": {"privileged", "the servers ask for IPC_LOCK and SYS_RAWIO for RDMA, as root"},
}

func examples(t *testing.T, server *cluster.Cluster, all []product.Example) {
	for _, example := range all {
		t.Run(example.Name, func(t *testing.T) {
			set := set{name: "examples/" + example.Name, objects: example.Objects, asRoot: asRoot[example.Name]}
			set.install(t, server)
		})
	}
}
