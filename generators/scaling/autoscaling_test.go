package scaling

import (
	"testing"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

func TestAutoscaling(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"none", `
model: {name: m}`, `null`},
		{"HorizontalPodAutoscaler", `
model: {name: m}
monitoring: {}
decode:
  resources: {requests: {cpu: 1}}
  autoscaling: {min: 2, max: 4, targetRunningRequests: 16, targetQueueSize: 8, targetCPUUtilization: 70, scaleDownStabilizationSeconds: 60}`, `
- apiVersion: autoscaling/v2
  kind: HorizontalPodAutoscaler
  metadata:
    labels:
      app.kubernetes.io/component: decode
      app.kubernetes.io/instance: demo
      app.kubernetes.io/managed-by: inferstack
      app.kubernetes.io/name: llm-d
      app.kubernetes.io/part-of: llm-d
    name: demo-decode
    namespace: llm
  spec:
    behavior:
      scaleDown:
        stabilizationWindowSeconds: 60
    maxReplicas: 4
    metrics:
    - external:
        metric:
          name: llm_d_epp_request_running
          selector:
            matchLabels:
              inferencestack: demo
        target:
          averageValue: "16"
          type: AverageValue
      type: External
    - external:
        metric:
          name: llm_d_epp_flow_control_queue_size
          selector:
            matchLabels:
              inferencestack: demo
        target:
          averageValue: "8"
          type: AverageValue
      type: External
    - resource:
        name: cpu
        target:
          averageUtilization: 70
          type: Utilization
      type: Resource
    minReplicas: 2
    scaleTargetRef:
      apiVersion: apps/v1
      kind: Deployment
      name: demo-decode
  status:
    currentMetrics: null
    desiredReplicas: 0`},
		{"KEDA, on line 0.4, over nodes", `
release: "0.4"
model: {name: m}
monitoring: {}
decode:
  parallelism: {data: 2, nodes: 2, expert: true}
  autoscaling: {type: keda, min: 0, max: 4, targetRunningRequests: 16, prometheusAddress: "http://p:9090", triggers: [{type: kafka, metadata: {start: a}}]}`, `
- apiVersion: keda.sh/v1alpha1
  kind: ScaledObject
  metadata:
    labels:
      app.kubernetes.io/component: decode
      app.kubernetes.io/instance: demo
      app.kubernetes.io/managed-by: inferstack
      app.kubernetes.io/name: llm-d
      app.kubernetes.io/part-of: llm-d
    name: demo-decode
    namespace: llm
  spec:
    advanced:
      horizontalPodAutoscalerConfig:
        behavior:
          scaleDown:
            stabilizationWindowSeconds: 300
    maxReplicaCount: 4
    minReplicaCount: 0
    scaleTargetRef:
      apiVersion: leaderworkerset.x-k8s.io/v1
      kind: LeaderWorkerSet
      name: demo-decode
    triggers:
    - metadata:
        query: sum by (namespace) (inference_objective_running_requests{inferencestack="demo",namespace="llm"})
        serverAddress: http://p:9090
        threshold: "16"
      metricType: AverageValue
      name: runningRequests
      type: prometheus
    - metadata:
        start: a
      type: kafka`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stacktest.AsYAML(t, tc.want, Autoscalers(stacktest.Parse(t, tc.spec)))
		})
	}
}

func TestScaledObjectCopies(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
decode: {autoscaling: {type: keda, max: 4, triggers: [{type: kafka, metadata: {start: a}}]}}`)
	original := scaledObject(s.Decode())
	dup := original.DeepCopyObject().(*ScaledObject)
	dup.Spec.Triggers[0]["type"] = "x"
	dup.Labels["x"] = "y"
	dup.Spec.Advanced.HPAConfig.Behavior.ScaleDown = nil
	if original.Spec.Triggers[0]["type"] != "kafka" || original.Labels["x"] != "" || original.Spec.Advanced.HPAConfig.Behavior.ScaleDown == nil {
		t.Error("the copy shares memory")
	}
}

func TestDisruptionBudget(t *testing.T) {
	stacktest.AsYAML(t, `
- apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata:
    labels:
      app.kubernetes.io/component: prefill
      app.kubernetes.io/instance: demo
      app.kubernetes.io/managed-by: inferstack
      app.kubernetes.io/name: llm-d
      app.kubernetes.io/part-of: llm-d
    name: demo-prefill
    namespace: llm
  spec:
    maxUnavailable: 50%
    selector:
      matchLabels:
        app.kubernetes.io/component: prefill
        app.kubernetes.io/instance: demo
  status:
    currentHealthy: 0
    desiredHealthy: 0
    disruptionsAllowed: 0
    expectedPods: 0`, DisruptionBudgets(stacktest.Parse(t, `
model: {name: m}
prefill: {disruptionBudget: {maxUnavailable: 50%}}`)))
}

// TestGuidesScaler holds that the ScaledObject of llm-d's guide workload-autoscaling can be
// said whole.
func TestGuidesScaler(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
monitoring: {}
decode:
  autoscaling:
    type: keda
    max: 8
    prometheusAddress: http://p:9090
    targetRunningRequests: 16
    targetQueueSize: 4
    pollingSeconds: 15
    cooldownSeconds: 360
    fallback: {replicas: 2}
    modifiers: {formula: "runningRequests + 10 * queueSize", target: "16"}
    scaleUp: {stabilizationWindowSeconds: 240}`)
	spec := scaledObject(s.Decode()).DeepCopyObject().(*ScaledObject).Spec
	spec.Triggers = spec.Triggers[1:]
	stacktest.AsYAML(t, `
advanced:
  horizontalPodAutoscalerConfig:
    behavior:
      scaleDown:
        stabilizationWindowSeconds: 300
      scaleUp:
        stabilizationWindowSeconds: 240
  scalingModifiers:
    formula: runningRequests + 10 * queueSize
    metricType: AverageValue
    target: "16"
cooldownPeriod: 360
fallback:
  failureThreshold: 3
  replicas: 2
maxReplicaCount: 8
minReplicaCount: 1
pollingInterval: 15
scaleTargetRef:
  apiVersion: apps/v1
  kind: Deployment
  name: demo-decode
triggers:
- metadata:
    query: sum by (namespace) (llm_d_epp_flow_control_queue_size{inferencestack="demo",namespace="llm"})
    serverAddress: http://p:9090
    threshold: "4"
  metricType: AverageValue
  name: queueSize
  type: prometheus`, spec)
}
