package wiring

import "testing"

// TestSplitByIstioVersion finds a split between pools on versions of Istio that ask one
// endpoint picker for all of them.
func TestSplitByIstioVersion(t *testing.T) {
	set := `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: gw, namespace: m}
spec: {gatewayClassName: istio, listeners: [{name: http, port: 80, protocol: HTTP}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: r, namespace: m}
spec:
  parentRefs: [{name: gw}]
  rules: [{backendRefs: [{group: inference.networking.k8s.io, kind: InferencePool, name: a, weight: 9}, {group: inference.networking.k8s.io, kind: InferencePool, name: b, weight: 1}]}]
`
	objects, err := Read("set.yaml", []byte(set))
	if err != nil {
		t.Fatal(err)
	}
	for version, found := range map[string]bool{
		"": true, "1.28": true, "1.28.9": true, "1.29": true, "1.29.8": true, "1.29.9": false, "1.30.5": true, "v1.30.6": false, "1.31.1": true, "1.31.2": false, "1.32": false, "1.33.0": false,
	} {
		platform := map[string]string{}
		if version != "" {
			platform[istio] = version
		}
		got := Check(objects, Options{Rules: []string{"istio-weighted-pools"}, Platform: platform})
		if (len(got) > 0) != found || found && got[0].Severity != Warning {
			t.Errorf("Istio %q: %v", version, got)
		}
	}
}
