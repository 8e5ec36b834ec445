package manifests

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/long"
)

// TestFromCluster finds the same stack for objects as a cluster has them, with what the API server
// and controllers write into them.
func TestFromCluster(t *testing.T) {
	long.Skip(t) // TestOwnedObjects converts the same objects
	dir := byhand + "optimized-baseline/"
	lives := strings.NewReplacer(
		"metadata:\n  name:", "status: {observedGeneration: 1}\nmetadata:\n  uid: u\n  resourceVersion: '1'\n  managedFields: [{manager: kubectl}]\n  annotations: {deployment.kubernetes.io/revision: '2', kubectl.kubernetes.io/last-applied-configuration: '{}'}\n  name:",
		"    spec:\n      containers:", "    spec:\n      restartPolicy: Always\n      dnsPolicy: ClusterFirst\n      schedulerName: default-scheduler\n      terminationGracePeriodSeconds: 30\n      containers:",
		"          name: modelserver\n", "          name: modelserver\n          terminationMessagePath: /dev/termination-log\n          terminationMessagePolicy: File\n",
		"            path: /health\n", "            path: /health\n            scheme: HTTP\n",
		"          failureThreshold: 3\n", "          failureThreshold: 3\n          successThreshold: 1\n",
		"  replicas: 8\n", "  replicas: 8\n  progressDeadlineSeconds: 600\n  revisionHistoryLimit: 10\n  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}\n",
	)
	text := lives.Replace(string(content(t, dir+"objects.yaml")))
	for _, word := range []string{"status:", "dnsPolicy", "terminationMessagePath", "revisionHistoryLimit"} {
		if !strings.Contains(text, word) {
			t.Fatal("the objects are not as a cluster has them:", word)
		}
	}
	r := converted(t, []byte(text), Options{})
	if len(r.Stacks) != 1 {
		t.Fatal(r.Problems)
	}
	golden(t, dir+"stack.yaml", r.Stacks[0].Node)
}

// TestOwnedObjects leaves alone what controllers make of the objects of a stack, and takes what an
// operator made.
func TestOwnedObjects(t *testing.T) {
	dir := byhand + "optimized-baseline/"
	text := string(content(t, dir+"objects.yaml"))
	of := func(kind string) string {
		return "  ownerReferences: [{apiVersion: v1, kind: " + kind + ", name: o, uid: u, controller: true}]\n"
	}
	const selector = "  selector: {matchLabels: {llm-d.ai/role: decode}}\n"
	text += "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata:\n  name: owned-6f7c9d8b4\n  namespace: llm-d\n" + of("Deployment") + "spec:\n" + selector +
		"  template: {metadata: {labels: {llm-d.ai/role: decode}}, spec: {containers: [{name: a, image: a:1}]}}\n" +
		"---\napiVersion: v1\nkind: Service\nmetadata:\n  name: owned-ip-1a2b3c4d\n  namespace: llm-d\n" + of("InferencePool") + "spec: {clusterIP: None, selector: {llm-d.ai/role: decode}, ports: [{port: 54321}]}\n"
	text = strings.Replace(text, "kind: Deployment\nmetadata:\n", "kind: Deployment\nmetadata:\n"+of("LLMInferenceService"), 1)
	r := converted(t, []byte(text), Options{})
	if len(r.Stacks) != 1 {
		t.Fatal(r.Problems)
	}
	golden(t, dir+"stack.yaml", r.Stacks[0].Node)
	alone := 0
	for _, d := range r.Alone {
		if strings.HasPrefix(d.Name, "owned-") {
			alone++
		}
	}
	if alone != 2 {
		t.Errorf("%d of 2 are left alone: %v", alone, r.Alone)
	}
}

// TestGatewayKeepsItsClass has no DestinationRule, which every stack behind Istio makes: objects of
// another class would be nearer, and a Gateway of another class is another proxy.
func TestGatewayKeepsItsClass(t *testing.T) {
	text := string(content(t, "../../testdata/golden/quickstart.yaml"))
	var kept []string
	for document := range strings.SplitSeq(text, "\n---\n") {
		if !strings.Contains(document, "kind: DestinationRule") {
			kept = append(kept, document)
		}
	}
	for _, adopt := range []bool{true, false} {
		if !adopt && !long.All() {
			continue
		}
		r := converted(t, []byte(strings.Join(kept, "\n---\n")), Options{Adopt: adopt})
		if len(r.Stacks) != 1 {
			t.Fatal(r.Problems)
		}
		made, err := yaml.Marshal(r.Stacks[0].Node)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(made), "class: kgateway") || strings.Contains(string(made), "class: agentgateway") {
			t.Errorf("adopt %v:\n%s", adopt, made)
		}
	}
}
