package diff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

func read(t *testing.T, text string) []Object {
	t.Helper()
	var out []Object
	for _, part := range strings.Split(text, "---\n") {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(part), &n); err != nil {
			t.Fatal(err)
		}
		o, err := Decode(&n)
		if err != nil {
			t.Fatal(err)
		}
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}

// of an object of a kind, with a body indented by two.
func object(apiVersion, kind, body string) string {
	return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: a, namespace: n}\n" + body + "\n"
}

func deployment(spec string) string { return object("apps/v1", "Deployment", "spec: "+spec) }

func container(fields string) string {
	return deployment("{template: {spec: {containers: [{name: vllm, " + fields + "}]}}}")
}

func TestChanges(t *testing.T) {
	claim := func(size, class string) string {
		return object("v1", "PersistentVolumeClaim", "spec: {storageClassName: "+class+", resources: {requests: {storage: "+size+"}}}")
	}
	lws := func(size string) string {
		return object("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "spec: {leaderWorkerTemplate: {size: "+size+", workerTemplate: {spec: {containers: [{name: a, resources: {limits: {amd.com/gpu: 8}}}]}}}}")
	}
	set := func(slices, replicas, image string, more ...string) string {
		return object("disaggregatedset.x-k8s.io/v1", "DisaggregatedSet", "spec: {slices: "+slices+", roles: [{name: decode, spec: {replicas: "+replicas+", leaderWorkerTemplate: {workerTemplate: {spec: {containers: [{name: a, image: "+image+", resources: {limits: {amd.com/gpu: 8}}}]}}}}}"+strings.Join(more, "")+"]}")
	}
	config := func(text string) string { return object("v1", "ConfigMap", "data: {c.yaml: "+text+"}") }
	for _, tt := range []struct{ name, old, new, want string }{
		{"nothing", deployment("{replicas: 1}"), "# written otherwise\n" + deployment("{replicas: 1, paused: null}"), ""},
		{"status and what the server writes", deployment("{}") + "status: {replicas: 1}\n", deployment("{}"), ""},
		{"a quantity", container("resources: {limits: {cpu: 1}}"), container("resources: {limits: {cpu: 1000m}}"), ""},
		{"replicas", deployment("{replicas: 1}"), deployment("{replicas: 2}"), "changes: spec.replicas: 1 -> 2"},
		{"an autoscaler takes over", deployment("{replicas: 5}"), deployment("{}"), "changes: spec.replicas: -5 (falls to 1 until an autoscaler raises it)"},
		{"an autoscaler takes over one pod", deployment("{replicas: 1}"), deployment("{}"), "changes: spec.replicas: -1"},
		{"a number is not a string", deployment("{x: 1}"), deployment(`{x: "1"}`), `changes: spec.x: 1 -> "1"`},
		{"selector", deployment("{selector: {matchLabels: {app.io/x: a}}}"), deployment("{selector: {matchLabels: {app.io/x: b}}}"),
			`replaces: spec.selector.matchLabels["app.io/x"]: "a" -> "b" (immutable)`},
		{"image", container("image: a"), container("image: b"), `restarts: spec.template.spec.containers[vllm].image: "a" -> "b"`},
		{"image beside an accelerator", container("image: a, resources: {limits: {nvidia.com/gpu: 1}}"), container("image: b, resources: {limits: {nvidia.com/gpu: 1}}"),
			`restarts-gpu: spec.template.spec.containers[vllm].image: "a" -> "b"`},
		{"replicas beside an accelerator", deployment("{replicas: 1, template: {spec: {resourceClaims: [{name: x}]}}}"), deployment("{replicas: 2, template: {spec: {resourceClaims: [{name: x}]}}}"),
			"changes: spec.replicas: 1 -> 2"},
		{"fewer pods", deployment("{replicas: 3}"), deployment("{replicas: 2}"), "changes: spec.replicas: 3 -> 2"},
		{"fewer pods with accelerators", deployment("{replicas: 3, template: {spec: {resourceClaims: [{name: x}]}}}"), deployment("{replicas: 2, template: {spec: {resourceClaims: [{name: x}]}}}"),
			"stops-gpu: spec.replicas: 3 -> 2"},
		{"the only pod with accelerators", deployment("{template: {spec: {resourceClaims: [{name: x}]}}}"), deployment("{replicas: 0, template: {spec: {resourceClaims: [{name: x}]}}}"),
			"stops-gpu: spec.replicas: +0"},
		{"an autoscaler takes over pods with accelerators", deployment("{replicas: 5, template: {spec: {resourceClaims: [{name: x}]}}}"), deployment("{template: {spec: {resourceClaims: [{name: x}]}}}"),
			"stops-gpu: spec.replicas: -5 (falls to 1 until an autoscaler raises it)"},
		{"fewer and other pods", deployment("{replicas: 3, template: {spec: {resourceClaims: [{name: x}]}}}"), deployment("{replicas: 2, template: {spec: {resourceClaims: [{name: x}], hostIPC: true}}}"),
			"restarts-gpu: spec.replicas: 3 -> 2\nrestarts-gpu: spec.template.spec.hostIPC: +true"},
		{"a workload with accelerators goes", deployment("{template: {spec: {resourceClaims: [{name: x}]}}}"), "", "stops-gpu"},
		{"class of a gateway", object("gateway.networking.k8s.io/v1", "Gateway", "spec: {gatewayClassName: istio}"), object("gateway.networking.k8s.io/v1", "Gateway", "spec: {gatewayClassName: kgateway}"),
			`readdresses: spec.gatewayClassName: "istio" -> "kgateway" (its address may change)`},
		{"listeners of a gateway", object("gateway.networking.k8s.io/v1", "Gateway", "spec: {listeners: [{name: a, port: 80}]}"), object("gateway.networking.k8s.io/v1", "Gateway", "spec: {listeners: [{name: a, port: 81}]}"),
			`changes: spec.listeners[a].port: 80 -> 81`},
		{"type of a service", object("v1", "Service", "spec: {type: LoadBalancer}"), object("v1", "Service", "spec: {type: ClusterIP}"),
			`readdresses: spec.type: "LoadBalancer" -> "ClusterIP" (its address may change)`},
		{"size of a group", lws("2"), lws("4"), "restarts-gpu: spec.leaderWorkerTemplate.size: 2 -> 4"},
		{"a template of a role", set("1", "2", "x"), set("1", "2", "y"), `restarts-gpu: spec.roles[decode].spec.leaderWorkerTemplate.workerTemplate.spec.containers[a].image: "x" -> "y"`},
		{"servers of a role", set("1", "2", "x"), set("1", "3", "x"), "changes: spec.roles[decode].spec.replicas: 2 -> 3"},
		{"fewer servers of a role", set("1", "2", "x"), set("1", "1", "x"), "stops-gpu: spec.roles[decode].spec.replicas: 2 -> 1"},
		{"fewer slices", set("2", "2", "x"), set("1", "2", "x"), "stops-gpu: spec.slices: 2 -> 1"},
		{"another role", set("1", "2", "x"), set("1", "2", "x", ", {name: prefill}"), `restarts-gpu: spec.roles[prefill]: +{"name":"prefill"}`},
		{"placement of slices", set("1", "2", "x"), strings.Replace(set("1", "2", "x"), "slices: 1", "slices: 1, placementPolicy: {type: ExclusiveSlice}", 1), `changes: spec.placementPolicy: +{"type":"ExclusiveSlice"}`},
		{"arguments", container("args: [serve, m1, --port=1, --a, --b]"), container("args: [serve, m2, --port=2, --b, --c]"),
			`restarts: spec.template.spec.containers[vllm].args: "m1" -> "m2"` + "\n" +
				`restarts: spec.template.spec.containers[vllm].args: "--port=1" -> "--port=2"` + "\n" +
				`restarts: spec.template.spec.containers[vllm].args: -"--a"` + "\n" +
				`restarts: spec.template.spec.containers[vllm].args: +"--c"`},
		{"env by name", container("env: [{name: A, value: x}, {name: B, value: y}]"), container("env: [{name: B, value: z}]"),
			`restarts: spec.template.spec.containers[vllm].env[A]: -{"name":"A","value":"x"}` + "\n" +
				`restarts: spec.template.spec.containers[vllm].env[B].value: "y" -> "z"`},
		{"order of env", container("env: [{name: A}, {name: B}]"), container("env: [{name: B}, {name: A}]"),
			`restarts: spec.template.spec.containers[vllm].env: "in the order A, B" -> "in the order B, A"`},
		{"order of ports", container("ports: [{containerPort: 1}, {containerPort: 2}]"), container("ports: [{containerPort: 2}, {containerPort: 1}]"), ""},
		{"mounts by path", container("volumeMounts: [{name: v, mountPath: /a}, {name: v, mountPath: /b}]"), container("volumeMounts: [{name: v, mountPath: /b}, {name: w, mountPath: /a}]"),
			`restarts: spec.template.spec.containers[vllm].volumeMounts[/a].name: "v" -> "w"`},
		{"entries without names", object("v1", "X", "list: [[1], [2]]"), object("v1", "X", "list: [[1], [3], [4]]"), "changes: list[1]: 2 -> 3\nchanges: list[2]: +[4]"},
		{"claim grows", claim("1Gi", "a"), claim("2Gi", "a"), `changes: spec.resources.requests.storage: "1Gi" -> "2Gi"`},
		{"claim shrinks", claim("2Gi", "a"), claim("1Gi", "a"), `loses-data: spec.resources.requests.storage: "2Gi" -> "1Gi" (immutable)`},
		{"claim of another class", claim("1Gi", "a"), claim("1Gi", "b"), `loses-data: spec.storageClassName: "a" -> "b" (immutable)`},
		{"headless", object("v1", "Service", "spec: {}"), object("v1", "Service", "spec: {clusterIP: None}"), `replaces: spec.clusterIP: +"None" (immutable)`},
		{"job", object("batch/v1", "Job", "spec: {template: {a: 1}, suspend: true}"), object("batch/v1", "Job", "spec: {template: {a: 2}, suspend: false}"),
			"replaces: spec.suspend: true -> false\nreplaces: spec.template.a: 1 -> 2 (immutable)"},
		{"stateful set", object("apps/v1", "StatefulSet", "spec: {serviceName: a, replicas: 1}"), object("apps/v1", "StatefulSet", "spec: {serviceName: b, replicas: 2}"),
			`replaces: spec.replicas: 1 -> 2` + "\n" + `replaces: spec.serviceName: "a" -> "b" (immutable)`},
		{"a configuration written otherwise", config(`"a: 1\nb: [x]\n"`), config(`"b:\n- x\na: 1\n"`), ""},
		{"inside a configuration", config(`"plugins:\n- type: x\n- type: y\n"`), config(`"plugins:\n- type: x\n- type: y\n  p: 1\n"`), `changes: data["c.yaml"].plugins[y].p: +1`},
		{"frozen", "immutable: true\n" + config("a"), "immutable: true\n" + config("b"), `replaces: data["c.yaml"]: "a" -> "b" (immutable)`},
		{"secret", object("v1", "Secret", "data: {token: aGVsbG8=}"), object("v1", "Secret", "data: {token: d29ybGQ=}"), `changes: data.token: "***" -> "*** (another)"`},
		{"version", object("apps/v1beta1", "Deployment", ""), object("apps/v1", "Deployment", ""), `changes: apiVersion: "apps/v1beta1" -> "apps/v1"`},
		{"added", "", deployment("{}"), "adds"},
		{"removed", deployment("{}"), "", "removes"},
		{"claim removed", claim("1Gi", "a"), "", "loses-data"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for _, d := range Compare(read(t, tt.old), read(t, tt.new)) {
				if len(d.Changes) == 0 {
					lines = append(lines, string(d.Risk))
				}
				for _, c := range d.Changes {
					lines = append(lines, string(d.Risk)+": "+c.Path+": "+c.values(func(_, s string) string { return s })+c.note())
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(lines, "\n")); diff != "" {
				t.Error(diff)
			}
			if same := Compare(read(t, tt.new), read(t, tt.new)); len(same) > 0 {
				t.Errorf("differs from itself: %v", same)
			}
		})
	}
}
