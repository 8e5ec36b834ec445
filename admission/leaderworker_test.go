package admission

import (
	"encoding/json"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

// TestLeaderWorkerSet tries what a pod may have and the template of a LeaderWorkerSet may not.
func TestLeaderWorkerSet(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "",
		`{"containers":[{"name":"a","image":"a","ports":[{"containerPort":1},{"containerPort":1,"protocol":"UDP"}]}]}`: "",
		`{"hostnameOverride":"h"}`:                              "spec.hostnameOverride: is not supported",
		`{"imagePullSecrets":[{"name":"a"},{"name":"a"}]}`:      "spec.imagePullSecrets[1]: a is there twice",
		`{"hostAliases":[{"ip":"10.0.0.1"},{"ip":"10.0.0.1"}]}`: "spec.hostAliases[1]: 10.0.0.1 is there twice",
		`{"containers":[{"name":"a","image":"a","ports":[{"containerPort":1},{"containerPort":1,"protocol":"TCP"}]}]}`:                                             "spec.containers[0].ports[1]: 1/TCP is there twice",
		`{"containers":[{"name":"a","image":"a","env":[{"name":"A"},{"name":"A","value":"x"}]}]}`:                                                                  "spec.containers[0].env[1]: A is there twice",
		`{"containers":[{"name":"a","image":"a","restartPolicy":"Never","restartPolicyRules":[{"action":"Restart","exitCodes":{"operator":"In","values":[1]}}]}]}`: "spec.containers[0].restartPolicyRules: is not supported",
		`{"initContainers":[{"name":"b","image":"b","env":[{"name":"A","valueFrom":{"fileKeyRef":{"volumeName":"v","path":"p","key":"k"}}}]}]}`:                    "spec.initContainers[0].env[0].valueFrom.fileKeyRef: is not supported",
	} {
		set := &lwsv1.LeaderWorkerSet{}
		pod := &set.Spec.LeaderWorkerTemplate.WorkerTemplate.Spec
		pod.Containers = []corev1.Container{{Name: "a", Image: "a:1"}}
		if err := json.Unmarshal([]byte(text), pod); err != nil {
			t.Fatal(err)
		}
		if got := said(set); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s:\n%s\nwant %s", text, got, want)
		}
	}
}

// TestLeaderWorkerSetRollout tries shares of few groups.
func TestLeaderWorkerSetRollout(t *testing.T) {
	for text, want := range map[string]string{
		`{"replicas":2}`: "",
		`{"replicas":2,"rolloutStrategy":{"rollingUpdateConfiguration":{"maxSurge":0,"maxUnavailable":"25%"}}}`:   "must not come to 0",
		`{"replicas":2,"rolloutStrategy":{"rollingUpdateConfiguration":{"maxSurge":0,"maxUnavailable":0}}}`:       "must not come to 0",
		`{"replicas":4,"rolloutStrategy":{"rollingUpdateConfiguration":{"maxSurge":0,"maxUnavailable":"25%"}}}`:   "",
		`{"replicas":2,"rolloutStrategy":{"rollingUpdateConfiguration":{"maxSurge":"10%","maxUnavailable":0}}}`:   "",
		`{"replicas":0,"rolloutStrategy":{"rollingUpdateConfiguration":{"maxSurge":0,"maxUnavailable":"25%"}}}`:   "",
		`{"replicas":2,"rolloutStrategy":{"rollingUpdateConfiguration":{"maxSurge":"150%","maxUnavailable":0}}}`:  "must be at most 100%",
		`{"replicas":2,"rolloutStrategy":{"rollingUpdateConfiguration":{"maxSurge":0,"maxUnavailable":"101%"}}}`:  "must be at most 100%",
		`{"replicas":2,"rolloutStrategy":{"rollingUpdateConfiguration":{"maxSurge":-1,"maxUnavailable":"100%"}}}`: "maxSurge",
	} {
		set := &lwsv1.LeaderWorkerSet{}
		if err := json.Unmarshal([]byte(text), &set.Spec); err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, f := range Object(set) {
			if strings.HasPrefix(f.Path, "spec.rolloutStrategy") {
				said = append(said, f.Path+": "+f.Message)
			}
		}
		if got := strings.Join(said, "\n"); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s:\n%s\nwant %s", text, got, want)
		}
	}
}
