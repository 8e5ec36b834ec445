package rules

import (
	"strings"
	"testing"
)

// What an API server takes, and what reads it at run time does not.
func TestAtRunTime(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"values of vLLM's flags", `
model: {name: m}
server: {args: [--kv-events-config, "{bad", --gpu-memory-utilization=1.5, --max-num-seqs=many, --max_model_len=32k, --swap-space=4, --seed=$(SEED)], env: [{name: SEED, value: "1"}]}`, `
spec.server.args[1]: --kv-events-config must be JSON; quotes are part of an argument here, since no shell takes them off (got "{bad")
spec.server.args[2]: --gpu-memory-utilization must be a number from 0.01 to 1 (got "1.5")
spec.server.args[3]: --max-num-seqs must be an integer of at least 1 (got "many")`},
		{"quotes of a shell", `
model: {name: m}
server: {args: ["--hf-overrides='{}'"]}`, `spec.server.args[0]: --hf-overrides must be JSON; quotes are part of an argument here, since no shell takes them off (got "'{}'")`},
		{"one dash", `
model: {name: m}
server: {args: [-max-model-len=8192, -O3, -cc.mode=3, -dcp=1]}`, `spec.server.args[0]: is written with one dash, which stands before short names; write --max-model-len=8192`},
		{"TLS on the server's port", `
model: {name: m}
server: {args: [--ssl-keyfile=/a]}`, `spec.server.args[0]: makes the server speak TLS, while probes, gateways and monitors of the stack speak plain HTTP to it; name the Secret in server.certSecret instead, which tells them all`},
		{"flags of the simulator", `
model: {name: m}
server: {engine: simulator, args: [--gpu-memory-utilization=1, --failure-injection-rate=101, --v=2]}`, `
spec.server.args[0]: the simulator of 0.10.2 has no flag --gpu-memory-utilization, and exits at startup
spec.server.args[1]: --failure-injection-rate must be an integer from 0 to 100 (got "101")`},
		{"flags of the sidecar", `
model: {name: m}
prefill: {}
kvTransfer: {sidecar: {args: [--prefill-retry-backof=1s, --prefill-retry-backoff=5, --enable-prefiller-sampling]}}`, `
spec.kvTransfer.sidecar.args[0]: the sidecar of 0.10.0 has no flag --prefill-retry-backof, and exits at startup; did you mean --prefill-retry-backoff?
spec.kvTransfer.sidecar.args[1]: --prefill-retry-backoff must be a duration with its unit, such as 30s (got "5")`},
		{"values of the EPP's flags", `
model: {name: m}
scheduler: {flags: {drain-timeout: "5", enable-pprof: maybe, refresh-metrics-interval: 100ms}}`, `
spec.scheduler.flags.drain-timeout: must be a duration with its unit, such as 30s (got "5")
spec.scheduler.flags.enable-pprof: must be true or false (got "maybe")`},
		{"media and units", `
model: {name: m}
server: {volumes: [{name: a, emptyDir: {medium: Disk}}, {name: b, emptyDir: {medium: HugePages-2Mi}}], resources: {limits: {memory: 512m, cpu: 500m}}}`, `
spec.server.volumes[0].emptyDir.medium: must be left out, or be Memory, HugePages or HugePages-<size> (got "Disk")
spec.server.resources.limits.memory: is a fraction of a byte: m stands for a thousandth here, M and Mi for a million (got 512m)`},
		{"no EPP and no servers", `
model: {name: m}
scheduler: {replicas: 0}
decode: {replicas: 0}`, `
warning spec.scheduler.replicas: is 0: no EPP runs, and requests are scored by nobody or refused, as failureMode says
warning spec.decode.replicas: is 0: no server is started, and requests that need one fail`},
		{"time to start", `
model: {name: m}
server: {probes: {startup: {periodSeconds: 5, failureThreshold: 3}}}`, `warning spec.server.probes.startup: gives a server 15 s to load its model, after which it is killed and starts over; raise failureThreshold`},
		{"an empty claim that cannot be written", `
model: {name: m, storage: {type: pvc, size: 1Gi, accessMode: ReadOnlyMany}}`, `warning spec.model.storage.accessMode: is ReadOnlyMany, and the claim that is made is empty: unless its StorageClass fills it, the servers cannot write the weights into it`},
		{"idle and missing accelerators", `
model: {name: m}
server: {accelerator: {count: 3}}
decode: {parallelism: {tensor: 2}}
prefill: {accelerator: {count: 0}}`, `
warning spec.server.accelerator.count: gives a pod 3 accelerators, and spec.decode.parallelism uses 2: the rest is idle
warning spec.prefill.accelerator.count: is 0: the servers get no accelerator, and vLLM for nvidia exits without one; type: cpu needs none`},
		{"a device without domain", `
model: {name: m}
server: {accelerator: {resourceName: gpu}}`, `spec.server.accelerator.resourceName: must be the extended resource of a device plugin, with its domain, such as nvidia.com/gpu (got "gpu")`},
		{"expressions of a route", `
model: {name: m}
gateway: {class: agentgateway}
route: {matches: [{path: {type: RegularExpression, value: "("}}, {headers: [{type: RegularExpression, name: a, value: "a.*"}]}]}`,
			"spec.route.matches[0].path.value: is not a regular expression of RE2: error parsing regexp: missing closing ): `(`"},
		{"a pool's two shares", `
model: {name: m}
gateway: {class: agentgateway}
route: {split: [{pool: demo, weight: 1}, {pool: b, weight: 1}, {pool: b, weight: 2}]}`, `
spec.route.split[0].pool: demo has a share already; give each pool one weight, and this stack's own by route.weight
spec.route.split[2].pool: b has a share already; give each pool one weight, and this stack's own by route.weight`},
		{"configurations of the transfer", `
model: {name: m}
prefill: {}
kvTransfer: {config: {kv_connector: MultiConnector, kv_role: kv_sideways, kv_connector_extra_config: {connectors: [{kv_connector: NixlConector, kv_role: kv_both}]}}, prefillConfig: {kv_connector: Mine, kv_connector_module_path: my.module, kv_role: kv_producer}}`, `
spec.kvTransfer.config.kv_role: must be one of kv_producer, kv_consumer, kv_both (got kv_sideways)
warning spec.kvTransfer.config.kv_connector_extra_config.connectors[0].kv_connector: is not a connector of vLLM, which exits at startup unless kv_connector_module_path names one of your own; did you mean NixlConnector? (got "NixlConector")`},
		{"configurations in which a side has no part", `
model: {name: m}
prefill: {}
kvTransfer: {config: {kv_connector: NixlConnector, kv_role: kv_consumer}}`,
			"spec.kvTransfer.config.kv_role: must be kv_producer or kv_both for prefill servers, which write the KV cache, and with kv_consumer only read; prefillConfig is theirs alone"},
		{"configurations the wrong way round", `
model: {name: m}
prefill: {}
kvTransfer: {config: {kv_connector: NixlConnector, kv_role: kv_producer}, prefillConfig: {kv_connector: NixlConnector, kv_role: kv_consumer}}`, `
spec.kvTransfer.config.kv_role: must be kv_consumer or kv_both: decode servers read the KV cache, and with kv_producer they only write
spec.kvTransfer.prefillConfig.kv_role: must be kv_producer or kv_both for prefill servers, which write the KV cache, and with kv_consumer only read; prefillConfig is theirs alone`},
		{"configurations that are not whole", `
model: {name: m}
prefill: {}
kvTransfer: {config: {kv_role: kv_both}, prefillConfig: {kv_connector: NixlConnector}}`, `
spec.kvTransfer.config: has no kv_connector, without which vLLM transfers nothing
spec.kvTransfer.prefillConfig: has no kv_role, without which vLLM exits at startup; it is one of kv_producer, kv_consumer, kv_both`},
		{"switches with values", `
model: {name: m}
server: {args: [--enforce-eager=true, --trust-remote-code, "yes", --no-enable-prefix-caching]}`, `
spec.server.args[0]: --enforce-eager takes no value; write --no-enforce-eager for its opposite (got "true")
spec.server.args[2]: is not a flag, and the server takes no arguments but flags after the model's name (got "yes")`},
		{"memory without a unit", `
model: {name: m}
server: {resources: {limits: {memory: "32"}}}`, `spec.server.resources.limits.memory: is 32 bytes, in which no container starts: units such as Mi and Gi follow the number (got 32)`},
		{"a hook that outlasts the server", `
model: {name: m}
server: {lifecycle: {preStop: {exec: {command: [/bin/sh, -c, "sleep 100; curl x && sleep 60s"]}}}}`,
			"spec.server.lifecycle.preStop.exec.command: sleeps as long as terminationGracePeriodSeconds, 130, allows or longer: the server is killed with its running requests (got 160)"},
		{"addresses for host names", `
model: {name: m}
gateway: {class: kgateway, listeners: [{name: a, port: 80, hostname: 10.0.0.1}]}
route: {rules: [{name: a, hostnames: [10.0.0.1]}]}`, `
spec.gateway.listeners[0].hostname: must be a host name, not an IP address (got 10.0.0.1)
spec.route.rules[0].hostnames[0]: must be a host name, not an IP address (got 10.0.0.1)`},
		{"roles that are not alike", `
model: {name: m}
decode: {args: [--block-size=16]}
prefill: {args: [--block-size, "32", --kv-cache-dtype=fp8]}`, `
warning spec.prefill.args: --block-size is 32 here and 16 on the decode servers, which read the blocks that prefill servers write; make them the same
warning spec.prefill.args: --kv-cache-dtype is fp8 here and its default on the decode servers, which read the blocks that prefill servers write; make them the same`},
		{"triggers", `
model: {name: m}
decode: {autoscaling: {type: keda, max: 3, triggers: [{type: promtheus, metadata: {}}, {type: prometheus, metadata: {query: up, threshold: many}}, {type: cron, metadata: {start: 0 6 * * *}}]}}`, `
warning spec.decode.autoscaling.triggers[0].type: is not a scaler of KEDA; did you mean prometheus? (got "promtheus")
spec.decode.autoscaling.triggers[1].metadata: must have serverAddress, which the scaler prometheus needs
spec.decode.autoscaling.triggers[1].metadata.threshold: must be a number in quotes (got "many")
spec.decode.autoscaling.triggers[2].metadata: must have timezone, which the scaler cron needs
spec.decode.autoscaling.triggers[2].metadata: must have end, which the scaler cron needs
spec.decode.autoscaling.triggers[2].metadata: must have desiredReplicas, which the scaler cron needs`},
		{"a metric of no container", `
model: {name: m}
decode: {autoscaling: {max: 3, metrics: [{type: ContainerResource, containerResource: {name: cpu, container: main, target: {type: Utilization, averageUtilization: 50}}}]}}`,
			`spec.decode.autoscaling.metrics[0].containerResource.container: must be a container of the pods: modelserver (got "main")`},
		{"a Redis that nobody reaches", `
model: {name: m}
scheduler: {preset: precise-prefix}
kvCache: {redis: {address: "localhost:0", index: true}}`, `
spec.kvCache.redis.address: must have a port from 1 to 65535 (got 0)
spec.kvCache.redis.address: is inside the pod of whoever asks: give a Service's name or another address (got localhost:0)`},
		{"a class by another's name", `
model: {name: m}
gateway: {class: istio, className: kgateway, replicas: 0}`, `
spec.gateway.className: kgateway is the GatewayClass of class: kgateway; set class, so that what is made fits its controller
warning spec.gateway.replicas: is 0: no proxy runs, and nothing answers`},
		{"caching that a preset needs", `
model: {name: m}
scheduler: {preset: precise-prefix}
server: {vllm: {prefixCaching: false}}`, `spec.server.vllm.prefixCaching: must not be false with preset precise-prefix, which routes by the servers' prefix cache`},
	} {
		if got, want := said(t, tc.spec), strings.TrimSpace(tc.want); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, want)
		}
	}
}
