package apiserver

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/product"
)

// kubectl takes an example through the gateways with kubectl's own pruning: an ApplySet, of which what vanished from the
// manifests is deleted.
func kubectl(t *testing.T, server *cluster.Cluster, all []product.Example) {
	program, err := exec.LookPath("kubectl")
	if err != nil {
		t.Fatalf("kubectl is missing: %v", err)
	}
	i := slices.IndexFunc(all, func(e product.Example) bool { return e.Name == "prefill-decode-envoyfilter" })
	client := server.Client(t)
	s := &stack{example: all[i], client: client, stacks: all[i].Stacks(t), level: "restricted", scratch: t.TempDir()}
	t.Cleanup(func() { client.Remove(t, append(s.objects, applySet)) })
	kubeconfig := server.Kubeconfig(t)
	for _, edit := range []string{
		`{}`,
		`spec: {gateway: {class: kgateway, istio: null}, prefill: null}`,
		`spec: {gateway: {class: agentgateway}, model: {storage: {type: pvc, size: 10Gi}}}`,
		`spec: {gateway: null, model: {storage: null}}`,
	} {
		s.stacks = s.stacks.Edit(t, edit)
		s.rendered, s.objects = s.render(t, s.stacks)
		s.namespaces(t, s.objects)
		cmd := exec.CommandContext(t.Context(), program, "apply", "--server-side", "--prune",
			"--applyset=configmaps/"+applySet.GetName(), "--namespace="+applySet.GetNamespace(), "--filename="+s.rendered)
		cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "KUBECTL_APPLYSET=true")
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Run(); err != nil {
			t.Fatalf("kubectl: %v\n%s", err, said.String())
		}
		release(t, s)
		s.left(t, applySet)
	}
	upgrades.Row(t, "examples/"+s.example.Name+" with kubectl", s.versions, "-", "-", "-", len(s.objects))
}

// applySet is the object by which kubectl remembers what it applied.
var applySet = &unstructured.Unstructured{Object: map[string]any{
	"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "llama-set", "namespace": "llm-d"},
}}

// release lets go of claims that are to be deleted: the volume controller, which would do it, is not here.
func release(t *testing.T, s *stack) {
	t.Helper()
	for _, object := range s.kinds.live(t, s.client, "") {
		if object.GetDeletionTimestamp() != nil {
			if err := s.client.Free(t.Context(), object); err != nil {
				t.Error(err)
			}
		}
	}
}
