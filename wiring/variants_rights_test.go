package wiring

import "strings"

const ingressTo = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: llm-d}
spec: {rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: `

var rightsVariants = []variant{
	{rule: "epp-rbac", base: "native", in: "RoleBinding llama-epp", old: "  namespace: llm-d\nroleRef", new: "  namespace: default\nroleRef"},
	{rule: "epp-rbac", base: "native", in: "RoleBinding llama-epp", old: "- kind: ServiceAccount\n  name: llama-epp", new: "- kind: ServiceAccount\n  name: router"},
	{rule: "epp-rbac", base: "native", in: "RoleBinding llama-epp"},
	{rule: "epp-rbac", base: "native", in: "Deployment llama-epp", old: "      serviceAccountName: llama-epp\n", new: ""},
	{rule: "epp-rbac", base: "native", in: "Deployment llama-epp", old: "serviceAccountName: llama-epp", new: "serviceAccountName: llama-epp2"},
	{rule: "workload-selector", base: "native", in: "Deployment llama-decode", old: "      app.kubernetes.io/component: decode\n", new: "      app.kubernetes.io/component: decoder\n"},
	{rule: "pool-namespace", base: "native", in: "Deployment llama-epp", old: "--pool-namespace=llm-d", new: "--pool-namespace=other"},
	{rule: "pool-picker-kind", base: "native", in: "InferencePool llama", old: "kind: Service", new: "kind: Deployment"},
	{rule: "epp-service-selects-nothing", base: "native", in: "Service llama-epp", old: "    app.kubernetes.io/component: epp\n    app.kubernetes.io/instance: llama\n  type", new: "    app.kubernetes.io/component: picker\n    app.kubernetes.io/instance: llama\n  type"},
	{rule: "epp-service-selects-nothing", base: "tls", in: "Service llama-epp", old: "    app.kubernetes.io/component: epp\n    app.kubernetes.io/instance: llama\n  type", new: "    app.kubernetes.io/component: picker\n    app.kubernetes.io/instance: llama\n  type"},
	{rule: "probe-port", base: "native", in: "Deployment llama-decode", old: "            port: 8200", new: "            port: 8201"},
	{rule: "service-target-port", base: "envoyfilter", in: "Service llama", old: "targetPort: sidecar", new: "targetPort: 8001"},
	{rule: "dangling-reference", base: "native", in: "ConfigMap llama-epp-config", old: "namespace: llm-d", new: "namespace: web"},
	{rule: "dangling-reference", base: "native", in: "Gateway llama-gateway", old: "namespace: llm-d", new: "namespace: web"},
	{rule: "dangling-reference", base: "native", add: ingressTo + "{name: llama-eppp, port: {number: 9002}}}}]}}]}"},
	{rule: "service-port-missing", base: "native", add: ingressTo + "{name: llama-epp, port: {name: http}}}}]}}]}"},
	{rule: "gateway-class", base: "native", in: "Gateway llama-gateway", old: "gatewayClassName: istio", new: "gatewayClassName: istoi"},
	{rule: "dangling-reference", base: "native", in: "HTTPRoute llama", old: "group: inference.networking.k8s.io", new: "group: inference.networking.x-k8s.io"},
	{rule: "dangling-reference", base: "native", in: "RoleBinding llama-epp", old: "kind: Role\n", new: "kind: ClusterRole\n"},
	{rule: "dangling-reference", base: "native", in: "Deployment llama-epp", old: "name: llama-epp-config\n", new: "name: llama-epp-conf\n"},
	{rule: "reference-kind", base: "native", in: "RoleBinding llama-epp", old: "kind: Role\n", new: "kind: role\n"},
	{rule: "reference-kind", base: "native", in: "RoleBinding llama-epp", old: "kind: ServiceAccount", new: "kind: Account"},
	{rule: "reference-kind", base: "native", in: "HTTPRoute llama", old: "kind: InferencePool", new: "kind: inferencepool"},
	{rule: "reference-kind", base: "native", in: "HTTPRoute llama", old: "kind: Gateway\n", new: "kind: gateway\n"},
	{rule: "reference-kind", base: "native", add: strings.Replace(secondScaler, "kind: Deployment", "kind: Deploymnt", 1)},
	{rule: "reference-kind", base: "native", add: tlsGateway + "tls: {certificateRefs: [{kind: secret, name: web}]}}]}"},
	{rule: "binding-subject", base: "native", add: "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: llm-d-all}\n" +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects: [{kind: ServiceAccount, name: llama-epp}]"},
	{rule: "listener-protocol", base: "native", add: tlsGateway + "}]}"},
	{rule: "listener-protocol", base: "native", add: strings.Replace(tlsGateway, "istio", "own", 1) + "}]}"},
	{rule: "listener-protocol", base: "native", in: "Gateway llama-gateway", old: "protocol: HTTP\n", new: "protocol: http\n"},
	{rule: "image-name", base: "native", in: "Deployment llama-epp", old: "image: ghcr.io", new: "image: https://ghcr.io"},
	{rule: "image-name", base: "native", in: "Deployment llama-epp", old: "endpoint-picker:", new: "endpoint-picker::"},
	{rule: "image-name", base: "native", in: "Deployment llama-epp", old: "image: ghcr.io", new: "image: ghcr.io /"},
	{rule: "image-name", base: "native", in: "Deployment llama-epp", old: "endpoint-picker:", new: "endpoint-picker@sha256:"},
}

// tlsGateway has a listener of HTTPS.
const tlsGateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: web, namespace: llm-d}
spec: {gatewayClassName: istio, listeners: [{name: https, port: 443, protocol: HTTPS, `
