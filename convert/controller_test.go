package convert

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
)

const withController = `apiVersion: llmd.opendatahub.io/v1alpha1
kind: LLMD
metadata: {name: infra, namespace: llm}
spec:
  modelServiceController:
    image: mine/controller:1
    replicas: 3
    resources: {limits: {cpu: 250m}}
    nodeSelector: {pool: system}
    tolerations: [{key: dedicated, operator: Exists}]
`

// TestKeepController emits the controller only when it is asked for.
func TestKeepController(t *testing.T) {
	docs, problems := document.Read("llmd.yaml", []byte(withController))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if r := Convert(docs, Options{}); len(r.Objects) != 0 || len(r.Problems.Errors()) != 0 {
		t.Errorf("%d objects, %v", len(r.Objects), r.Problems)
	}
	r := Convert(docs, Options{KeepController: true})
	var all strings.Builder
	for _, o := range r.Objects {
		all.Write(text(t, o))
	}
	for _, want := range []string{"kind: Deployment", "kind: ClusterRole\n", "kind: ClusterRoleBinding", "kind: ServiceAccount", "image: mine/controller:1", "replicas: 3", "cpu: 250m", "pool: system", "key: dedicated", "--epp-cluster-role=llm-infra-modelservice-controller-epp"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no %q in\n%s", want, all.String())
		}
	}
	if strings.Contains(all.String(), "status:") {
		t.Error("a status is written")
	}
}
