package wiring

import (
	"fmt"
	"strings"
	"testing"
)

// picked is a pool and the endpoint picker that it names, with its flags, replicas, probes and
// configuration.
func picked(epp, config string) string {
	return fmt.Sprintf(`apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata: {name: a, namespace: m}
spec: {selector: {matchLabels: {app: v}}, targetPorts: [{number: 8000}], endpointPickerRef: {name: epp, port: {number: 9002}}}
---
apiVersion: v1
kind: Service
metadata: {name: epp, namespace: m}
spec: {selector: {app: epp}, ports: [{port: 9002, appProtocol: kubernetes.io/h2c}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: config, namespace: m}
data:
  config.yaml: |
    %s
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: epp, namespace: m}
spec:
  selector: {matchLabels: {app: epp}}
  %s
`, strings.ReplaceAll(strings.TrimSpace(config), "\n", "\n    "), epp)
}

// pickerPod is the rest of the picker's Deployment: more flags, more of the container, further containers.
func pickerPod(replicas int, flags, more, beside string) string {
	return fmt.Sprintf(`replicas: %d
  template:
    metadata: {labels: {app: epp}}
    spec:
      volumes: [{name: config, configMap: {name: config}}]
      containers:
      - name: epp
        image: ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.10.0
        args: [--config-file=/config/config.yaml%s]
        volumeMounts: [{name: config, mountPath: /config}]
        %s
%s`, replicas, flags, more, beside)
}

// TestWatchedPool has an endpoint picker watch the pool that names it, or another.
func TestWatchedPool(t *testing.T) {
	for flags, found := range map[string]bool{
		", --pool-name=a": false, ", --pool-name=b": true, ", --pool-name, b": true, ", '--pool-name=${POOL}'": false,
		", --endpoint-selector=app=v": false, ", --pool-name=b, --pool-namespace=n": false,
	} {
		if got := said(t, picked(pickerPod(1, flags, "", ""), "{}"), "pool-not-watched"); (got != nil) != found {
			t.Errorf("%s: %q", flags, got)
		}
	}
}

// TestLeaderProbes asks for health services under leader election, where only the leader is ready.
func TestLeaderProbes(t *testing.T) {
	const leads, alone = ", --pool-name=a, --ha-enable-leader-election", ", --pool-name=a"
	for _, tt := range []struct {
		flags, probe, service string
		found                 bool
	}{
		{leads, "livenessProbe", ", service: liveness", false},
		{leads, "livenessProbe", ", service: readiness", true},
		{leads, "livenessProbe", "", true},
		{leads, "livenessProbe", ", service: inference-extension", true},
		{leads, "startupProbe", ", service: readiness", true},
		{leads, "startupProbe", ", service: liveness", false},
		{leads, "readinessProbe", ", service: readiness", false},
		{leads, "readinessProbe", "", false},
		{leads, "readinessProbe", ", service: inference-extension", true},
		{alone, "livenessProbe", "", false},
		{alone, "livenessProbe", ", service: inference-extension", false},
		{alone, "readinessProbe", ", service: whatever", false},
	} {
		more := tt.probe + ": {grpc: {port: 9003" + tt.service + "}}"
		if got := said(t, picked(pickerPod(2, tt.flags, more, ""), "{}"), "epp-probe-service"); (got != nil) != tt.found {
			t.Errorf("%s %s%s: %q", tt.flags, tt.probe, tt.service, got)
		}
	}
}

// TestPredictors looks for the servers that predict latencies.
func TestPredictors(t *testing.T) {
	const needs, not = "plugins: [{type: latency-scorer}]", "plugins: [{type: queue-scorer}]"
	const beside = "      - {name: prediction-server, image: 'ghcr.io/llm-d/llm-d-latency-predictor-prediction-server:v0.10.0'}"
	for _, tt := range []struct {
		config, more, beside string
		found                bool
	}{
		{needs, "", "", true},
		{"plugins: [{type: predicted-latency-producer}]", "", "", true},
		{"plugins: [{type: prefix-cache-affinity-filter}]", "", "", false},
		{not, "", "", false},
		{needs, "env: [{name: PREDICTION_SERVER_URL, value: 'http://predictor:8001'}]", "", false},
		{needs, "envFrom: [{configMapRef: {name: x}}]", "", false},
		{needs, "", beside, false},
	} {
		if got := said(t, picked(pickerPod(1, ", --pool-name=a", tt.more, tt.beside), tt.config), "epp-predictor-missing"); (got != nil) != tt.found {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestRedisLoopback keeps the index of KV-cache blocks at the pod's own address.
func TestRedisLoopback(t *testing.T) {
	const beside = "      - {name: redis, image: 'redis:7'}"
	index := func(config string) string {
		return "plugins: [{type: precise-prefix-cache-producer, parameters: {indexerConfig: {kvBlockIndexConfig: {" + config + "}}}}]"
	}
	for _, tt := range []struct {
		replicas              int
		flags, config, beside string
		found                 bool
	}{
		{1, "", "redisConfig: {address: 'redis://127.0.0.1:6379'}", "", true},
		{1, "", "redisConfig: {address: 'redis://127.0.0.1:6379'}", beside, false},
		{2, "", "redisConfig: {address: 'redis://127.0.0.1:6379'}", beside, true},
		{2, ", --ha-enable-leader-election", "redisConfig: {address: 'redis://localhost:6379'}", beside, false},
		{2, "", "redisConfig: {}", "", true},
		{1, "", "valkeyConfig: {address: 'valkeys://user:word@[::1]:6379'}", "", true},
		{2, "", "redisConfig: {address: 'redis://redis:6379'}", "", false},
		{2, "", "costAwareMemoryConfig: {size: 2GiB}, redisConfig: {}", "", false},
		{2, "", "inMemoryConfig: {}", "", false},
	} {
		if got := said(t, picked(pickerPod(tt.replicas, ", --pool-name=a"+tt.flags, "", tt.beside), index(tt.config)), "kv-redis-loopback"); (got != nil) != tt.found {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestUnreadWorkloads names what may make the pods that a pool selects.
func TestUnreadWorkloads(t *testing.T) {
	template := func(app string) string {
		return "{metadata: {labels: {app: " + app + "}}, spec: {containers: [{name: c, image: x}]}}"
	}
	for _, tt := range []struct {
		object string
		found  bool
	}{
		{"apiVersion: ray.io/v1\nkind: RayCluster\nspec: {headGroupSpec: {template: " + template("x") + "}}", true},
		{"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nspec: {template: " + template("v") + "}", true},
		{"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nspec: {template: " + template("x") + "}", false},
		{"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nspec: {workloadRef: {name: x}}", true},
		{"apiVersion: serving.kserve.io/v1alpha1\nkind: LLMInferenceService\nspec: {template: {containers: [{name: main}]}}", true},
		{"apiVersion: example.com/v1\nkind: ModelFleet\nspec: {groups: [{pod: " + template("v") + "}]}", true},
		{"apiVersion: example.com/v1\nkind: ModelFleet\nspec: {groups: [{pod: " + template("x") + "}]}", false},
		{"apiVersion: apps/v1\nkind: Deployment\nspec: {selector: {matchLabels: {app: v}}, template: " + template("v") + "}", false},
		{"apiVersion: example.com/v1\nkind: ModelFleet\nspec: {models: 2}", false},
	} {
		for namespace, near := range map[string]bool{"m": true, "other": false} {
			set := picked(pickerPod(1, ", --pool-name=a", "", ""), "{}") + "---\n" + tt.object + "\nmetadata: {name: w, namespace: " + namespace + "}\n"
			if got := said(t, set, "workload-unread"); (got != nil) != (tt.found && near) {
				t.Errorf("%s in %s: %q", tt.object, namespace, got)
			}
		}
	}
}
