package conform

import (
	"strings"
	"testing"
)

// The checker must see the mistakes that it is there for.
func TestCheckSeesMistakes(t *testing.T) {
	for _, tc := range []struct{ name, object, want string }{
		{"sound pool", pool("selector: {matchLabels: {a: b}}, targetPorts: [{number: 8000}]"), ""},
		{"unknown field", pool("selector: {matchLabel: {a: b}}, targetPorts: [{number: 8000}]"), "unknown field"},
		{"OpenAPI rule", pool("selector: {matchLabels: {a: b}}, targetPorts: [{number: 0}]"), "should be greater than or equal to 1"},
		{"CEL rule", pool("selector: {matchLabels: {a: b}}, targetPorts: [{number: 8000}, {number: 8000}]"), "unique"},
		{"long label", `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {a: ` + strings.Repeat("x", 64) + `}}}`, "must be no more than 63"},
		{"wrong type", `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {n: 1}}`, "cannot unmarshal number"},
		{"unknown field of a pod", deployment(`hostNetwrk: true`), `unknown field "spec.template.spec.hostNetwrk"`},
		{"unknown kind", `{apiVersion: example.com/v1, kind: Thing, metadata: {name: a}}`, "no schema"},
		{"bad name", `{apiVersion: v1, kind: Service, metadata: {name: 1a}}`, "DNS-1035"},
		{"unknown Envoy type", filter(`name: a, typed_config: {"@type": type.googleapis.com/envoy.Nothing}`), "envoy.Nothing"},
		{"unknown Envoy enum", filter(`name: a, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor, processing_mode: {request_body_mode: ALL}}`), "ALL"},
		{"Envoy rule in a packed message", filter(`name: a, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor, grpc_service: {envoy_grpc: {cluster_name: ""}}}`), "ClusterName"},
		{"unknown applyTo", strings.Replace(filter("name: a"), "HTTP_FILTER", "HTTP_FILTERS", 1), "Unsupported value"},
		{"bootstrap", `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {e.yaml: "static_resources: {clusters: [{type: STATIC}]}"}}`, "Cluster.Name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := CheckYAML([]byte(tc.object))
			switch {
			case tc.want == "" && err != nil:
				t.Error(err)
			case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
				t.Errorf("want %q, got %v", tc.want, err)
			}
		})
	}
}

func TestPodSecuritySeesWhatIsMissing(t *testing.T) {
	docs, err := Documents([]byte(deployment(`hostNetwork: true`)))
	if err != nil {
		t.Fatal(err)
	}
	for level, want := range map[string]string{"baseline": "hostNetwork", "restricted": "runAsNonRoot"} {
		if err := PodSecurity(docs[0], level); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", level, want, err)
		}
	}
}

func pool(spec string) string {
	return `{apiVersion: inference.networking.k8s.io/v1, kind: InferencePool, metadata: {name: a, namespace: b}, spec: {endpointPickerRef: {name: epp, port: {number: 9002}}, ` + spec + `}}`
}

func filter(value string) string {
	return `{apiVersion: networking.istio.io/v1alpha3, kind: EnvoyFilter, metadata: {name: a}, spec: {configPatches: [{applyTo: HTTP_FILTER, match: {context: GATEWAY}, patch: {operation: INSERT_FIRST, value: {` + value + `}}}]}}`
}

func deployment(pod string) string {
	return `{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}], ` + pod + `}}}}`
}
