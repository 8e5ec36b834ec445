package fn

import (
	"strings"
	"testing"
)

const claims = `{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "a", "namespace": "n", "uid": "x"}, "status": {"phase": "PHASE"}},
  {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "n", "uid": "y"}}
]}`

func TestStatus(t *testing.T) {
	bound, pending := strings.Replace(claims, "PHASE", "Bound", 1), strings.Replace(claims, "PHASE", "Pending", 1)
	ready := "STACK  COMPONENT              STATUS  PODS  OBJECTS\nn/-    ConfigMap              ready   -     1/1\nn/-    PersistentVolumeClaim  ready   -     1/1\n"
	if got := call(t, bound, "status"); got != (outcome{0, ready, ""}) {
		t.Errorf("%+v", got)
	}
	if got := call(t, pending, "status"); got.code != 1 || !strings.HasSuffix(got.out, "\nPersistentVolumeClaim n/a is progressing\n  PVC is not Bound. phase: Pending\n") {
		t.Errorf("%+v", got)
	}
	yaml := "components:\n- component: ConfigMap\n  namespace: \"n\"\n  objects:\n  - kind: ConfigMap\n    name: a\n    namespace: \"n\"\n    state: ready\n  state: ready\n"
	if got := call(t, pending, "status", "-", "-o", "yaml"); got.code != 1 || !strings.HasPrefix(got.out, yaml) {
		t.Errorf("%+v", got)
	}
	if got := call(t, bound, "status", "-o", "json"); got.code != 0 || !strings.HasPrefix(got.out, "{\n  \"state\": \"ready\",\n  \"components\": [\n") {
		t.Errorf("%+v", got)
	}
	for _, stdin := range []string{"", small, "{", "a: b"} {
		if got := call(t, stdin, "status"); got.code != exitUsage || got.out != "" || got.errors == "" {
			t.Errorf("%q: %+v", stdin, got)
		}
	}
}

// TestStatusLacksPods: who asks without the pods is told what they would add, and nobody else.
func TestStatusLacksPods(t *testing.T) {
	const workload = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: n, uid: x, generation: 1}\nspec: {replicas: 1}\nstatus: {observedGeneration: 1, REPLICAS}\n"
	waiting := strings.Replace(workload, "REPLICAS", "replicas: 1, updatedReplicas: 1", 1)
	const pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: n, uid: y}\nstatus: {phase: Pending}\n"
	for _, tt := range []struct {
		in, output string
		told       bool
	}{
		{waiting, "text", true}, {waiting, "json", false}, {waiting + pod, "text", false},
		{strings.Replace(claims, "PHASE", "Pending", 1), "text", false},
		{strings.Replace(workload, "REPLICAS", "replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1, conditions: [{type: Available, status: \"True\"}]", 1), "text", false},
	} {
		if got := call(t, tt.in, "status", "-o", tt.output); strings.Contains(got.errors, "kubectl get pods") != tt.told {
			t.Errorf("%s %s: %+v", tt.output, tt.in, got)
		}
	}
}

// TestStatusMissing holds live objects against those that the stack makes.
func TestStatusMissing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"stack.yaml": small})
	t.Chdir(dir)
	live := `{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "llama-epp", "namespace": "inference", "uid": "x",
   "labels": {"app.kubernetes.io/instance": "llama", "app.kubernetes.io/component": "epp"}}}]}`
	for _, stdin := range []string{live, ""} {
		got := call(t, stdin, "status", "--stack", "stack.yaml")
		if got.code != exitError || !strings.Contains(got.out, "Deployment inference/llama-decode is failing\n  is not in the cluster\n") {
			t.Errorf("%+v", got)
		}
		if missing := strings.Contains(got.out, "ServiceAccount inference/llama-epp is failing"); missing != (stdin == "") {
			t.Errorf("the account is missing: %v in\n%s", missing, got.out)
		}
	}
	if got := call(t, live, "status", "--stack", "nowhere.yaml"); got.code != exitUsage {
		t.Errorf("%+v", got)
	}
}
