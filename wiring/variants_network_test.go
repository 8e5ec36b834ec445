package wiring

import "strings"

const denyAll = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny-all, namespace: llm-d}
spec: {podSelector: {}, policyTypes: [Ingress]}`

const noDNS = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: epp, namespace: llm-d}
spec:
  podSelector: {matchLabels: {app.kubernetes.io/component: epp}}
  policyTypes: [Egress]
  egress: [{to: [{podSelector: {}}], ports: [{port: 8000}]}]`

const onlyFromMonitoring = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: prefill, namespace: llm-d}
spec:
  podSelector: {matchLabels: {llm-d.ai/role: prefill}}
  ingress:
  - from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}]
  - from: [{podSelector: {matchLabels: {app.kubernetes.io/component: epp}}}]
    ports: [{port: 8000, endPort: 8100}]
  - from: [{podSelector: {}}]
    ports: [{port: http}]`

const frontOfEnvoy = `apiVersion: v1
kind: Service
metadata: {name: front, namespace: llm-d}
spec:
  selector: {app.kubernetes.io/component: proxy}
  ports: [{port: 80, targetPort: 8081}]`

var networkVariants = []variant{
	{rule: "probe-port", base: "native", in: "Deployment llama-prefill", old: "        env:\n", new: "        lifecycle: {preStop: {httpGet: {port: drain, path: /}}}\n        env:\n"},
	{rule: "gateway-picker-tls", base: "native", in: "Gateway llama-gateway", old: "gatewayClassName: istio", new: "gatewayClassName: agentgateway", add: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: plain, namespace: llm-d}\nspec: {selector: {matchLabels: {app.kubernetes.io/component: epp, app.kubernetes.io/instance: llama}}, template: {metadata: {labels: {app.kubernetes.io/component: epp, app.kubernetes.io/instance: llama}}, spec: {containers: [{name: epp, image: 'ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.10.0', args: [--pool-name=llama, --secure-serving=false]}]}}}"},
	{rule: "istio-cors", base: "native", in: "HTTPRoute llama", old: "    backendRefs:", new: "    filters: [{type: CORS, cors: {allowOrigins: ['*']}}]\n    backendRefs:"},
	{rule: "gke-health-check", base: "native", in: "Gateway llama-gateway", old: "gatewayClassName: istio", new: "gatewayClassName: gke-l7-rilb"},
	{rule: "gke-health-check", base: "native", in: "Gateway llama-gateway", old: "gatewayClassName: istio", new: "gatewayClassName: gke-l7-rilb", add: "apiVersion: networking.gke.io/v1\nkind: HealthCheckPolicy\nmetadata: {name: llama, namespace: llm-d}\nspec: {targetRef: {group: inference.networking.k8s.io, kind: InferencePool, name: llama}, default: {config: {type: HTTP, httpHealthCheck: {requestPath: /health, port: 8200}}}}"},
	{rule: "claim-access", base: "native", add: "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: weights, namespace: llm-d}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Ti}}}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: other, namespace: llm-d}\nspec: {replicas: 2, selector: {matchLabels: {app: o}}, template: {metadata: {labels: {app: o}}, spec: {containers: [{name: o, image: x}], volumes: [{name: w, persistentVolumeClaim: {claimName: weights}}]}}}"},
	{rule: "token-in-clear", base: "native", in: "Deployment llama-prefill", old: "        - name: VLLM_HTTP_TIMEOUT_KEEP_ALIVE", new: "        - name: HF_TOKEN\n          value: hf_abcdefghijklmnopqrstuvwxyz0123456789\n        - name: VLLM_HTTP_TIMEOUT_KEEP_ALIVE"},
	{rule: "ext-proc-ping", base: "proxy", in: "ConfigMap llama-gateway-config", old: "interval: 300s", new: "interval: 30s"},
	{rule: "network-policy-cuts", base: "production", in: "NetworkPolicy qwen-epp", old: "port: 9002", new: "port: 9003"},
	{rule: "network-policy-cuts", base: "production", in: "NetworkPolicy qwen-servers", old: "gateway-name: qwen-gateway", new: "gateway-name: web"},
	{rule: "network-policy-cuts", base: "production", in: "NetworkPolicy qwen-epp", old: "  - ports:\n    - protocol: TCP\n      port: 8000\n    to:", new: "  - ports:\n    - protocol: TCP\n      port: 8200\n    to:"},
	{rule: "network-policy-cuts", base: "proxy", in: "NetworkPolicy llama-servers", old: "  - from:\n    - podSelector:\n        matchLabels:\n          app.kubernetes.io/instance: llama\n        matchExpressions:", new: "  - from:\n    - podSelector:\n        matchLabels:\n          app.kubernetes.io/instance: qwen\n        matchExpressions:"},
	{rule: "network-policy-cuts", base: "proxy", in: "NetworkPolicy llama-gateway", old: "port: 9002", new: "port: 9003"},
	{rule: "network-policy-cuts", base: "envoyfilter", add: denyAll},
	{rule: "network-policy-cuts", base: "native", add: onlyFromMonitoring},
	{rule: "network-policy-dns", base: "precise", add: noDNS},
	{rule: "network-policy-api-server", base: "production", in: "NetworkPolicy qwen-epp", old: "      port: 443\n    - protocol: TCP\n      port: 6443", new: "      port: 4317"},
	{rule: "network-policy-api-server", base: "precise", add: strings.Replace(noDNS, "port: 8000", "port: 443", 1)},
	{rule: "proxy-cluster-missing", base: "proxy", in: "ConfigMap llama-gateway-config", old: "cluster_name: ext_proc\n                    timeout", new: "cluster_name: epp\n                    timeout"},
	{rule: "proxy-picker-port", base: "proxy", in: "Service llama-epp", old: "targetPort: grpc", new: "targetPort: metrics"},
	{rule: "service-port-missing", base: "proxy", in: "ConfigMap llama-gateway-config", old: "port_value: 9002", new: "port_value: 9003"},
	{rule: "dangling-reference", base: "proxy", in: "ConfigMap llama-gateway-config", old: "address: llama-epp.llm-d.svc", new: "address: llama-eep.llm-d.svc"},
	{rule: "proxy-picker-protocol", base: "proxy", in: "ConfigMap llama-gateway-config", old: "              http2_protocol_options:", new: "              http_protocol_options:"},
	{rule: "proxy-picker-tls", base: "proxy", in: "Deployment llama-epp", old: "--secure-serving=true", new: "--secure-serving=false"},
	{rule: "proxy-picker-tls", base: "proxy", in: "ConfigMap llama-gateway-config", old: "UpstreamTlsContext", new: "RawBuffer"},
	{rule: "proxy-ext-proc-twice", base: "proxy", in: "ConfigMap llama-gateway-config", old: "              - name: inferstack.guard\n", new: extProcFilter + "              - name: inferstack.guard\n"},
	{rule: "proxy-original-dst", base: "proxy", in: "ConfigMap llama-gateway-config", old: "use_http_header: true", new: "use_http_header: false"},
	{rule: "proxy-original-dst", base: "proxy", in: "ConfigMap llama-gateway-config", old: "lb_policy: CLUSTER_PROVIDED", new: "lb_policy: ROUND_ROBIN"},
	{rule: "proxy-listener", base: "proxy", add: frontOfEnvoy},
	{rule: "api-version-unserved", base: "native", platform: map[string]string{gatewayAPI: "0.8"}},
	{rule: "api-version-unserved", base: "native", platform: map[string]string{istio: "1.21"}},
	{rule: "api-version-unserved", base: "native", platform: map[string]string{extension: "1.5"}, in: "InferencePool llama", old: "inference.networking.k8s.io/v1", new: "inference.networking.x-k8s.io/v1alpha2"},
	{rule: "api-version-unserved", base: "native", platform: map[string]string{kubernetes: "1.30"}, add: claimTemplate},
	{rule: "api-version-unserved", base: "native", platform: map[string]string{kubernetes: "1.26"}, add: "apiVersion: autoscaling/v2beta2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a, namespace: llm-d}\nspec: {scaleTargetRef: {kind: Deployment, name: llama-decode}}"},
	{rule: "api-version-unserved", base: "native", platform: map[string]string{extension: "0.5"}},
	{rule: "ext-proc-body-mode", base: "proxy", in: "ConfigMap llama-gateway-config", old: "request_body_mode: FULL_DUPLEX_STREAMED", new: "request_body_mode: STREAMED"},
}

const claimTemplate = `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpu, namespace: llm-d}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}}`

const extProcFilter = `              - name: again
                typed_config:
                  '@type': type.googleapis.com/envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor
                  grpc_service:
                    envoy_grpc:
                      cluster_name: ext_proc
                  processing_mode:
                    request_body_mode: FULL_DUPLEX_STREAMED
                    request_trailer_mode: SEND
`
