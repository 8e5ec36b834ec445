package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

const keda = `{type: keda, min: 0, max: 4, targetRunningRequests: 4, prometheusAddress: "http://p:9090"}`

// TestPodRules tries what people write into the escape hatches of pods, and what then does
// not come up.
func TestPodRules(t *testing.T) {
	const refused = "spec.decode.podTemplatePatch: a namespace that enforces the restricted Pod Security Standard refuses these pods: "
	for _, tc := range []struct{ name, spec, want string }{
		{"host network", "  decode: {podTemplatePatch: {spec: {hostNetwork: true, volumes: [{name: dev, hostPath: {path: /dev}}]}}}",
			refused + "hostNetwork: true, hostPath of volume dev"},
		{"privileged", "  decode: {podTemplatePatch: {spec: {containers: [{name: modelserver, securityContext: {privileged: true, runAsUser: 0, capabilities: {add: [IPC_LOCK, NET_BIND_SERVICE]}}}]}}}",
			refused + "capability IPC_LOCK of container modelserver, privileged: true of container modelserver, runAsUser: 0 of container modelserver"},
		{"as root", "  decode: {podTemplatePatch: {spec: {securityContext: {runAsNonRoot: false}}}}", refused + "runAsNonRoot: false"},
		{"harmless", "  decode: {podTemplatePatch: {spec: {dnsPolicy: Default, containers: [{name: modelserver, tty: true}]}}}", ""},
		{"no args", "  decode: {podTemplatePatch: {spec: {containers: [{name: modelserver, args: null}]}}}",
			"spec.decode.podTemplatePatch: must not remove the args of container modelserver, which are the stack's"},
		{"other args", "  decode: {podTemplatePatch: {spec: {containers: [{name: modelserver, args: [--x]}]}}}",
			"spec.decode.podTemplatePatch: writes args of container modelserver in the place of all of the stack's; to add some, use args, or flags for the EPP"},
		{"mistyped container", "  decode: {podTemplatePatch: {spec: {containers: [{name: model-server, env: []}]}}}",
			`spec.decode.podTemplatePatch: adds a container "model-server" without an image; did you mean "modelserver"?`},
		{"unknown container", "  decode: {podTemplatePatch: {spec: {containers: [{name: vllm, env: []}]}}}",
			`spec.decode.podTemplatePatch: adds a container "vllm" without an image; the ones to change are modelserver`},
		{"no sidecar", "  decode: {podTemplatePatch: {spec: {containers: [{name: routing-proxy, env: []}]}}}",
			`spec.decode.podTemplatePatch: adds a container "routing-proxy" without an image; the ones to change are modelserver`},
		{"the sidecar", "  prefill: {}\n  decode: {podTemplatePatch: {spec: {initContainers: [{name: routing-proxy, tty: true}]}}}", ""},
		{"a container more", "  decode: {podTemplatePatch: {spec: {containers: [{name: proxy, image: envoy, args: [-c]}]}}}", refused + "container proxy lacks allowPrivilegeEscalation: false and capabilities.drop: [ALL]"},
		{"no seccomp profile", "  decode: {podTemplatePatch: {spec: {securityContext: {seccompProfile: null}}}}", refused + "container modelserver lacks seccompProfile"},
		{"no context", "  decode: {podTemplatePatch: {spec: {containers: [{name: modelserver, securityContext: null}]}}}",
			refused + "container modelserver lacks allowPrivilegeEscalation: false and capabilities.drop: [ALL]"},
		{"a container outside of a patch", "  server: {containers: [{name: x, image: x}]}",
			"spec.server.containers[0]: a namespace that enforces the restricted Pod Security Standard refuses these pods: container x lacks allowPrivilegeEscalation: false and capabilities.drop: [ALL]"},
		{"baseline", "  security: {podSecurity: baseline}\n  server: {containers: [{name: x, image: x}]}", ""},
		{"a directory of the node", "  server: {volumes: [{name: a, hostPath: {path: /x}}]}",
			"spec.server.volumes[0].hostPath: a namespace that enforces the baseline or the restricted Pod Security Standard refuses pods with directories of their node"},
		{"adapters", "  server: {accelerator: {rdma: {}}}",
			"spec.server.accelerator.rdma: runs the servers as root with IPC_LOCK, which a namespace that enforces the baseline or restricted Pod Security Standard refuses; write capabilities: [] where the container runtime does not limit locked memory"},
		{"adapters without a limit", "  server: {accelerator: {rdma: {capabilities: []}}}", ""},
		{"ports of the EPP", "  security: {podSecurity: baseline}\n  scheduler: {containers: [{name: x, image: x, ports: [{containerPort: 9002}, {name: metrics, containerPort: 80}]}]}",
			"spec.scheduler.containers[0].ports[0].containerPort: 9002 is taken in the EPP's pod: it is its port grpc\n" +
				`spec.scheduler.containers[0].ports[1].name: "metrics" is the name of a port of the EPP, by which Services and probes find it`},
		{"never from 0", "  monitoring: {}\n  decode: {autoscaling: " + keda + "}",
			"spec.decode.autoscaling.min: 0 would stay 0: without servers the EPP refuses requests at once, and its metrics never rise; " +
				"use min: 1, a trigger of your own other than cpu and memory, which modifiers name, or a scheduler.config with flowControl.noEndpointRequestTTL"},
		{"from 0 by a trigger", "  monitoring: {}\n  decode: {autoscaling: " + strings.Replace(keda, "}", ", triggers: [{type: kafka, metadata: {}}]}", 1) + "}", ""},
		{"from 0 by waiting", "  monitoring: {}\n  scheduler: {config: {featureGates: [flowControl], flowControl: {noEndpointRequestTTL: 5m}}}\n  decode: {autoscaling: " + keda + "}", ""},
		{"no tokenizer", "  scheduler: {preset: precise-prefix}\n  networkPolicy: {allowEgress: false}\n  model: {name: m, source: pvc://weights/m}",
			"spec.networkPolicy.allowEgress: is false, so the render service cannot download the tokenizer from Hugging Face; allow it, or name one of your own by scheduler.tokenizer.url"},
		{"a tokenizer elsewhere", "  scheduler: {preset: precise-prefix, tokenizer: {url: \"http://t:8000\"}}\n  networkPolicy: {allowEgress: false}\n  model: {name: m, source: pvc://weights/m}", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			model := "  model: {name: m}\n"
			if strings.Contains(tc.spec, "  model:") {
				model = ""
			}
			docs, _ := document.Read("f", []byte("apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: demo, namespace: prod}\nspec:\n"+model+tc.spec))
			_, problems := parse(docs[0].Node, schema.Source{}, only(serverPatches, podStandard, rdmaFits, eppPod, autoscalingFits, networkPolicySense))
			if d := cmp.Diff(tc.want, problems.Error()); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestNamedAt finds the field that gave an object its name.
func TestNamedAt(t *testing.T) {
	docs, _ := document.Read("f", []byte("apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: demo}\nspec:\n  model: {name: m}\n  scheduler: {name: one}\n  gateway: {class: istio, name: two}\n  objectives: [{name: three, priority: 1}, {name: four, priority: 2}]\n"))
	s, problems := Parse(docs[0].Node, docs[0].Source)
	if s == nil {
		t.Fatal(problems)
	}
	for name, want := range map[string]string{"one": "spec.scheduler.name", "two": "spec.gateway.name", "four": "spec.objectives[1].name", "m": "metadata.name", "demo-decode": "metadata.name"} {
		if got := s.NamedAt(name); got != want {
			t.Errorf("%s is named at %s, not %s", name, got, want)
		}
	}
}
