package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/helm"
)

// A helmCase is an installation and what is to be found in its stack and in what is said.
// What starts with ! must not be found.
type helmCase struct {
	infra, pool, model string
	lossy              bool
	stack, says        []string
}

func (c helmCase) run(t *testing.T) {
	t.Helper()
	v := HelmValues{Postfix: "p", Namespace: "ns", Lossy: c.lossy}
	for _, f := range []struct {
		to         *helm.File
		name, text string
	}{{&v.Infra, "infra", c.infra}, {&v.Pool, "pool", c.pool}, {&v.Model, "ms", c.model}} {
		if f.text != "" {
			*f.to = helm.File{Name: f.name, Data: []byte(f.text)}
		}
	}
	r := Helm(v)
	problems := r.Problems
	for _, s := range r.Stacks {
		_, more := s.Parse()
		problems = append(problems, more...)
	}
	holds(t, string(stacksYAML(r)), c.stack)
	holds(t, string(results(problems)), c.says)
}

func holds(t *testing.T, text string, wanted []string) {
	t.Helper()
	for _, want := range wanted {
		if want, not := strings.CutPrefix(want, "!"); strings.Contains(text, want) == not {
			t.Errorf("%q, found %t, in\n%s", want, not, text)
		}
	}
}

const (
	tpuModel     = "modelArtifacts:\n  name: a/b\naccelerator:\n  type: google\ndecode:\n  parallelism:\n    tensor: 8\n  containers:\n  - name: vllm\n    image: docker.io/vllm/vllm-tpu:v0.29.0\n    modelCommand: vllmServe\n    mountModelVolume: true\n"
	tpuInStack   = "    accelerator:\n      type: google-tpu\n      tpu:\n        accelerator: tpu-v6e-slice\n        topology: 2x4\n"
	tpuRequired  = "  affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n        nodeSelectorTerms:\n        - matchExpressions:\n          - {key: cloud.google.com/gke-tpu-accelerator, operator: In, values: [tpu-v6e-slice]}\n          - {key: cloud.google.com/gke-tpu-topology, operator: In, values: [2x4]}\n"
	bothTPULabel = "{cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x4}\n"
)

// TestHelmTPU has GKE's labels of a TPU slice wherever values can have them, and not
// at all.
func TestHelmTPU(t *testing.T) {
	for name, c := range map[string]helmCase{
		"node selector": {model: tpuModel + "  nodeSelector: " + bothTPULabel, stack: []string{tpuInStack, "!nodeSelector"}},
		"extra config":  {model: tpuModel + "  extraConfig:\n    nodeSelector: " + bothTPULabel, stack: []string{tpuInStack, "!nodeSelector"}},
		"affinity":      {model: tpuModel + tpuRequired, stack: []string{tpuInStack, "operator: In"}},
		"accelerator types": {model: tpuModel + "  acceleratorTypes:\n    labelKey: cloud.google.com/gke-tpu-accelerator\n    labelValues: [tpu-v6e-slice]\n  nodeSelector:\n    cloud.google.com/gke-tpu-topology: 2x4\n",
			stack: []string{tpuInStack, "!nodeLabel"}},
		"neither":   {model: tpuModel, says: []string{"error ms:4:9: accelerator.type: google needs the node labels by which GKE picks a slice of TPUs; add to decode.nodeSelector: cloud.google.com/gke-tpu-accelerator as in tpu-v6e-slice, cloud.google.com/gke-tpu-topology as in 2x4"}},
		"one":       {model: tpuModel + "  nodeSelector:\n    cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice\n", says: []string{"add to decode.nodeSelector: cloud.google.com/gke-tpu-topology as in 2x4\n"}},
		"of a role": {model: strings.Replace(tpuModel, "decode:\n", "decode:\n  accelerator:\n    type: google\n", 1), says: []string{"error ms:7:11: decode.accelerator.type: google needs"}},
		"two values": {model: tpuModel + strings.Replace(tpuRequired, "[2x4]", "[2x4, 4x4]", 1),
			says: []string{"add to decode.nodeSelector: cloud.google.com/gke-tpu-topology as in 2x4\n"}},
		"simulated": {model: strings.Replace(tpuModel, "docker.io/vllm/vllm-tpu:v0.29.0", "ghcr.io/llm-d/llm-d-inference-sim:v0.10.0", 1), stack: []string{"engine: simulator", "!tpu"}, says: []string{"info ms:11:19: decode.containers[0].modelCommand: the simulator is started by its image's own command: there is no vllm in it"}},
		"claims":    {model: strings.Replace(tpuModel, "type: google", "type: google\n  dra: true", 1), stack: []string{"dra: {}", "!topology"}},
		"with prefill servers": {model: tpuModel + "  nodeSelector: " + bothTPULabel + strings.Replace(tpuModel[strings.Index(tpuModel, "decode"):], "decode", "prefill", 1) + "  nodeSelector: " + bothTPULabel,
			says: []string{"error ms:14:1: prefill: as an InferenceStack, spec.kvTransfer.config: is required"}},
	} {
		t.Run(name, c.run)
	}
}

// TestHelmWithoutPicker leaves the chart of the endpoint picker out.
func TestHelmWithoutPicker(t *testing.T) {
	const gateway, servers, missing = "gateway:\n  gatewayClassName: istio\n", "modelArtifacts:\n  name: a/b\n", "--pool takes the values file of the chart inferencepool or llm-d-router-gateway"
	for name, c := range map[string]helmCase{
		"gateway and servers": {infra: gateway, model: servers, stack: []string{"!kind"}, says: []string{"error infra:1:1: gateway: a gateway sends requests to the pool of an endpoint picker, and nothing says which: " + missing}},
		"no gateway":          {infra: "gateway:\n  enabled: false\n", model: servers, stack: []string{"enabled: false"}, says: []string{"no endpoint picker is made: --pool takes", "!" + missing}},
		"servers alone":       {model: servers, stack: []string{"  # no endpoint picker is made: --pool takes the values of its chart\n  scheduler:\n    enabled: false\n"}, says: []string{"!" + missing}},
		"gateway alone":       {infra: gateway, says: []string{"!endpoint picker"}},
		"all three":           {infra: gateway, pool: "{}\n", model: servers, stack: []string{"name: gaie-p-epp"}, says: []string{"!" + missing, "!no endpoint picker"}},
	} {
		t.Run(name, c.run)
	}
}

// TestHelmTemplates has templates in the values of each chart.
func TestHelmTemplates(t *testing.T) {
	const servers, sim = "modelArtifacts:\n  name: a/b\n", "    image: ghcr.io/llm-d/llm-d-inference-sim:v0.10.0\n    modelCommand: imageDefault\n    mountModelVolume: true\n"
	arg := func(template string) string {
		return servers + "decode:\n  containers:\n  - name: vllm\n" + sim + "    args: ['" + template + "']\n"
	}
	for name, c := range map[string]helmCase{
		"release of the gateway": {infra: "gateway:\n  labels:\n    release: '{{ .Release.Name }}'\n", stack: []string{"      release: infra-p\n"}},
		"release of the pool":    {pool: "inferencePool:\n  modelServers:\n    matchLabels: {r: '{{ .Release.Name }}'}\n", stack: []string{"      r: gaie-p\n"}},
		"release of the servers": {model: arg("--x={{ .Release.Name }}"), stack: []string{"    - --x=ms-p\n"}},
		"namespace and chart":    {model: arg("--x={{ .Release.Namespace }}/{{ .Chart.Name }}/{{ .Release.Service }}"), stack: []string{"    - --x=ns/llm-d-modelservice/Helm\n"}},
		"a value of the file":    {model: arg("--x={{ .Values.modelArtifacts.name }}"), stack: []string{"    - --x=a/b\n"}},
		"a default of the chart": {model: arg("--x={{ .Values.routing.servicePort }}"), stack: []string{"    - --x=8000\n"}},
		"over the default":       {model: arg("--x={{ .Values.routing.servicePort }}") + "routing:\n  servicePort: 8100\n", stack: []string{"    - --x=8100\n"}},
		"a default of its own":   {model: arg("--x={{ .Values.none | default 7 }}"), stack: []string{"    - --x=7\n"}},
		"what is not there":      {model: arg("--x={{ .Values.routing.none }}"), says: []string{"error ms:9:12: decode.containers[0].args[0]: a template that cannot be evaluated: {{ .Values.routing.none }}: there is no none\n"}},
		"no function":            {model: arg("--x={{ lookup 1 }}"), says: []string{"error ms:9:12: decode.containers[0].args[0]: a template that cannot be evaluated: ", "lookup"}},
		"no end":                 {model: arg("--x={{ .Values"), says: []string{"error ms:9:12: decode.containers[0].args[0]: a template that cannot be evaluated: unclosed action\n"}},
	} {
		t.Run(name, c.run)
	}
}

// TestHelmExtraObjects has objects beside the chart's own.
func TestHelmExtraObjects(t *testing.T) {
	const infra = "gateway:\n  gatewayClassName: istio\nextraDeploy:\n"
	const configMap = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: x\n"
	for name, tc := range map[string]struct {
		infra, model  string
		objects, says string
	}{
		"its release and namespace": {infra + "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: '{{ .Release.Name }}-x'\n  data:\n    a: |\n      of {{ .Release.Name }}\n", "",
			"apiVersion: v1\ndata:\n    a: |\n        of infra-p\nkind: ConfigMap\nmetadata:\n    name: infra-p-x\n    namespace: ns\n", ""},
		"of the servers":   {"", "modelArtifacts:\n  name: a/b\nextraObjects:\n" + strings.Replace(configMap, "x\n", "'{{ .Release.Name }}'\n", 1), "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n    name: ms-p-llm-d-modelservice\n    namespace: ns\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n    name: ms-p\n    namespace: ns\n", ""},
		"as text":          {infra + "- |\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: {{ .Release.Name }}-y\n", "", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n    name: infra-p-y\n    namespace: ns\n", ""},
		"its own":          {infra + configMap + "    namespace: other\n", "", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n    name: x\n    namespace: other\n", ""},
		"in none":          {infra + "- apiVersion: v1\n  kind: Namespace\n  metadata:\n    name: x\n", "", "apiVersion: v1\nkind: Namespace\nmetadata:\n    name: x\n", ""},
		"twice":            {infra + configMap + configMap, "", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n    name: x\n    namespace: ns\n", "info infra:8:3: extraDeploy[1]: is there already, and printed once\n"},
		"twice, not equal": {infra + configMap + configMap + "  data:\n    a: b\n", "", "", "error infra:8:3: extraDeploy[1]: ConfigMap ns/x is there already, and says something else\n"},
		"no object":        {infra + "- kind: ConfigMap\n", "", "", "error infra:4:3: extraDeploy[0]: cannot be carried over: what is not a Kubernetes object; apiVersion, kind and metadata.name are needed"},
		"no YAML":          {infra + "- '{{ .Release.Name }}: ['\n", "", "", "error infra:4:3: extraDeploy[0]: text that is not YAML once its templates are evaluated\n"},
	} {
		t.Run(name, func(t *testing.T) {
			v := HelmValues{Postfix: "p", Namespace: "ns"}
			if tc.infra != "" {
				v.Infra = helm.File{Name: "infra", Data: []byte(tc.infra)}
			}
			if tc.model != "" {
				v.Model = helm.File{Name: "ms", Data: []byte(tc.model)}
			}
			r := Helm(v)
			var objects []string
			for _, o := range r.Objects {
				text, err := yaml.Marshal(o)
				if err != nil {
					t.Fatal(err)
				}
				objects = append(objects, string(text))
			}
			if d := cmp.Diff(tc.objects, strings.Join(objects, "---\n")); d != "" {
				t.Error(d)
			}
			holds(t, string(results(r.Problems)), []string{tc.says})
		})
	}
}

// TestHelmDestinationRule has one remark on the rule, and an error where it says more than
// the stack's.
func TestHelmDestinationRule(t *testing.T) {
	const head, rule = "gateway:\n  gatewayClassName: istio\n  destinationRule:\n    enabled: true\n", "info infra:3:3: gateway.destinationRule: the chart's DestinationRule is left out: a stack makes one for its EPP's own host, and the chart's default host is localhost\n"
	for name, c := range map[string]helmCase{
		"as the guide": {infra: head + "    trafficPolicy: {tls: {mode: SIMPLE, insecureSkipVerify: true}}\n", says: []string{rule, "!same"}},
		"enabled":      {infra: head, says: []string{rule, "!same"}},
		"a host":       {infra: head + "    host: mine\n", says: []string{rule, "!same"}},
		"mutual":       {infra: head + "    trafficPolicy: {tls: {mode: MUTUAL}}\n", says: []string{"error infra:5:26: gateway.destinationRule.trafficPolicy.tls: cannot be carried over: other TLS"}},
		"connections":  {infra: head + "    trafficPolicy: {connectionPool: {}}\n", says: []string{"the EPP that these limits are for is not made here"}},
		"not enabled":  {infra: strings.Replace(head, "true", "false", 1) + "    trafficPolicy: {tls: {mode: MUTUAL}}\n", says: []string{"!cannot", "gateway.destinationRule.trafficPolicy: left out: it has no effect on the stack"}},
	} {
		t.Run(name, c.run)
	}
}

// TestHelmOwnCommand starts the servers by a command that nothing of the stack changes: its
// ports and sizes are what the chart has for it.
func TestHelmOwnCommand(t *testing.T) {
	const head = "modelArtifacts:\n  name: a/b\n"
	const decode = "decode:\n  parallelism: {tensor: 2, data: 16, dataLocal: 8, workers: 2}\n  containers:\n  - name: vllm\n    image: x/y:v1\n    modelCommand: custom\n    command: [bash, -c]\n    args: [serve]\n    mountModelVolume: true\n"
	size := func(local string) string { return "    - name: DP_SIZE_LOCAL\n      value: \"" + local + "\"\n" }
	pool := func(port string) string { return "inferencePool:\n  targetPorts: [{number: " + port + "}]\n" }
	for name, c := range map[string]helmCase{
		"ranks of a node":       {model: head + "multinode: true\n" + decode, stack: []string{size("8"), "    - name: DP_SIZE\n      value: \"16\"\n    - name: TP_SIZE\n      value: \"2\"\n"}},
		"ranks by workers":      {model: head + "multinode: true\n" + strings.Replace(decode, "dataLocal: 8, ", "", 1), stack: []string{size("8")}},
		"several nodes of one":  {model: head + "multinode: true\n" + strings.Replace(decode, "tensor: 2, data: 16, dataLocal: 8, workers: 2", "tensor: 2", 1), says: []string{"info ms:3:12: multinode: the decode servers have one node each and are a Deployment"}},
		"one rank":              {model: head + strings.Replace(decode, "tensor: 2, data: 16, dataLocal: 8, workers: 2", "tensor: 2", 1), stack: []string{size("1")}},
		"behind the sidecar":    {model: head + decode, stack: []string{"    port: 8200\n"}, says: []string{"the pool reaches the server on its own port, routing.proxy.targetPort"}},
		"another target":        {model: head + decode + "routing:\n  proxy: {targetPort: 8300}\n", stack: []string{"    port: 8300\n"}},
		"without the sidecar":   {model: head + decode + "routing:\n  proxy: {enabled: false}\n", stack: []string{"!port: 8200"}},
		"the pool's port":       {model: head + decode, pool: pool("8000"), stack: []string{"    port: 8200\n", "!targetPorts"}},
		"the pool's other port": {model: head + decode, pool: pool("8001"), stack: []string{"    port: 8200\n", "    targetPorts:\n    - 8201\n"}},
		"as root":               {model: head + decode + "    securityContext: {runAsUser: 0}\n", stack: []string{"            runAsNonRoot: false\n            runAsUser: 0\n"}},
		"pod as root":           {model: head + decode + "  podSecurityContext: {runAsUser: 0}\n", stack: []string{"        runAsNonRoot: false\n          runAsUser: 0\n"}},
		"as root, said":         {model: head + decode + "    securityContext: {runAsUser: 0, runAsNonRoot: true}\n", stack: []string{"!runAsNonRoot: false"}},
	} {
		t.Run(name, c.run)
	}
}

// TestHelmEmptyRuntimeClass has what the chart's own values write for none.
func TestHelmEmptyRuntimeClass(t *testing.T) {
	helmCase{
		model: "modelArtifacts:\n  name: a/b\ndecode:\n  runtimeClassName: \"\"\n  containers:\n  - name: vllm\n    image: docker.io/vllm/vllm-openai:v0.29.0\n    modelCommand: vllmServe\n",
		stack: []string{"name: a/b", "!runtimeClassName"}, says: []string{"!error"},
	}.run(t)
}
