package manifests

import (
	"strings"
	"testing"
)

// TestFromCluster finds the same stack for objects as a cluster has them, with what the API server
// and controllers write into them.
func TestFromCluster(t *testing.T) {
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
