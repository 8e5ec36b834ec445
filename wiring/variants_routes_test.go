package wiring

const otherPool = `apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata: {name: other, namespace: llm-d}
spec:
  selector: {matchLabels: {llm-d.ai/inference-serving: "true"}}
  targetPorts: [{number: 8000}]
  endpointPickerRef: {name: llama-epp, port: {number: 9002}}`

var routeVariants = []variant{
	{rule: "dangling-reference", base: "native", in: "Service llama-epp"},
	{rule: "dangling-reference", base: "native", in: "HTTPRoute llama", old: "    - group: inference.networking.k8s.io\n      kind: InferencePool\n      name: llama", new: "    - group: inference.networking.k8s.io\n      kind: InferencePool\n      name: lama-pool"},
	{rule: "dangling-reference", base: "native", in: "HTTPRoute llama", old: "name: llama-gateway", new: "name: llama-gatway"},
	{rule: "dangling-reference", base: "native", in: "RoleBinding llama-epp", old: "kind: Role\n  name: llama-epp", new: "kind: Role\n  name: llama"},
	{rule: "dangling-reference", base: "production", in: "ScaledObject qwen-decode", old: "    name: qwen-decode", new: "    name: qwen"},
	{rule: "prerequisite", base: "native", in: "Gateway llama-gateway"},
	{rule: "key-missing", base: "native", in: "Deployment llama-epp", old: "/config/epp-config.yaml", new: "/config/config.yaml"},
	{rule: "duplicate-object", base: "native", add: "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: llama-epp, namespace: llm-d}"},
	{rule: "mount-without-volume", base: "native", in: "Deployment llama-decode", old: "      - name: shm\n        emptyDir", new: "      - name: dshm\n        emptyDir"},
	{rule: "service-selects-nothing", base: "envoyfilter", in: "Service llama", old: "    app.kubernetes.io/component: decode\n    app.kubernetes.io/instance: llama\n  type", new: "    app.kubernetes.io/component: decoder\n    app.kubernetes.io/instance: llama\n  type"},
	{rule: "service-target-port", base: "envoyfilter", in: "Service llama", old: "targetPort: sidecar", new: "targetPort: proxy"},
	{rule: "service-port-missing", base: "envoyfilter", in: "HTTPRoute llama", old: "port: 8000", new: "port: 8001"},
	{rule: "service-port-missing", base: "native", in: "InferencePool llama", old: "number: 9002", new: "number: 9003"},
	{rule: "service-port-missing", base: "envoyfilter", in: "EnvoyFilter llama-ext-proc", old: "outbound|9002|", new: "outbound|8080|"},
	{rule: "epp-grpc-port", base: "native", in: "Service llama-epp", old: "targetPort: grpc", new: "targetPort: metrics"},
	{rule: "epp-service-wrong-pods", base: "native", in: "Service llama-epp", old: "    app.kubernetes.io/component: epp\n    app.kubernetes.io/instance: llama\n  type", new: "    app.kubernetes.io/component: decode\n  type"},
	{rule: "port-conflict", base: "native", in: "Deployment llama-decode", old: "containerPort: 8200", new: "containerPort: 8000"},
	{rule: "probe-port", base: "native", in: "Deployment llama-decode", old: "            port: 8200", new: "            port: web"},
	{rule: "route-section-missing", base: "native", in: "HTTPRoute llama", old: "name: llama-gateway", new: "name: llama-gateway\n    sectionName: https"},
	{rule: "route-section-missing", base: "native", in: "HTTPRoute llama", old: "name: llama-gateway", new: "name: llama-gateway\n    port: 8080"},
	{rule: "route-not-allowed", base: "native", add: "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: far, namespace: apps}\nspec:\n  parentRefs: [{name: llama-gateway, namespace: llm-d}]"},
	{rule: "route-hostname-mismatch", base: "native", in: "Gateway llama-gateway", old: "protocol: HTTP", new: "protocol: HTTP\n    hostname: '*.example.com'", add: "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: far, namespace: llm-d}\nspec:\n  hostnames: [llm.example.org]\n  parentRefs: [{name: llama-gateway}]"},
	{rule: "reference-grant-missing", base: "native", in: "Gateway llama-gateway", old: "from: Same", new: "from: All", add: "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: far, namespace: apps}\nspec:\n  parentRefs: [{name: llama-gateway, namespace: llm-d}]\n  rules: [{backendRefs: [{group: inference.networking.k8s.io, kind: InferencePool, name: llama, namespace: llm-d}]}]"},
	{rule: "gke-route-timeouts", base: "native", in: "Gateway llama-gateway", old: "gatewayClassName: istio", new: "gatewayClassName: gke-l7-rilb"},
	{rule: "kgateway-pool", base: "native", in: "Gateway llama-gateway", old: "gatewayClassName: istio", new: "gatewayClassName: kgateway"},
	{rule: "istio-weighted-pools", base: "native", in: "HTTPRoute llama", old: "      weight: 1", new: "      weight: 9\n    - {group: inference.networking.k8s.io, kind: InferencePool, name: llama, weight: 1}"},
	{rule: "epp-port-not-grpc", base: "native", in: "Service llama-epp", old: "  - name: grpc-ext-proc\n    protocol: TCP\n    appProtocol: kubernetes.io/h2c", new: "  - name: ext-proc\n    protocol: TCP"},
	{rule: "epp-tls", base: "native", in: "DestinationRule llama-epp"},
	{rule: "epp-tls", base: "native", in: "Deployment llama-epp", old: "--secure-serving=true", new: "--secure-serving=false"},
	{rule: "envoyfilter-namespace", base: "envoyfilter", in: "EnvoyFilter llama-ext-proc", old: "namespace: llm-d", new: "namespace: istio-system"},
	{rule: "envoyfilter-target", base: "envoyfilter", in: "EnvoyFilter llama-ext-proc", old: "spec:\n", new: "spec:\n  workloadSelector: {labels: {gateway.networking.k8s.io/gateway-name: llama-gateway}}\n"},
	{rule: "envoyfilter-route", base: "envoyfilter", in: "EnvoyFilter llama-ext-proc", old: "name: llm-d.llama.0", new: "name: llm-d.llama.0.0"},
	{rule: "envoyfilter-weighted", base: "envoyfilter", in: "HTTPRoute llama", old: "      weight: 1", new: "      weight: 9\n    - {kind: Service, name: llama, port: 8000, weight: 1}"},
	{rule: "envoyfilter-cluster", base: "envoyfilter", in: "EnvoyFilter llama-ext-proc", old: "cluster: inferstack.llm-d.llama.original-dst", new: "cluster: original-dst"},
	{rule: "envoyfilter-filter-name", base: "envoyfilter", in: "EnvoyFilter llama-ext-proc", old: "          inferstack.llm-d.llama:", new: "          envoy.filters.http.ext_proc:"},
	{rule: "ext-proc-twice", base: "envoyfilter", in: "HTTPRoute llama", old: "    - group: \"\"\n      kind: Service\n      name: llama\n      port: 8000", new: "    - group: inference.networking.k8s.io\n      kind: InferencePool\n      name: llama"},
	{rule: "ext-proc-body-mode", base: "envoyfilter", in: "EnvoyFilter llama-ext-proc", old: "request_body_mode: FULL_DUPLEX_STREAMED", new: "request_body_mode: BUFFERED"},
	{rule: "ext-proc-body-mode", base: "envoyfilter", in: "EnvoyFilter llama-ext-proc", old: "request_trailer_mode: SEND", new: "request_trailer_mode: SKIP"},
	{rule: "ignore-incomplete", base: "native", in: "InferencePool llama", old: "  namespace: llm-d\n", new: "  namespace: llm-d\n  annotations: {inferstack.dev/ignore: 'epp-tls; no-such-rule=because'}\n"},
	{rule: "pools-overlap", base: "native", add: otherPool},
}
