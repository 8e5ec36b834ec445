package rewire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/schema"
)

// moved is an object that kustomize has moved twice.
func moved(kind, name string) string {
	return "kind: " + kind + `
apiVersion: x/v1
metadata:
  name: new-` + name + `
  namespace: prod
  labels: {app.kubernetes.io/managed-by: inferstack}
  annotations:
    internal.config.kubernetes.io/previousNames: ` + name + "," + name + `
    internal.config.kubernetes.io/previousNamespaces: ns,prod
`
}

func apply(t *testing.T, documents ...string) ([]*krm.Object, string) {
	t.Helper()
	var items []*krm.Object
	for _, text := range documents {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(text), &document); err != nil {
			t.Fatal(err)
		}
		items = append(items, &krm.Object{Node: document.Content[0]})
	}
	return items, applied(items)
}

func applied(items []*krm.Object) string {
	var says []string
	for _, err := range Apply(items) {
		says = append(says, err.Error())
	}
	return strings.Join(says, "\n")
}

// written is a node as text.
func written(t *testing.T, n *yaml.Node) string {
	t.Helper()
	var out strings.Builder
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	if err := enc.Encode(n); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTexts(t *testing.T) {
	for before, after := range map[string]string{
		"epp.ns.svc.cluster.local":                     "new-epp.prod.svc.cluster.local",
		"epp.ns.svc":                                   "new-epp.prod.svc",
		"outbound|9002||epp.ns.svc.cluster.local":      "outbound|9002||new-epp.prod.svc.cluster.local",
		"http://epp.ns.svc.cluster.local:8000/x":       "http://new-epp.prod.svc.cluster.local:8000/x",
		"tcp://epp.prod.svc:5557":                      "tcp://new-epp.prod.svc:5557",
		"a: epp.ns.svc.cluster.local\nb: epp.ns.svc\n": "a: new-epp.prod.svc.cluster.local\nb: new-epp.prod.svc\n",
		"pod-0.epp.ns.svc.cluster.local":               "pod-0.new-epp.prod.svc.cluster.local",
		"my-epp.ns.svc.cluster.local":                  "my-epp.ns.svc.cluster.local",
		"epp.other.svc.cluster.local":                  "epp.other.svc.cluster.local",
		"epp.ns.svcx":                                  "epp.ns.svcx",
		"llm.example.com:80:gw.ns.svc:80":              "llm.example.com:80:new-gw.prod.svc:80",
		"http://gw-istio.ns.svc.cluster.local/v1":      "http://new-gw-istio.prod.svc.cluster.local/v1",
		"other-istio.ns.svc":                           "other-istio.ns.svc",
		"epp":                                          "epp",
		// What Istio makes of a pool has a name by the pool's.
		schema.IstioPoolService("pool") + ".ns.svc.cluster.local":  schema.IstioPoolService("new-pool") + ".prod.svc.cluster.local",
		schema.IstioPoolService("other") + ".ns.svc.cluster.local": schema.IstioPoolService("other") + ".ns.svc.cluster.local",
	} {
		items, says := apply(t, moved("Service", "epp"), moved("Gateway", "gw"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {text: x}\n", moved("InferencePool", "pool"))
		krm.Field(items[2].Node, "data", "text").Value = before
		says += applied(items)
		if got := krm.Text(items[2].Node, "data", "text"); got != after || says != "" {
			t.Errorf("%q becomes %q %s", before, got, says)
		}
	}
}

func TestReferences(t *testing.T) {
	route := moved("HTTPRoute", "route") + `spec:
  parentRefs:
  - {name: gw, namespace: ns}
  - {name: theirs, namespace: ns}
  rules:
  - backendRefs:
    - {group: inference.networking.k8s.io, kind: InferencePool, name: pool, namespace: ns}
    - {name: epp, namespace: ns}
`
	grant := moved("ReferenceGrant", "grant") + "spec:\n  from:\n  - {kind: HTTPRoute, namespace: ns}\n"
	filter := moved("EnvoyFilter", "filter") + `spec:
  configPatches:
  - match: {routeConfiguration: {vhost: {route: {name: ns.route.0}}}}
  - match: {context: GATEWAY}
  - match: {routeConfiguration: {vhost: {route: {name: other.route.0}}}}
`
	policy := moved("NetworkPolicy", "policy") + `spec:
  podSelector: {matchLabels: {gateway.networking.k8s.io/gateway-name: gw}}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ns}}
`
	items, says := apply(t, moved("Service", "epp"), moved("InferencePool", "pool"), moved("Gateway", "gw"), route, grant, filter, policy)
	if says != "" {
		t.Fatal(says)
	}
	var got []string
	for _, item := range items[3:] {
		got = append(got, written(t, krm.Field(item.Node, "spec")))
	}
	want := []string{`parentRefs:
- {name: new-gw, namespace: prod}
- {name: theirs, namespace: ns}
rules:
- backendRefs:
  - {group: inference.networking.k8s.io, kind: InferencePool, name: new-pool, namespace: prod}
  - {name: new-epp, namespace: prod}
`, `from:
- {kind: HTTPRoute, namespace: prod}
`, `configPatches:
- match: {routeConfiguration: {vhost: {route: {name: prod.new-route.0}}}}
- match: {context: GATEWAY}
- match: {routeConfiguration: {vhost: {route: {name: other.route.0}}}}
`, `podSelector: {matchLabels: {gateway.networking.k8s.io/gateway-name: new-gw}}
namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: prod}}
`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestArguments(t *testing.T) {
	epp := func(args string) string {
		return moved("Deployment", "epp") + "spec: {template: {spec: {containers: [{name: epp, args: [" + args + "]}]}}}\n"
	}
	for before, after := range map[string]string{
		"--pool-name=pool, --pool-namespace=ns":           "--pool-name=new-pool, --pool-namespace=prod",
		"--v=1, --pool-namespace=ns, --pool-name=pool":    "--v=1, --pool-namespace=prod, --pool-name=new-pool",
		"--pool-name=pool, --pool-namespace=$(NAMESPACE)": "--pool-name=new-pool, --pool-namespace=$(NAMESPACE)",
		"--pool-name=new-pool, --pool-namespace=prod":     "--pool-name=new-pool, --pool-namespace=prod",
		"--endpoint-selector=a=b":                         "--endpoint-selector=a=b",
	} {
		items, says := apply(t, moved("InferencePool", "pool"), epp(before))
		text := written(t, items[1].Node)
		if want := "args: [" + after + "]"; !strings.Contains(text, want) || says != "" {
			t.Errorf("%s: %s\n%s", before, says, text)
		}
	}
}

func TestUnclear(t *testing.T) {
	squatter := "apiVersion: x/v1\nkind: Service\nmetadata: {name: epp, namespace: ns}\n"
	user := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {text: epp.ns.svc}\n"
	_, says := apply(t, moved("Service", "epp"), squatter, user)
	want := "ConfigMap c: Service ns/epp is the name of several objects of this build, before and after renaming; give them different names in the InferenceStack"
	if says != want {
		t.Errorf("says %q", says)
	}
	if _, says := apply(t, moved("Service", "epp"), squatter); says != "" {
		t.Errorf("nobody refers to it, and yet: %s", says)
	}
}

// TestQueries holds that alerts and scalers look where the stack has gone, and that other
// namespaces stay.
func TestQueries(t *testing.T) {
	const query = `sum(up{inferencestack="a",namespace="ns"}) + sum(up{exported_namespace="ns",namespace="other"})`
	for _, kind := range []string{"PrometheusRule", "ScaledObject", "ConfigMap"} {
		object := strings.Replace(moved(kind, "a"), "\n", "\nspec: {groups: [{rules: [{expr: '"+query+"'}]}]}\n", 1)
		items, says := apply(t, object)
		text := written(t, items[0].Node)
		want := strings.Replace(query, `namespace="ns"}) +`, `namespace="prod"}) +`, 1)
		if kind == "ConfigMap" {
			want = query
		}
		if !strings.Contains(text, want) || says != "" {
			t.Errorf("%s: %s\n%s", kind, says, text)
		}
	}
}

// TestVariants holds that an autoscaler asks the workload variant autoscaler for its own number,
// and that of others stays.
func TestVariants(t *testing.T) {
	for kind, spec := range map[string]string{
		"HorizontalPodAutoscaler": `{metrics: [{external: {metric: {selector: {matchLabels: {variant_name: a, exported_namespace: ns}}}}}, {selector: {matchLabels: {app: a}}}]}`,
		"ScaledObject":            `{triggers: [{metadata: {query: 'wva_desired_replicas{variant_name="a",exported_namespace="ns"} + x{variant_name="b",exported_namespace="other"}'}}]}`,
	} {
		items, says := apply(t, strings.Replace(moved(kind, "a"), "\n", "\nspec: "+spec+"\n", 1))
		want := strings.NewReplacer("variant_name: a", "variant_name: new-a", "exported_namespace: ns", "exported_namespace: prod",
			`variant_name="a"`, `variant_name="new-a"`, `exported_namespace="ns"`, `exported_namespace="prod"`).Replace(spec)
		if text := written(t, items[0].Node); !strings.Contains(text, want) || says != "" {
			t.Errorf("%s: %s\n%s", kind, says, text)
		}
	}
}
