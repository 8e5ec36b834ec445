package status

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON(data); err != nil {
		t.Fatal(err)
	}
	return u
}

// of writes an object of a kind; spec and status are in flow style.
func of(apiVersion, kind, spec, status string) string {
	return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: a, namespace: ns, generation: 2, uid: x, creationTimestamp: \"2020-01-01T00:00:00Z\"}\n" +
		"spec: " + spec + "\nstatus: " + status + "\n"
}

// is writes a condition.
func is(kind, status, reason, message string) string {
	return "{type: " + kind + ", status: \"" + status + "\", reason: " + reason + ", message: \"" + message + "\", observedGeneration: 2}"
}

const (
	gatewayAPI = "gateway.networking.k8s.io/v1"
	poolAPI    = "inference.networking.k8s.io/v1"
)

func TestVerdicts(t *testing.T) {
	accepted, programmed, resolved := is("Accepted", "True", "Accepted", ""), is("Programmed", "True", "Programmed", ""), is("ResolvedRefs", "True", "ResolvedRefs", "")
	invalid, unresolved := is("Programmed", "False", "Invalid", "see other conditions"), is("ResolvedRefs", "False", "InvalidCertificateRef", "no Secret")
	gateway := func(status string) string { return of(gatewayAPI, "Gateway", "{gatewayClassName: istio}", status) }
	route := func(parents string) string {
		return of(gatewayAPI, "HTTPRoute", "{parentRefs: [{name: gw}], rules: [{backendRefs: [{kind: InferencePool, name: a}]}]}", "{parents: "+parents+"}")
	}
	parent := func(conditions string) string {
		return "[{parentRef: {name: gw, namespace: ns}, conditions: [" + conditions + "]}]"
	}
	pool := func(parents string) string { return of(poolAPI, "InferencePool", "{}", "{parents: "+parents+"}") }
	lws := func(status string) string {
		return of("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "{replicas: 2}", status)
	}
	set := func(status string) string {
		return of("disaggregatedset.x-k8s.io/v1", "DisaggregatedSet", "{slices: 2, roles: [{name: prefill, spec: {replicas: 4}}, {name: decode}]}", status)
	}
	scaled := func(conditions string) string {
		return of("keda.sh/v1alpha1", "ScaledObject", "{}", "{conditions: ["+conditions+"]}")
	}
	deployment := func(status string) string {
		return of("apps/v1", "Deployment", "{replicas: 2, progressDeadlineSeconds: 600}", status)
	}
	for _, tt := range []struct{ name, object, want string }{
		{"deployment", deployment("{observedGeneration: 2, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2, conditions: [" + is("Available", "True", "a", "") + ", " + is("Progressing", "True", "NewReplicaSetAvailable", "") + "]}"), "ready: "},
		{"deployment comes", deployment("{observedGeneration: 2, replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1}"), "progressing: Available: 1/2"},
		{"deployment is stuck", deployment("{observedGeneration: 2, replicas: 2, conditions: [" + is("Progressing", "False", "ProgressDeadlineExceeded", "ReplicaSet a-5f has timed out progressing.") + "]}"),
			"failing: Progressing: ProgressDeadlineExceeded: ReplicaSet a-5f has timed out progressing."},
		{"deployment without quota", deployment("{observedGeneration: 2, replicas: 0, conditions: [" + is("Progressing", "True", "NewReplicaSetCreated", "") + ", " + is("ReplicaFailure", "True", "FailedCreate", "exceeded quota: gpus") + "]}"),
			"failing: ReplicaFailure: FailedCreate: exceeded quota: gpus"},
		{"deployment fixed a moment ago", deployment("{observedGeneration: 1, conditions: [" + is("Progressing", "False", "ProgressDeadlineExceeded", "") + "]}"), "progressing: Deployment generation is 2, but latest observed generation is 1"},
		{"deployment not seen", deployment("{observedGeneration: 1}"), "progressing: Deployment generation is 2, but latest observed generation is 1"},
		{"claim", of("v1", "PersistentVolumeClaim", "{}", "{phase: Pending}"), "progressing: PVC is not Bound. phase: Pending"},
		{"config map", of("v1", "ConfigMap", "{}", "{}"), "ready: "},
		{"deletion", strings.Replace(deployment("{}"), "uid: x", `uid: x, deletionTimestamp: "2020-01-01T00:00:00Z"`, 1), "progressing: is being deleted"},

		{"gateway", gateway("{conditions: [" + accepted + ", " + programmed + "], listeners: [{name: l, conditions: [" + accepted + ", " + programmed + ", " + resolved + "]}]}"), "ready: "},
		{"gateway without controller", gateway("{}"), "progressing: no controller has taken it; is one for GatewayClass istio running?"},
		{"gateway waits", gateway("{conditions: [" + accepted + ", " + is("Programmed", "False", "AddressNotAssigned", "no address") + "]}"), "progressing: Programmed: AddressNotAssigned: no address"},
		{"gateway refused", gateway("{conditions: [" + is("Accepted", "False", "InvalidParameters", "no such thing") + ", " + programmed + "]}"), "failing: Accepted: InvalidParameters: no such thing"},
		{"listener", gateway("{conditions: [" + accepted + ", " + programmed + "], listeners: [{name: tls, conditions: [" + accepted + ", " + programmed + ", " + is("ResolvedRefs", "False", "InvalidCertificateRef", "no Secret") + "]}]}"),
			"failing: listener tls: ResolvedRefs: InvalidCertificateRef: no Secret"},
		{"listener in conflict", gateway("{conditions: [" + accepted + ", " + programmed + "], listeners: [{name: l, conditions: [" + is("Conflicted", "True", "ProtocolConflict", "") + "]}]}"),
			"failing: listener l: Conflicted: ProtocolConflict"},
		{"listener without certificate", gateway("{conditions: [" + accepted + ", " + programmed + "], listeners: [{name: tls, conditions: [" + accepted + ", " + invalid + ", " + unresolved + "]}]}"),
			"failing: listener tls: ResolvedRefs: InvalidCertificateRef: no Secret"},
		{"gateway whose listener has no certificate", gateway("{conditions: [" + is("Accepted", "False", "ListenersNotValid", "") + ", " + invalid + "], listeners: [{name: l, conditions: [" + accepted + ", " + invalid + "]}, {name: tls, conditions: [" + invalid + ", " + unresolved + ", " + accepted + "]}]}"),
			"failing: listener tls: ResolvedRefs: InvalidCertificateRef: no Secret"},
		{"gateway refused with its listeners", gateway("{conditions: [" + is("Accepted", "False", "InvalidParameters", "no such thing") + "], listeners: [{name: l, conditions: [" + accepted + ", " + resolved + ", " + invalid + "]}]}"),
			"failing: Accepted: InvalidParameters: no such thing"},
		{"listener that gives no cause", gateway("{conditions: [" + accepted + ", " + programmed + "], listeners: [{name: l, conditions: [" + accepted + ", " + resolved + ", " + invalid + "]}]}"),
			"failing: listener l: Programmed: Invalid: see other conditions"},
		{"listener refused and waited for", gateway("{conditions: [" + accepted + ", " + programmed + "], listeners: [{name: l, conditions: [" + accepted + ", " + is("ResolvedRefs", "Unknown", "Pending", "") + ", " + invalid + "]}]}"),
			"failing: listener l: Programmed: Invalid: see other conditions"},
		{"old condition", gateway("{conditions: [" + accepted + ", " + strings.Replace(programmed, "ion: 2", "ion: 1", 1) + "]}"), "progressing: Programmed: the controller has not seen the last change yet"},

		{"route", route(parent(accepted + ", " + resolved)), "ready: "},
		{"route of nobody", route("[]"), "progressing: gateway gw has not taken it; is the gateway there, and does a listener admit this namespace?"},
		{"route of another", route("[{parentRef: {name: other}, conditions: [" + accepted + "]}]"), "progressing: gateway gw has not taken it; is the gateway there, and does a listener admit this namespace?"},
		{"route without backend", route(parent(accepted + ", " + is("ResolvedRefs", "False", "BackendNotFound", "no pool a"))), "failing: gateway gw: ResolvedRefs: BackendNotFound: no pool a"},

		{"pool", pool(parent(accepted + ", " + resolved)), "ready: "},
		{"pool without picker", pool(parent(accepted + ", " + is("ResolvedRefs", "False", "InvalidExtensionRef", "no Service"))), "failing: gateway gw: ResolvedRefs: InvalidExtensionRef: no Service"},
		{"pool not supported", pool(parent(is("Accepted", "False", "NotSupportedByParent", ""))), "failing: gateway gw: Accepted: NotSupportedByParent"},
		{"pool that no route refers to", pool("[{parentRef: {kind: Status, name: default}, conditions: [" + is("Accepted", "Unknown", "Pending", "") + "]}]"), "ready: "},

		{"groups", lws("{readyReplicas: 2, updatedReplicas: 2, conditions: [" + is("Available", "True", "a", "") + "]}"), "ready: "},
		{"groups come", lws("{readyReplicas: 1}"), "progressing: groups ready: 1/2"},
		{"groups roll", lws("{readyReplicas: 2, updatedReplicas: 1}"), "progressing: groups updated: 1/2"},
		{"roles", set("{roleStatuses: [{name: prefill, readyReplicas: 8, updatedReplicas: 8}, {name: decode, readyReplicas: 2, updatedReplicas: 2}], conditions: [" + is("Available", "True", "a", "") + "]}"), "ready: "},
		{"roles without conditions", set("{roleStatuses: [{name: prefill, readyReplicas: 8, updatedReplicas: 8}, {name: decode, readyReplicas: 2, updatedReplicas: 2}]}"), "ready: "},
		{"a role comes", set("{roleStatuses: [{name: prefill, readyReplicas: 8, updatedReplicas: 8}, {name: decode, readyReplicas: 1, updatedReplicas: 2}]}"), "progressing: decode groups ready: 1/2"},
		{"a role rolls", set("{roleStatuses: [{name: prefill, readyReplicas: 8, updatedReplicas: 3}, {name: decode, readyReplicas: 2, updatedReplicas: 2}]}"), "progressing: prefill groups updated: 3/8"},
		{"roles that are not available", set("{roleStatuses: [{name: prefill, readyReplicas: 8, updatedReplicas: 8}, {name: decode, readyReplicas: 2, updatedReplicas: 2}], conditions: [" + is("Available", "False", "Draining", "old ones end") + "]}"), "failing: Available: Draining: old ones end"},
		{"roles of which nothing is said", set("{}"), "progressing: its controller keeps no status of it, as LeaderWorkerSet 0.9; read its LeaderWorkerSets too"},
		{"autoscaler", of("autoscaling/v2", "HorizontalPodAutoscaler", "{}", "{conditions: ["+is("AbleToScale", "True", "a", "")+", "+is("ScalingActive", "False", "FailedGetPodsMetric", "no metrics")+"]}"),
			"failing: ScalingActive: FailedGetPodsMetric: no metrics"},
		{"scaled object", scaled(is("Ready", "True", "ScaledObjectReady", "") + ", " + is("Active", "False", "ScalerNotActive", "") + ", " + is("Fallback", "False", "NoFallbackFound", "")), "ready: "},
		{"scaled object refused", scaled(is("Ready", "False", "ScaledObjectCheckFailed", "no scaleTargetRef") + ", " + is("Active", "Unknown", "UnknownState", "")), "failing: Ready: ScaledObjectCheckFailed: no scaleTargetRef"},
		{"scaled object that KEDA looks at", scaled(is("Ready", "Unknown", "\"\"", "")), "progressing: Ready: not known yet"},
		{"scaled object refused without a reason", scaled(is("Ready", "False", "\"\"", "")), "failing: Ready: not so, and no reason given"},
		{"scaled object of nobody", scaled(""), "progressing: Ready: not reported yet"},
		{"pod", of("v1", "Pod", "{}", "{phase: Running, conditions: ["+is("Ready", "True", "a", "")+"]}"), "ready: "},
		{"pod without image", of("v1", "Pod", "{}", "{phase: Pending, containerStatuses: [{name: vllm, state: {waiting: {reason: ImagePullBackOff, message: not found}}}]}"),
			"failing: container vllm: ImagePullBackOff: not found"},
		{"pod that dies", of("v1", "Pod", "{}", "{phase: Running, containerStatuses: [{name: vllm, state: {waiting: {reason: CrashLoopBackOff, message: back-off}}, lastState: {terminated: {reason: OOMKilled, exitCode: 137}}}]}"),
			"failing: container vllm: CrashLoopBackOff: back-off; it ended with OOMKilled, exit code 137"},
		{"pod without a node", of("v1", "Pod", "{}", "{phase: Pending, conditions: ["+is("PodScheduled", "False", "Unschedulable", "0/3 nodes: Insufficient nvidia.com/gpu")+"]}"),
			"failing: not scheduled: Unschedulable: 0/3 nodes: Insufficient nvidia.com/gpu"},
		{"pod that waits for a gate", of("v1", "Pod", "{}", "{phase: Pending, conditions: ["+is("PodScheduled", "False", "SchedulingGated", "")+"]}"),
			"progressing: not scheduled: SchedulingGated"},
		{"pod without memory", of("v1", "Pod", "{}", "{phase: Running, containerStatuses: [{name: vllm, state: {terminated: {reason: OOMKilled, exitCode: 137}}}]}"),
			"failing: container vllm ended with OOMKilled, exit code 137"},
		{"pod that loads again", of("v1", "Pod", "{}", "{phase: Running, containerStatuses: [{name: vllm, restartCount: 2, state: {running: {}}, lastState: {terminated: {reason: Error, exitCode: 1, message: no such model}}}]}"),
			"progressing: Pod is running but is not Ready; container vllm ended with Error, exit code 1: no such model, restarted 2 times"},
		{"pod that waits for its first container", of("v1", "Pod", "{}", "{phase: Pending, initContainerStatuses: [{name: load, state: {terminated: {reason: Completed, exitCode: 0}}}]}"),
			"progressing: Pod is in the Pending phase"},
		{"pod that failed", of("v1", "Pod", "{}", "{phase: Failed, reason: Evicted, message: low on memory}"), "failing: Evicted: low on memory"},
		{"pod in whose place another is", strings.Replace(of("v1", "Pod", "{}", "{phase: Failed, reason: Evicted}"), "uid: x", "uid: x, ownerReferences: [{kind: ReplicaSet, name: a, controller: true}]", 1), "ready: Evicted"},

		{"policy", of("networking.gke.io/v1", "GCPBackendPolicy", "{}", "{conditions: ["+is("Attached", "True", "Attached", "")+"]}"), "ready: "},
		{"policy of nobody", of("networking.gke.io/v1", "HealthCheckPolicy", "{}", "{}"), "progressing: GKE has not attached it; does a Gateway of GKE lead to its target?"},
		{"policy refused", of("networking.gke.io/v1", "GCPBackendPolicy", "{}", "{conditions: ["+is("Attached", "False", "Conflicted", "another")+"]}"), "failing: Attached: Conflicted: another"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := judge(object(t, tt.object), surroundings{})
			if got := string(v.State) + ": " + v.Reason; got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestGroupsOfSet has a controller of DisaggregatedSets that keeps no status: their LeaderWorkerSets say it.
func TestGroupsOfSet(t *testing.T) {
	set := object(t, of("disaggregatedset.x-k8s.io/v1", "DisaggregatedSet", "{roles: [{name: prefill, spec: {replicas: 2}}, {name: decode}]}", "{}"))
	groups := func(role, revision, replicas, ready string) *unstructured.Unstructured {
		u := object(t, of("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "{replicas: "+replicas+"}", "{readyReplicas: "+ready+"}"))
		u.SetName("a-" + revision + "-" + role)
		u.SetLabels(map[string]string{setLabel: "a", roleLabel: role, revisionLabel: revision})
		return u
	}
	for _, tt := range []struct {
		name   string
		groups []*unstructured.Unstructured
		want   string
	}{
		{"ready", []*unstructured.Unstructured{groups("prefill", "1", "2", "2"), groups("decode", "1", "1", "1"), groups("decode", "0", "0", "0")}, "ready: "},
		{"one comes", []*unstructured.Unstructured{groups("prefill", "1", "2", "1"), groups("decode", "1", "1", "1")}, "progressing: prefill groups ready: 1/2"},
		{"a role is not there", []*unstructured.Unstructured{groups("prefill", "1", "2", "2")}, "progressing: decode groups ready: 0/1"},
		{"two revisions", []*unstructured.Unstructured{groups("prefill", "1", "1", "1"), groups("prefill", "2", "1", "1"), groups("decode", "1", "1", "1")}, "progressing: prefill groups updated: 1/2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := judge(set, surroundings{groups: groupsOfSets(append(tt.groups, set))})
			if got := string(v.State) + ": " + v.Reason; got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A pool is waited for only when a route leads to it.
func TestRoutedPool(t *testing.T) {
	pool := object(t, of(poolAPI, "InferencePool", "{}", "{}"))
	route := object(t, of(gatewayAPI, "HTTPRoute", "{rules: [{backendRefs: [{kind: InferencePool, name: a}]}]}", "{}"))
	if r := Of([]*unstructured.Unstructured{pool}, nil); r.State != Ready {
		t.Errorf("%+v", r)
	}
	r := Of([]*unstructured.Unstructured{pool, route}, nil)
	if r.State != Progressing || r.Components[1].Objects[0].Reason != "no gateway has taken it; does the controller support InferencePool, and is the support turned on?" {
		t.Errorf("%+v", r)
	}
}

func TestText(t *testing.T) {
	labelled := func(component, text string) *unstructured.Unstructured {
		u := object(t, text)
		u.SetLabels(map[string]string{"app.kubernetes.io/instance": "llama", "app.kubernetes.io/component": component})
		return u
	}
	r := Of([]*unstructured.Unstructured{
		labelled("epp", of("v1", "ConfigMap", "{}", "{}")),
		labelled("decode", of("apps/v1", "Deployment", "{replicas: 2}", "{observedGeneration: 2, replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1}")),
		labelled("decode", of("v1", "ServiceAccount", "{}", "{}")),
		labelled("decode", of("v1", "Pod", "{}", "{phase: Pending, containerStatuses: [{name: vllm, state: {waiting: {reason: ErrImagePull, message: \"not\\n found\"}}}]}")),
		object(t, of(gatewayAPI, "Gateway", "{gatewayClassName: gke}", "{}")),
	}, nil)
	want := `STACK     COMPONENT  STATUS       PODS  OBJECTS
ns/-      Gateway    progressing  -     0/1
ns/llama  decode     failing      1/2   1/3
ns/llama  epp        ready        -     1/1

Gateway ns/a is progressing
  no controller has taken it; is one for GatewayClass gke running?

Pod ns/a is failing
  container vllm: ErrImagePull: not found

Deployment ns/a is progressing
  Available: 1/2
`
	var b strings.Builder
	if err := Text(&b, r); err != nil || r.State != Failing {
		t.Fatal(r.State, err)
	}
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

// TestTextIsPlain: what a terminal would obey is written out.
func TestTextIsPlain(t *testing.T) {
	u := object(t, of("v1", "Pod", "{}", `{phase: Pending, containerStatuses: [{name: a, state: {waiting: {reason: ErrImagePull, message: "x\e[2J"}}}]}`))
	u.SetLabels(map[string]string{"app.kubernetes.io/component": "e\x1b[31m"})
	u.SetName("b\u202e")
	var b strings.Builder
	if err := Text(&b, Of([]*unstructured.Unstructured{u}, nil)); err != nil || strings.ContainsAny(b.String(), "\x1b\u202e") || !strings.Contains(b.String(), `x\x1b[2J`) {
		t.Errorf("%q %v", b.String(), err)
	}
}

// TestMissing reports what is wanted and not there, of whatever version it is there.
func TestMissing(t *testing.T) {
	live := object(t, of("v1", "ConfigMap", "{}", "{}"))
	wanted := func(kind, namespace string) *unstructured.Unstructured {
		u := &unstructured.Unstructured{}
		u.SetAPIVersion("v1")
		u.SetKind(kind)
		u.SetName("a")
		u.SetNamespace(namespace)
		return u
	}
	r := Of([]*unstructured.Unstructured{live}, []*unstructured.Unstructured{
		wanted("ConfigMap", "ns"), wanted("ConfigMap", ""), wanted("ConfigMap", "other"), wanted("Secret", "ns"),
	})
	var got []string
	for _, c := range r.Components {
		for _, o := range c.Objects {
			got = append(got, o.Kind+" "+o.Namespace+": "+string(o.State)+" "+o.Reason)
		}
	}
	want := []string{"ConfigMap ns: ready ", "Secret ns: failing is not in the cluster", "ConfigMap other: failing is not in the cluster"}
	if d := cmp.Diff(want, got); d != "" || r.State != Failing {
		t.Error(r.State, d)
	}
}
