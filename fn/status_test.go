package main

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
	ready := "STACK  COMPONENT              STATUS  READY\nn/-    ConfigMap              ready   1/1\nn/-    PersistentVolumeClaim  ready   1/1\n"
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
