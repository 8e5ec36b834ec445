// Package cluster runs a real kube-apiserver and etcd with the CRDs of every project that reads what Inferstack emits.
//
// There are no kubelets, and no controllers unless a test starts them: what it needs from them, such as the status of a Pod,
// it writes itself.
package cluster

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/inferstack/inferstack/conformance/assets"
)

// Cluster is a running API server.
type Cluster struct {
	// Config is the administrator's.
	Config *rest.Config
	// CRDs is how many custom resource definitions are installed.
	CRDs int
	// Version is the API server's release.
	Version string
}

// Start runs an API server until the test ends, with every CRD of the supported platforms.
func Start(t testing.TB) *Cluster {
	t.Helper()
	return start(t, customResources(t))
}

// StartFor runs an API server that has only the CRDs of the objects' kinds and those that an endpoint picker watches,
// for proofs to which any other would only be work.
func StartFor(t testing.TB, objects []*unstructured.Unstructured) *Cluster {
	t.Helper()
	return start(t, needed(customResources(t), objects))
}

func start(t testing.TB, crds []*unstructured.Unstructured) *Cluster {
	t.Helper()
	log.SetLogger(logr.Discard())
	version, err := assets.Version("kube-apiserver")
	if err != nil {
		t.Fatal(err)
	}
	env := &envtest.Environment{
		BinaryAssetsDirectory:    binaries(t),
		ControlPlaneStartTimeout: 2 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
	}
	config, err := env.Start()
	if err != nil {
		t.Fatalf("start kube-apiserver %s: %v", version, err)
	}
	t.Cleanup(func() {
		if err := env.Stop(); err != nil {
			t.Errorf("stop kube-apiserver: %v", err)
		}
	})
	config.QPS, config.Burst = 500, 1000
	c := &Cluster{Config: config, Version: version}
	c.install(t, crds)
	return c
}

// binaries lays both programs into one folder, which is how envtest wants them.
func binaries(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"etcd", "kube-apiserver"} {
		if err := os.Symlink(assets.Binary(t, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func (c *Cluster) install(t testing.TB, crds []*unstructured.Unstructured) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	client := c.Client(t)
	for _, crd := range crds {
		if result := client.Apply(ctx, crd); result.Err != nil {
			t.Fatalf("install %s: %v", crd.GetName(), result.Err)
		}
	}
	for _, crd := range crds {
		if err := client.established(ctx, crd.GetName()); err != nil {
			t.Fatalf("CRD %s: %v", crd.GetName(), err)
		}
	}
	c.CRDs = len(crds)
}
