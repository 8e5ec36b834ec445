package convert

import (
	"strings"
	"testing"
)

// TestHelmFormerCharts has values of releases of the charts that are years old, and what Helm takes
// silently.
func TestHelmFormerCharts(t *testing.T) {
	const (
		tree   = `plugins: [{type: low-queue-filter, parameters: {threshold: 9}}, {type: least-kv-cache-filter}, {type: decision-tree-filter, name: tree, parameters: {current: {pluginRef: low-queue-filter}}}, {type: random-picker}, {type: single-profile-handler}]`
		own    = "routing: {epp: {create: true, pluginsConfigFile: default-config.yaml}}\n"
		nodes  = "multinode: true\nmodelArtifacts: {name: a/b}\ndecode:\n  parallelism: {data: 4}\n  containers: [{name: vllm, image: 'x/y:v1', modelCommand: custom, command: [run], resources: {limits: {nvidia.com/gpu: 1}}}]\n"
		behind = "gateway: {gatewayClassName: istio, listeners: [{name: default, port: 80, protocol: HTTP, path: /v1}]}\ningress: {enabled: true, host: a.example.com, ingressClassName: nginx, extraHosts: [{name: b.example.com}], tls: {enabled: true, secretName: cert}}\n"
	)
	for name, c := range map[string]helmCase{
		"filters":                         {pool: pluginsOf(tree, "schedulingProfiles: [{name: default, plugins: [{pluginRef: tree}, {pluginRef: random-picker}]}]"), stack: []string{"- type: queue-scorer", "- pluginRef: kv-cache-utilization-scorer\n          weight: 1", "!random-picker", "!tree"}, says: []string{"become scorers: queue-scorer, kv-cache-utilization-scorer", "!error"}},
		"a filter without a tree":         {pool: pluginsOf("plugins: [{type: least-queue-filter}]", "schedulingProfiles: [{name: default, plugins: [{pluginRef: least-queue-filter}]}]"), stack: []string{"- pluginRef: queue-scorer"}, says: []string{"!error"}},
		"a file without prefill servers":  {model: serverHead + "prefill:\n  containers: [{name: vllm, image: 'x/y:v1', modelCommand: vllmServe}]\n" + own, stack: []string{"!preset: prefix-aware"}, says: []string{"default-config.yaml knows no prefill servers", "!error"}},
		"a file":                          {model: serverHead + own, stack: []string{"preset: prefix-aware"}, says: []string{"!error"}},
		"turned off, with an EPP":         {model: serverHead + "enabled: false\n" + own, says: []string{"!error"}},
		"no prefill servers":              {model: serverHead + "prefill: {replicas: 0}\n", stack: []string{"!prefill:"}, says: []string{"!error"}},
		"numbers in quotes":               {model: serverHead + "  parallelism: {tensor: '2'}\n", stack: []string{"tensor: 2"}, says: []string{"!error"}},
		"a mapping for a list":            {model: serverHead + "    resources: {claims: {}}\n", says: []string{"!error"}},
		"ranks of many nodes":             {model: nodes, stack: []string{"nodes: 4", "data: 4"}, says: []string{"1 accelerators of a pod are 1 of 4 ranks: one server has 4 nodes", "!error"}},
		"an EPP by its former name":       {pool: "inferenceExtension: {image: {hub: quay.io/me, name: llm-d-inference-scheduler, tag: v0.5.0-rc.3}}\n" + servers, stack: []string{"release: \"0.4\"", "image: quay.io/me/llm-d-inference-scheduler:v0.5.0-rc.3"}, says: []string{"!error"}},
		"an EPP of a name of its own":     {pool: "inferenceExtension: {image: {hub: quay.io/me, name: epp, tag: mine}}\n" + servers, stack: []string{"!release:"}, says: []string{"!error"}},
		"a value twice":                   {pool: "inferenceExtension:\n  replicas: 2\n  replicas: 3\n" + servers, stack: []string{"replicas: 3"}, says: []string{"warning pool:2:3: inferenceExtension.replicas: left out: it is written again on line 3", "!error"}},
		"an Ingress":                      {infra: behind, stack: []string{"serviceType: ClusterIP"}, says: []string{"info infra:2:10: ingress: the chart's Ingress, which is printed behind the stack", "!error"}},
		"an Ingress of a domain":          {infra: "gateway: {gatewayClassName: kgateway, serviceType: NodePort}\ningress: {enabled: true, clusterRouterBase: apps.example.com}\n", says: []string{"printed behind the stack", "!error"}},
		"an Ingress that the chart skips": {infra: "gateway: {gatewayClassName: kgateway, serviceType: LoadBalancer}\ningress: {enabled: true}\n", says: []string{"left out, as by the chart", "!error"}},
		"a token that nothing reads":      {infra: "gateway: {gatewayClassName: istio}\nauth: {hf_token: {enabled: true}}\n", says: []string{"warning infra:2:7: auth: left out: it has had no effect, since no template of the chart reads it", "!error"}},
		"before 0.0.9":                    {model: "modelArtifacts: {uri: 'hf://a/b'}\ninferencePool: true\nhttpRoute: true\nendpointPicker: {replicas: 1}\n", says: []string{"error ms:4:17: endpointPicker: values of llm-d-modelservice before 0.0.9"}},
	} {
		t.Run(name, c.run)
	}
}

// TestHelmEventsOnBothSides has servers and an EPP that say the same of the KV-cache events, each in
// its values, as llm-d's guides install them.
func TestHelmEventsOnBothSides(t *testing.T) {
	epp := pluginsOf("plugins:", "- type: precise-prefix-cache-scorer", "  parameters:", "    tokenProcessorConfig: {blockSize: 64, hashSeed: '7'}", "    kvEventsConfig: {topicFilter: 'kv@'}")
	const env = "    env: [{name: PYTHONHASHSEED, value: '7'}, {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}, {name: A, value: b}]\n"
	flags := func(size string) string {
		return serverHead + "    args: ['--block-size=" + size + "', --kv-events-config, '{\"endpoint\":\"tcp://*:5560\",\"publisher\":\"zmq\"}', --disable-log-requests]\n" + env
	}
	for name, c := range map[string]helmCase{
		"the same":            {pool: epp, model: flags("64"), stack: []string{"blockSize: 64\n", "hashSeed: \"7\"\n", "port: 5560\n", "- --disable-log-requests\n", "- name: A\n", "!PYTHONHASHSEED", "!POD_IP\n", "!--block-size"}, says: []string{"--kv-events-config: left out, since it follows from kvCache.events", "!error", "!finds the prefix that it shares"}},
		"events again":        {pool: strings.Replace(epp, "{topicFilter: 'kv@'}", "{topicFilter: 'kv@', podDiscoveryConfig: {socketPort: 5560, replaySocketPort: 5561}}", 1), model: flags("64"), stack: []string{"port: 5560\n", "replayPort: 5561\n"}, says: []string{"!finds the prefix that it shares"}},
		"blocks that differ":  {pool: epp, model: flags("16"), says: []string{"must be 16, which the servers are told by decode.containers[0].args (got 64)"}},
		"of an older EPP":     {pool: pluginsOf("plugins: [{type: prefix-cache-scorer, parameters: {mode: cache_tracking, indexerConfig: {tokenProcessorConfig: {blockSize: 64}}}}]"), model: flags("16"), stack: []string{"blockSize: 64\n", "hashSeed: \"7\"\n"}, says: []string{"blockSize is 64 here and 16 on the servers", "!error"}},
		"a command":           {pool: epp, model: strings.Replace(serverHead, "modelCommand: vllmServe", "modelCommand: custom\n    command: [run]", 1) + env, stack: []string{"hashSeed: \"7\"\n", "!name: PYTHONHASHSEED"}, says: []string{"!error"}},
		"servers alone":       {model: flags("64"), stack: []string{"- --block-size=64\n", "- name: PYTHONHASHSEED\n"}, says: []string{"!error"}},
		"an EPP without them": {pool: pluginsOf("plugins: [{type: queue-scorer}]"), model: flags("64"), stack: []string{"- name: PYTHONHASHSEED\n"}, says: []string{"!error"}},
	} {
		t.Run(name, c.run)
	}
}
