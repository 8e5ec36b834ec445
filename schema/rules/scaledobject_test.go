package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScaledObjectRules(t *testing.T) {
	const keda = "\nmodel: {name: m}\nmonitoring: {}\ndecode: {autoscaling: {type: keda, max: 4, prometheusAddress: 'http://p:9090', "
	for _, tc := range []struct{ name, spec, want string }{
		{"a formula of generated and own triggers", keda + `targetRunningRequests: 8, triggers: [{type: cron, name: office, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 18 * * *, desiredReplicas: "3"}}],
  modifiers: {formula: "max(runningRequests, office) > 3 ? float(runningRequests) : 1.5e1", target: "4"}}}`, ""},
		{"variables of the formula's own", keda + `targetRunningRequests: 8, targetQueueSize: 1, modifiers: {formula: "let demand = max(queueSize, runningRequests / 16); demand <= 3 ? demand : max(demand - (late ?? 0), 3)", target: "1"}}}`,
			`spec.decode.autoscaling.modifiers.formula: late names no trigger; those with a name are runningRequests, queueSize`},
		{"items of a list", keda + `targetRunningRequests: 8, modifiers: {formula: "sum(filter([runningRequests, 2], {# > 1}))", target: "1"}}}`, ""},
		{"windows of two fields", keda + `targetRunningRequests: 8, scaleDownStabilizationSeconds: 60, scaleDown: {stabilizationWindowSeconds: 30}}}`,
			`info spec.decode.autoscaling.scaleDownStabilizationSeconds: has no effect beside scaleDown.stabilizationWindowSeconds`},
		{"names that are no triggers", keda + `targetRunningRequests: 8, modifiers: {formula: runningRequest + 1, target: "4"}}}`,
			`
warning spec.decode.autoscaling.targetRunningRequests: has no effect: the servers follow spec.decode.autoscaling.modifiers.formula, which does not name it
spec.decode.autoscaling.modifiers.formula: runningRequest names no trigger; did you mean runningRequests?`},
		{"a formula of CPU", keda + `targetCPUUtilization: 70, modifiers: {formula: cpu + 1, target: "4"}}, resources: {requests: {cpu: 1}}}`,
			`spec.decode.autoscaling.modifiers.formula: cpu names no trigger: no trigger other than cpu and memory has a name`},
		{"brackets and functions", keda + `targetRunningRequests: 8, modifiers: {formula: "max(runningRequests, 2", target: "0"}}}`, `
spec.decode.autoscaling.modifiers.formula: has a ( that is not closed
spec.decode.autoscaling.modifiers.target: must be a number above 0, in quotes (got "0")`},
		{"a function that is none", keda + `targetRunningRequests: 8, modifiers: {formula: "maximum(runningRequests, 2)", target: "1"}}}`,
			`spec.decode.autoscaling.modifiers.formula: maximum is not a function of a formula, such as max, min, sum or float`},
		{"names that are taken", keda + `targetRunningRequests: 8, targetQueueSize: 2, triggers: [{type: prometheus, name: queueSize, metricType: Utilization, metadata: {serverAddress: "http://p", query: up, threshold: "1"}}]}}`, `
spec.decode.autoscaling.triggers[0].name: queueSize is the name of an earlier trigger; each trigger has a name of its own
spec.decode.autoscaling.triggers[0].metricType: must be AverageValue or Value: only the scalers cpu and memory know Utilization`},
		{"CPU and memory alone", keda + `min: 0, fallback: {replicas: 2}, triggers: [{type: cpu, useCachedMetrics: true, metadata: {value: "60"}}, {type: memory, metricType: Utilization, metadata: {value: "60", containerName: log}}]}, containers: [{name: log, image: "a:1", securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]}`, `
spec.decode.autoscaling.min: must be at least 1: KEDA cannot scale from 0 by CPU or memory alone
spec.decode.autoscaling.fallback: needs a trigger other than cpu and memory, for which KEDA has no fallback
spec.decode.autoscaling.triggers[0].metricType: required, but missing
spec.decode.autoscaling.triggers[0].useCachedMetrics: is not supported by the scaler cpu
spec.decode.autoscaling.triggers[1]: is a share of what all containers of the pods request, and log requests no memory; set its resources.requests.memory`},
		{"triggers that wake nothing", keda + `min: 0, targetRunningRequests: 8, triggers: [{type: cpu, metricType: Utilization, metadata: {value: "60"}}]}, resources: {requests: {cpu: 1}}}`,
			`spec.decode.autoscaling.min: 0 would stay 0: without servers the EPP refuses requests at once, and its metrics never rise; use min: 1, a trigger of your own other than cpu and memory, which modifiers name, or a scheduler.config with flowControl.noEndpointRequestTTL`},
		{"a container beside the server that requests nothing", `
model: {name: m}
decode: {autoscaling: {max: 4, targetCPUUtilization: 70}, resources: {requests: {cpu: 1}}, containers: [{name: log, image: "a:1", securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]}`,
			`spec.decode.autoscaling.targetCPUUtilization: is a share of what all containers of the pods request, and log requests no cpu; set its resources.requests.cpu`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(strings.TrimSpace(tc.want), said(t, tc.spec)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestWorkloadVariantAutoscaler(t *testing.T) {
	const stack = "\nmodel: {name: m}\nmonitoring: {}\n"
	for _, tc := range []struct{ name, spec, want string }{
		{"by an HPA", stack + `decode: {autoscaling: {max: 4, wva: {}}}`, ""},
		{"of a role by CPU beside it", stack + `decode: {autoscaling: {max: 4, wva: {}}}
prefill: {autoscaling: {max: 4, targetCPUUtilization: 70}, resources: {requests: {cpu: 1}}}`, ""},
		{"by KEDA", stack + `decode: {autoscaling: {type: keda, max: 4, prometheusAddress: "https://p:9090", prometheusAuth: {authenticationRef: {name: p}, authModes: [bearer]}, wva: {variantCost: "0.5"}}}`, ""},
		{"of a line before it", "\nrelease: '0.4'\nscheduler: {image: 'mirror/epp:v0.4.0'}" + stack + `decode: {autoscaling: {max: 4, wva: {}}}`,
			`spec.decode.autoscaling.wva: needs a release line with a workload variant autoscaler that finds servers by annotations, not 0.4; use release 0.10`},
		{"of an engine that it does not know", stack + `server: {engine: trtllm}
decode: {autoscaling: {max: 4, wva: {}}}`,
			`spec.decode.autoscaling.wva: the workload variant autoscaler reads the metrics of vLLM and SGLang alone, and spec.server.engine is trtllm; scale by targetRunningRequests`},
		{"beside others", stack + `decode: {autoscaling: {max: 4, wva: {}, targetRunningRequests: 8, metrics: [{type: Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: "4"}}}]}}
prefill: {autoscaling: {type: keda, min: 0, max: 4, wva: {}, triggers: [{type: cron, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 18 * * *, desiredReplicas: "3"}}]}}`, `
spec.decode.autoscaling.targetRunningRequests: cannot be combined with spec.decode.autoscaling.wva: the number of servers would be the highest that any of them asks for
spec.decode.autoscaling.metrics: cannot be combined with spec.decode.autoscaling.wva: the number of servers would be the highest that any of them asks for
spec.prefill.autoscaling.prometheusAddress: is required for spec.prefill.autoscaling.wva with type: keda
spec.prefill.autoscaling.min: 0 would stay 0: the workload variant autoscaler starts a first server when requests wait in the EPP, which refuses them at once; use min: 1, or a scheduler.config with flowControl.noEndpointRequestTTL
spec.prefill.autoscaling.triggers: cannot be combined with spec.prefill.autoscaling.wva: the number of servers would be the highest that any of them asks for`},
		{"without metrics", "\nmodel: {name: m}\nmonitoring: {podMonitor: false}\ndecode: {autoscaling: {max: 4, wva: {}}}",
			`info spec.monitoring.podMonitor: alerts and dashboard find the servers' series by the label inferencestack="demo", which a monitor of your own must add
warning spec.decode.autoscaling.wva: scales by the servers' metrics in Prometheus, and the stack has no PodMonitor that brings them there; add spec.monitoring, unless something else scrapes the servers`},
		{"a name twice", stack + `decode: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-L40S}, autoscaling: {max: 4, wva: {acceleratorName: L40S}}}`,
			`info spec.decode.autoscaling.wva.acceleratorName: has no effect: the node label nvidia.com/gpu.product says NVIDIA-L40S`},
		{"credentials of nobody", stack + `decode: {autoscaling: {max: 4, targetRunningRequests: 8, prometheusAuth: {}}}
prefill: {autoscaling: {type: keda, max: 4, targetCPUUtilization: 70, prometheusAuth: {}}, resources: {requests: {cpu: 1}}}`, `
spec.decode.autoscaling.prometheusAuth: goes with type: keda
warning spec.prefill.autoscaling.prometheusAuth: has no effect without targetRunningRequests, targetQueueSize or wva; triggers of your own say it themselves`},
		{"modes without credentials", stack + `decode: {autoscaling: {type: keda, max: 4, targetRunningRequests: 8, prometheusAddress: "http://p", prometheusAuth: {authModes: [tls]}}}`,
			`spec.decode.autoscaling.prometheusAuth.authModes: needs authenticationRef, the object with the credentials`},
		{"no certificate to verify", stack + `decode: {autoscaling: {type: keda, max: 4, targetRunningRequests: 8, prometheusAddress: "http://p", prometheusAuth: {unsafeSsl: true}}}`,
			`warning spec.decode.autoscaling.prometheusAuth.unsafeSsl: has no effect with an address that begins with http:`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(strings.TrimSpace(tc.want), said(t, tc.spec)); d != "" {
				t.Error(d)
			}
		})
	}
}
