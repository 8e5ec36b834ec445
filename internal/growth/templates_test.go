package growth

// stack is as large as production stacks are: 22 objects.
const stack = `---
apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: NAME, namespace: NAMESPACE}
spec:
  model:
    name: Qwen/Qwen3-32B
    tokenSecret: {name: hf-token}
    storage: {type: pvc, size: 200Gi, storageClassName: shared-nvme}
  decode:
    parallelism: {tensor: 2}
    autoscaling: {type: keda, min: 2, max: 8, targetRunningRequests: 16, prometheusAddress: "http://prometheus-operated.monitoring.svc:9090"}
    disruptionBudget: {maxUnavailable: 1}
  scheduler: {preset: prefix-aware, replicas: 2}
  gateway:
    class: istio
    listeners:
    - {name: https, port: 443, protocol: HTTPS, hostname: NAME.example.com, tlsSecret: llm-example-com}
  route: {hostnames: [NAME.example.com]}
  monitoring: {labels: {release: prometheus}}
  networkPolicy: {monitoringNamespaces: [monitoring]}
  delivery: {syncWaves: true}
`

const deployment = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME, namespace: a}
spec:
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME, of: all}}
    spec:
      containers:
      - name: server
        image: vllm/vllm-openai:v0.11.0
        args: [--model=org/model, --port=8000]
        ports: [{containerPort: 8000, name: http}]
`

const prefill = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME-prefill, namespace: a}
spec:
  selector: {matchLabels: {app: NAME-prefill}}
  template:
    metadata: {labels: {app: NAME-prefill, of: all, llm-d.ai/role: prefill}}
    spec:
      containers:
      - {name: server, image: "vllm/vllm-openai:v0.11.0", args: [--model=org/model, --port=8000]}
`

const decode = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME-decode, namespace: a}
spec:
  selector: {matchLabels: {app: NAME-decode}}
  template:
    metadata: {labels: {app: NAME-decode, of: all, llm-d.ai/role: decode}}
    spec:
      initContainers:
      - {name: sidecar, image: "ghcr.io/llm-d/llm-d-router-disagg-sidecar:v0.10.0", args: [--port=8000, --model-server-port=8200], restartPolicy: Always}
      containers:
      - {name: server, image: "vllm/vllm-openai:v0.11.0", args: [--model=org/model, --port=8200]}
`

const service = `---
apiVersion: v1
kind: Service
metadata: {name: NAME, namespace: a, labels: {of: all}}
spec:
  selector: {LABEL}
  ports: [{name: http, port: 80, targetPort: 8000}]
`

const pool = `---
apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata: {name: NAME, namespace: a}
spec:
  selector: {matchLabels: {LABEL}}
  targetPorts: [{number: 8000}]
  endpointPickerRef: {name: NAME-epp, port: {number: 9002}}
`

const policy = `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: NAME, namespace: a}
spec:
  podSelector: {matchLabels: {LABEL}}
  policyTypes: [Ingress]
  ingress:
  - from: [{podSelector: {matchLabels: {client: NAME}}}]
    ports: [{port: 8000}]
`

const route = `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: NAME, namespace: a}
spec:
  parentRefs: [{name: front}]
  rules:
  - matches: [{path: {value: /NAME}}]
    backendRefs: [{group: inference.networking.k8s.io, kind: InferencePool, name: all}]
`

const serviceRoute = `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: NAME, namespace: a}
spec:
  parentRefs: [{name: front}]
  rules:
  - matches: [{path: {value: /NAME}}]
    backendRefs: [{name: NAME, port: 80}]
`

const gateway = `---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: front, namespace: a}
spec:
  gatewayClassName: istio
  listeners: [{name: http, port: 80, protocol: HTTP}]
`

// picker is a pool over all workloads with its endpoint picker.
const picker = `---
apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata: {name: all, namespace: a}
spec:
  selector: {matchLabels: {of: all}}
  targetPorts: [{number: 8000}]
  endpointPickerRef: {name: epp, port: {number: 9002}}
---
apiVersion: v1
kind: Service
metadata: {name: epp, namespace: a}
spec:
  selector: {app: epp}
  ports: [{name: grpc-ext-proc, port: 9002, appProtocol: kubernetes.io/h2c}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: epp, namespace: a}
spec:
  selector: {matchLabels: {app: epp}}
  template:
    metadata: {labels: {app: epp}}
    spec:
      containers:
      - name: epp
        image: ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.10.0
        args: [--pool-name=all, --secure-serving=false]
`

const monitor = `---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: NAME, namespace: a}
spec:
  selector: {matchLabels: {LABEL}}
  endpoints: [{port: http}]
`

const lost = `---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: NAME, namespace: a}
spec: {host: NAME.a.svc.cluster.local}
`

// near has nearly the name that lost refers to.
const near = `---
apiVersion: v1
kind: Service
metadata: {name: NAME-s, namespace: a}
spec: {ports: [{port: 80}]}
`
