package convert

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/helm"
)

const (
	servers  = "inferencePool:\n  modelServers:\n    matchLabels: {app: a}\n"
	standing = "inferenceExtension:\n  extraServicePorts:\n  - {name: http, port: 80, targetPort: 8081}\n  sidecar:\n    args: [--log-level, info, --concurrency, '8', -c, /etc/envoy/envoy.yaml]\n"
	uds      = `inferenceExtension:
  extraContainerPorts: [{name: zmq, containerPort: 5557}]
  extraServicePorts: [{name: zmq, port: 5557, targetPort: 5557}]
  sidecar:
    enabled: true
    name: tokenizer-uds
    image: ghcr.io/llm-d/llm-d-uds-tokenizer:v0.7.1
    volumeMounts: [{name: tokenizers, mountPath: /tokenizers}]
  volumes: [{name: tokenizers, emptyDir: {}}, {name: mine, emptyDir: {}}]
  volumeMounts: [{name: tokenizers, mountPath: /t}, {name: mine, mountPath: /m}]
  pluginsConfigFile: c.yaml
  pluginsCustomConfig:
    c.yaml: |
      plugins:
      - type: tokenizer
        parameters: {modelName: a/b, udsTokenizerConfig: {socketFile: /t/uds.socket}}
      - type: precise-prefix-cache-scorer
        parameters:
          tokenProcessorConfig: {blockSize: 64}
          kvEventsConfig: {discoverPods: false, zmqEndpoint: "tcp://*:5557"}
`
)

// pluginsOf are pool values with a configuration of the user's own.
func pluginsOf(lines ...string) string {
	return "inferenceExtension:\n  pluginsConfigFile: c.yaml\n  pluginsCustomConfig:\n    c.yaml: |\n      " + strings.Join(lines, "\n      ") + "\n" + servers
}

// TestHelmStandalone has values of the chart standalone of Gateway API Inference Extension,
// whose proxy stands beside the EPP.
func TestHelmStandalone(t *testing.T) {
	for name, c := range map[string]helmCase{
		"by the port": {pool: standing + servers, stack: []string{"class: envoy", "name: gaie-p-proxy", "servicePort: 80", "logLevel: info", "concurrency: 8"},
			says: []string{"info pool:2:3: inferenceExtension.extraServicePorts: taken for values of the chart standalone", "!error"}},
		"by its endpoints": {pool: "inferenceExtension:\n  endpointsServer: {createInferencePool: true}\n" + servers, stack: []string{"class: envoy", "!create: false\n    selector"}},
		"without a pool": {pool: "inferenceExtension:\n  endpointsServer: {createInferencePool: false, endpointSelector: 'app=a,b=c', targetPorts: '8000,8001', modelServerType: sglang}\n",
			stack: []string{"create: false\n", "      app: a\n      b: c\n", "- 8001", "defaultEngine: sglang"}, says: []string{"!error"}},
		"no selector": {pool: "inferenceExtension:\n  endpointsServer: {createInferencePool: false, endpointSelector: 'app in (a)'}\n", says: []string{`endpointSelector: must be labels, as in app=a,role=b, when no InferencePool is made (got "app in (a)")`}},
		"turned off": {pool: "inferenceExtension:\n  extraServicePorts: [{name: http, port: 80, targetPort: 8081}]\n  sidecar: {enabled: false}\n" + servers, stack: []string{"!class: envoy"},
			says: []string{"port 80 of the EPP's Service is left out: it leads to the proxy of a standalone chart, and there is none"}},
		"behind a Gateway":         {infra: "gateway: {gatewayClassName: istio}\n", pool: standing + servers, stack: []string{"!class: envoy"}, says: []string{"there is none", "!error"}},
		"agentgateway's flags":     {pool: "router:\n  modelServers: {matchLabels: {a: b}}\n  proxy: {enabled: true, args: [-f, /config/config.yaml]}\n", stack: []string{"class: envoy"}, says: []string{"-f /config/config.yaml: left out: agentgateway is started so", "!error"}},
		"metrics":                  {pool: strings.Replace(standing, "  sidecar", "  - {name: metrics, port: 9090, targetPort: 9090}\n  sidecar", 1) + servers, says: []string{"port 9090 is left out: the EPP's Service has it for the metrics", "!error"}},
		"a port of the user's own": {pool: strings.Replace(standing, "  sidecar", "  - {name: x, port: 7000}\n  sidecar", 1) + servers, says: []string{"error pool:2:3: inferenceExtension.extraServicePorts: cannot be carried over: the port 7000 of the EPP's Service"}},
		"a container": {pool: "inferenceExtension:\n  sidecar: {enabled: true, name: x, image: 'a/b:v1', command: run, configMap: {name: conf, data: {k: v}}, volumes: [{name: conf, configMap: {name: conf}}]}\n" + servers,
			stack: []string{"containers:\n    - name: x\n", "command:\n      - run\n", "!class: envoy"}, says: []string{"!error"}},
		"a configuration spelt out": {pool: "inferenceExtension:\n  sidecar: {enabled: true, name: e, image: 'envoyproxy/envoy:v1', command: envoy, args: [-c, /e/envoy.yaml], env: [{name: NS, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}], ports: [{containerPort: 8081}, {containerPort: 19001}], readinessProbe: {httpGet: {port: 19001}}, volumes: [{name: c, configMap: {name: e}}], volumeMounts: [{name: c, mountPath: /e}], configMap: {name: e, data: {envoy.yaml: 'static_resources: {a: envoy.filters.http.ext_proc, type: ORIGINAL_DST, port_value: 19001}'}}}\n" + servers,
			stack: []string{"class: envoy", "image: envoyproxy/envoy:v1"}, says: []string{"warning pool:2:", "the stack writes the configuration of an Envoy that asks the EPP", "!error"}},
		"another configuration": {pool: "inferenceExtension:\n  sidecar: {enabled: true, name: e, image: 'envoyproxy/envoy:v1', env: [{name: A, value: b}], configMap: {name: e, data: {envoy.yaml: 'static_resources: {}'}}}\n" + servers, says: []string{"sidecar.configMap: cannot be carried over", "sidecar.env: cannot be carried over"}},
		"its field misspelt":    {pool: "inferenceExtension:\n  sidecar: {enabled: true, name: x, imag: y}\n" + servers, says: []string{"error pool:2:43: inferenceExtension.sidecar.imag: unknown field"}},
	} {
		t.Run(name, c.run)
	}
}

// TestHelmOlderConfigurations has what EPPs of earlier guides took, and today's does not.
func TestHelmOlderConfigurations(t *testing.T) {
	const handler = "plugins:\n      - type: pd-profile-handler\n        parameters: {threshold: %}\n      - {type: prefill-filter}\n      - {type: decode-filter}\n      schedulingProfiles:\n      - {name: prefill, plugins: [{pluginRef: prefill-filter}]}\n      - {name: decode, plugins: [{pluginRef: decode-filter}]}"
	index := pluginsOf("plugins:", "- {type: endpoint-notification-source}", "- type: precise-prefix-cache-producer", "  parameters: {tokenProcessorConfig: {blockSizeTokens: 128, hashSeed: '7'}}",
		"dataLayer: {sources: [{pluginRef: endpoint-notification-source, extractors: [{pluginRef: precise-prefix-cache-producer}]}]}")
	for name, c := range map[string]helmCase{
		"tokenizer beside": {pool: uds + servers, stack: []string{"preset: precise-prefix", "mode: centralized", "- name: mine", "!tokenizers", "!containers:"},
			says: []string{"extraContainerPorts: left out: the port for KV-cache events follows from kvCache.events", "sidecar: the tokenizer beside the EPP is left out", "!error"}},
		"the servers of the stack": {pool: uds + servers, model: serverHead, stack: []string{"!mode: centralized"}, says: []string{"the EPP dials the servers for them, and none dials it"}},
		"another port":             {pool: strings.ReplaceAll(uds, "5557", "5556") + servers, stack: []string{"mode: centralized", "centralPort: 5556"}, says: []string{"!error"}},
		"events by a configuration": {pool: strings.Replace(pluginsOf("plugins:", "- {type: token-producer, parameters: {modelName: a/b, vllm: {url: 'http://render:8000'}}}", "- {type: precise-prefix-cache-producer, parameters: {kvEventsConfig: {zmqEndpoint: 'tcp://*:5557', discoverPods: false}}}"), "  plugins", "  extraServicePorts: [{name: zmq, port: 5557}]\n  plugins", 1),
			stack: []string{"mode: centralized", "!preset"}, says: []string{"the port for KV-cache events follows from kvCache.events", "!error"}},
		"events of release line 0.4": {pool: strings.Replace(pluginsOf("plugins: [{type: precise-prefix-cache-scorer, parameters: {indexerConfig: {tokenProcessorConfig: {blockSize: 64}}}}]"), "  plugins", "  image: {hub: ghcr.io/llm-d, name: llm-d-inference-scheduler, tag: v0.4.0}\n  extraServicePorts: [{name: zmq, port: 5557}]\n  plugins", 1),
			stack: []string{"release: \"0.4\"", "type: precise-prefix-cache-scorer"}, says: []string{"the port for KV-cache events follows from kvCache.events", "!error"}},
		"tokenizer within": {pool: pluginsOf("plugins:", "- type: precise-prefix-cache-scorer", "  parameters: {indexerConfig: {tokenizersPoolConfig: {modelName: a/b, hf: {tokenizersCacheDir: /tmp}}}}"),
			stack: []string{"preset: precise-prefix", "name: a/b"}, says: []string{"this EPP has none in itself", "!error"}},
		"tokenizer by the index": {pool: pluginsOf("plugins:", "- type: precise-prefix-cache-scorer", "  parameters: {indexerConfig: {tokenizersPoolConfig: {modelName: a/b, uds: {socketFile: /t/s}}}}"),
			stack: []string{"preset: precise-prefix", "name: a/b"}, says: []string{"asks none over a socket", "!error"}},
		"tokenizer by a render service": {pool: pluginsOf("plugins:", "- {type: token-producer, parameters: {modelName: a/b, vllm: {url: 'http://render:8000'}}}", "- type: precise-prefix-cache-scorer", "  parameters: {indexerConfig: {tokenizersPoolConfig: {modelName: a/b, uds: {socketFile: /t/s}}}}"),
			stack: []string{"!preset: precise-prefix"}},
		"a gate that is gone":            {pool: pluginsOf("featureGates: [prepareDataPlugins, flowControl]", "plugins: [{type: queue-scorer}]"), stack: []string{"featureGates:\n      - flowControl\n", "!- prepareDataPlugins"}, says: []string{"the feature gate prepareDataPlugins is left out", "!error"}},
		"always to prefill":              {pool: pluginsOf(strings.Replace(handler, "%", "0, hashBlockSize: 5", 1)), stack: []string{"deciderPluginName: always-disagg-pd-decider", "- type: always-disagg-pd-decider"}, says: []string{"!error", "!asks for prefill servers"}},
		"by the prompt":                  {pool: pluginsOf(strings.Replace(handler, "%", "10", 1)), stack: []string{"deciderPluginName: prefix-based-pd-decider", "nonCachedTokens: 3"}, says: []string{"!error"}},
		"autoTune":                       {pool: pluginsOf("plugins:", "- {type: prefix-cache-scorer, parameters: {autoTune: false, lruCapacityPerServer: 100}}"), stack: []string{"autoTune: false\n          lruCapacityPerServer: 100\n        type: approx-prefix-cache-producer"}, says: []string{"!error"}},
		"block size":                     {pool: index, stack: []string{"blockSize: 128\n", "hashSeed: \"7\"\n"}, says: []string{"!error"}},
		"metrics of SGLang":              {pool: strings.Replace(pluginsOf("plugins: [{type: queue-scorer}]"), "  pluginsConfigFile", "  flags: {total-queued-requests-metric: 'sglang:num_queue_reqs', lora-info-metric: ''}\n  pluginsConfigFile", 1), stack: []string{"defaultEngine: sglang"}, says: []string{"knows the metrics of sglang", "!error"}},
		"metrics of nobody":              {pool: strings.Replace(servers, "inferencePool", "inferenceExtension:\n  flags: {total-queued-requests-metric: 'mine:waiting'}\ninferencePool", 1), says: []string{"error pool:2:10: inferenceExtension.flags: cannot be carried over: --total-queued-requests-metric=mine:waiting"}},
		"engine of the chart":            {pool: pluginsOf("plugins: [{type: queue-scorer}]") + "  modelServerType: trtllm-serve\n", stack: []string{"defaultEngine: trtllm-serve"}, says: []string{"core-metrics-extractor is added"}},
		"experimental":                   {pool: "router:\n  epp: {flags: {allow-experimental-plugins: true}}\n  proxy: {enabled: false}\n  modelServers: {matchLabels: {a: b}}\n", says: []string{"--allow-experimental-plugins: left out", "!error"}},
		"destination rule":               {pool: servers + "provider: {name: istio, istio: {destinationRule: {host: mine-epp.ns.svc}}}\n", stack: []string{"name: mine-epp\n"}, says: []string{"info pool:4:57: provider.istio.destinationRule.host: the release is taken to be mine", "!error"}},
		"destination rule of a service":  {pool: servers + "provider: {name: istio, istio: {destinationRule: {host: mine.ns.svc}}}\n", says: []string{"the EPP is gaie-p-epp, or the one of this name with --release pool=mine;"}},
		"connections":                    {pool: servers + "provider: {name: istio, istio: {destinationRule: {trafficPolicy: {connectionPool: {http: {idleTimeout: 900s}, tcp: {maxConnectionDuration: 30m}}}}}}\n", stack: []string{"idleTimeout: 900s", "maxConnectionDuration: 30m"}, says: []string{"!error"}},
		"an index that tokenizes itself": {pool: pluginsOf("plugins: [{type: precise-prefix-cache-scorer, parameters: {indexerConfig: {tokenProcessorConfig: {blockSize: 64}}}}]"), stack: []string{"preset: precise-prefix", "blockSize: 64"}, says: []string{"!error"}},
		"a port that nothing uses":       {pool: strings.Replace(pluginsOf("plugins: [{type: queue-scorer}]"), "  pluginsConfigFile", "  extraServicePorts: [{name: zmq, port: 5557}]\n  extraContainerPorts: [{name: zmq, containerPort: 5557}]\n  pluginsConfigFile", 1), says: []string{"warning pool:2:22: inferenceExtension.extraServicePorts: port 5557 of the EPP's Service, for KV-cache events, is left out", "the port 5557 of the EPP's container is left out", "!error"}},
		"null":                           {pool: servers + "inferenceExtension:\n  flags:\n  tolerations: [{key: a, value: null}]\n", stack: []string{"- key: a"}, says: []string{"!error"}},
	} {
		t.Run(name, c.run)
	}
}

// TestHelmOlderServers has what earlier guides wrote of the servers.
func TestHelmOlderServers(t *testing.T) {
	const prefill = "prefill:\n  containers:\n  - name: vllm\n    image: x/y:v1\n    modelCommand: custom\n    command: [run]\n"
	own := strings.Replace(serverHead, "modelCommand: vllmServe", "modelCommand: custom\n    command: [run]", 1)
	for name, c := range map[string]helmCase{
		"dra":                           {model: serverHead + "dra: {enabled: true, type: intel-gaudi, claimTemplates: [{name: intel-gaudi, class: mine.example.com, count: 2}]}\n", stack: []string{"type: intel-gaudi", "deviceClassName: mine.example.com", "count: 2"}, says: []string{"!error"}},
		"dra of a type with a resource": {model: serverHead + "accelerator: {type: intel-i915, dra: true}\n", stack: []string{"dra: {}", "!resourceName"}, says: []string{"!error"}},
		"dra turned off":                {model: serverHead + "dra: {enabled: false, type: intel-gaudi}\n", stack: []string{"!dra:"}, says: []string{"!error"}},
		"no effect": {model: strings.Replace(serverHead, "    modelCommand", "    device: cpu\n    securityContext: {fsGroup: 107, supplementalGroups: [107]}\n    modelCommand", 1) + "  securityContext: {fsGroup: 107}\n",
			says: []string{"warning ms:7:13: decode.containers[0].device: left out: it has had no effect, since the chart does not read it", "decode.containers[0].securityContext.fsGroup: left out", "decode.securityContext: left out: it has had no effect, since the chart reads podSecurityContext", "!error"}},
		"no effect on the EPP":         {pool: "inferenceExtension: {monitoring: {prometheus: {enable: true}}}\n" + servers + "  provider: {name: gke}\n", says: []string{"prometheus.enable: left out: it has had no effect, since the chart reads enabled", "inferencePool.provider: left out", "!error"}},
		"privileged":                   {model: strings.Replace(serverHead, "    modelCommand", "    securityContext: {privileged: true}\n    modelCommand", 1), stack: []string{"allowPrivilegeEscalation: true"}, says: []string{"!error"}},
		"shared memory":                {model: serverHead + "    volumeMounts: [{name: shm, mountPath: /dev/shm}]\n  volumes: [{name: shm, emptyDir: {}}]\n", stack: []string{"!emptyDir"}, says: []string{"/dev/shm is in memory in every stack", "!error"}},
		"connector":                    {model: own + prefill + "routing: {proxy: {connector: sglang}}\n", stack: []string{"engine: sglang"}, says: []string{"!connector"}},
		"side channel":                 {model: own + "    ports: [{name: nixl, containerPort: 5557}]\n" + prefill, says: []string{"port 5557, named nixl, is left out", "!error"}},
		"a port's name":                {model: serverHead + "    ports: [{name: tpu-pd-coordination, containerPort: 9600}]\n", stack: []string{"containerPort: 9600", "!name: tpu-pd-coordination"}, says: []string{"the name tpu-pd-coordination of port 9600 is left out", "!error"}},
		"a volume that nothing mounts": {model: serverHead + "  volumes: [{name: shm, emptyDir: {medium: Memory}}, {name: kept, secret: {secretName: s}}]\n", stack: []string{"- name: kept", "!name: shm"}, says: []string{"the volume shm is left out: no container mounts it", "!error"}},
		"weights in a volume":          {model: strings.Replace(serverHead, "    modelCommand", "    env: [{name: HF_HUB_CACHE, value: /hf/hub}, {name: A, value: b}]\n    volumeMounts: [{name: hf, mountPath: /hf}]\n    modelCommand", 1) + "  volumes: [{name: hf, hostPath: {path: /hf}}]\n", stack: []string{"- name: HF_HUB_CACHE\n            value: /hf/hub", "- name: A\n"}, says: []string{"HF_HUB_CACHE is patched over the stack's own", "!error"}},
		"the chart's own variable":     {model: own + "    env: [{name: TP_SIZE, value: '8'}]\n", stack: []string{"name: TP_SIZE\n      value: \"1\"", "!value: \"8\""}, says: []string{"TP_SIZE is left out: it has had no effect", "!error"}},
		"no such connector":            {model: own + prefill + "routing: {proxy: {connector: pigeon}}\n", says: []string{"error ms:16:30: routing.proxy.connector: must be one of nixlv2, shared-storage, mooncake, offloading, sglang (got \"pigeon\")"}},
	} {
		t.Run(name, c.run)
	}
}

// TestHelmSidecarConfigMap keeps the ConfigMap that a chart makes for a container beside the
// EPP.
func TestHelmSidecarConfigMap(t *testing.T) {
	pool := "inferenceExtension:\n  sidecar: {enabled: true, name: x, image: 'a/b:v1', configMap: {name: conf, data: {k: v}}}\n" + servers
	r := Helm(HelmValues{Postfix: "p", Namespace: "ns", Pool: helm.File{Name: "pool", Data: []byte(pool)}})
	if len(r.Objects) != 1 || r.Problems.Errors() != nil {
		t.Fatal(len(r.Objects), r.Problems.Errors())
	}
	if out, _ := yaml.Marshal(r.Objects[0]); !strings.Contains(string(out), "kind: ConfigMap") || !strings.Contains(string(out), "namespace: ns") {
		t.Error(string(out))
	}
}
