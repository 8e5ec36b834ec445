package convert

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/helm"
	"github.com/inferstack/inferstack/schema"
)

const (
	serverHead = "modelArtifacts:\n  name: a/b\ndecode:\n  containers:\n  - name: vllm\n    image: x/y:v1\n    modelCommand: vllmServe\n    mountModelVolume: true\n"
	poolTail   = "inferencePool:\n  modelServers:\n    matchLabels: {a: b}\n"
	configHead = "inferenceExtension:\n  pluginsConfigFile: x.yaml\n  pluginsCustomConfig:\n    x.yaml: "
)

// TestHelmErrors has mistakes that are found behind the first reading of the file: in free
// values, and in the text that holds the EPP's configuration.
func TestHelmErrors(t *testing.T) {
	for want, c := range map[string]helmCase{
		`ms:9:31: decode.extraConfig.hostNetwork: must be true or false (got "maybe")`:                                                                                {model: serverHead + "  extraConfig: { hostNetwork: maybe}\n"},
		`ms:10:15: decode.extraConfig.hostPIDs: unknown field; did you mean "hostPID"?`:                                                                               {model: serverHead + "  extraConfig:\n    hostPIDs: true\n"},
		`ms:11:20: decode.containers[0].extraConfig.securityContext.runAsUser: must be an integer (got "root")`:                                                       {model: serverHead + "    extraConfig:\n      securityContext:\n        runAsUser: root\n"},
		`ms:11:7: decode.extraConfig.volumes[0].name: required, but missing`:                                                                                          {model: serverHead + "  extraConfig:\n    volumes:\n    - emptyDir: {}\n"},
		`ms:9:49: tracing.sampling.samplerArg: must be a number from 0 to 1 (got "most")`:                                                                             {model: serverHead + "tracing: {enabled: true, sampling: {samplerArg: most}}\n"},
		`pool:5:7: inferenceExtension.pluginsCustomConfig[x.yaml]: must be a mapping (got a list)`:                                                                    {pool: configHead + "|\n      - a\n" + poolTail},
		`pool:7: inferenceExtension.pluginsCustomConfig[x.yaml]: not YAML: did not find expected key`:                                                                 {pool: configHead + "|\n      plugins:\n       - type: a\n      - type: b\n" + poolTail},
		`pool:4:13: inferenceExtension.pluginsCustomConfig[x.yaml]: not YAML: did not find expected node content`:                                                     {pool: configHead + "'a: ['\n" + poolTail},
		`pool:7:15: inferenceExtension.pluginsCustomConfig[x.yaml].plugins[0].type: release line 0.10 has no plugin queue-scorr`:                                      {pool: configHead + "|\n      # mine\n      plugins:\n      - type: queue-scorr\n" + poolTail},
		`pool:10:19: inferenceExtension.pluginsCustomConfig[x.yaml].schedulingProfiles[0].plugins[0].weight: must be a number, without quotes (got the text "heavy")`: {pool: configHead + "|\n      plugins: [{type: queue-scorer}]\n      schedulingProfiles:\n      - name: default\n        plugins:\n        - pluginRef: queue-scorer\n          weight: heavy\n" + poolTail},
		`pool:8:17: router.epp.pluginsCustomConfig[x.yaml].plugins[0].type: release line 0.10 has no plugin queue-scorr`:                                              {pool: "router:\n  modelServers: {matchLabels: {a: b}}\n  epp:\n    pluginsConfigFile: x.yaml\n    pluginsCustomConfig:\n      x.yaml: |\n        plugins:\n        - type: queue-scorr\n"},
		`pool:2:14: inferenceExtension.flags[v]: must be text, a number, or true or false`:                                                                            {pool: "inferenceExtension:\n  flags: {v: [1]}\n" + poolTail},
		`pool:2:11: inferenceExtension.flags[0]: must be a mapping with a name and a value`:                                                                           {pool: "inferenceExtension:\n  flags: [v]\n" + poolTail},
		`pool:2:8: inferenceExtension.env: must be a mapping of names to values, or a list of names and values (got mine)`:                                            {pool: "inferenceExtension:\n  env: mine\n" + poolTail},
		`pool:2:44: inferenceExtension.env[0].valueFrom.secretKeyRf: unknown field; did you mean "secretKeyRef"?`:                                                     {pool: "inferenceExtension:\n  env: [{name: A, valueFrom: {secretKeyRf: {}}}]\n" + poolTail},
		"ms:9:11: decode.containers[0].args: cannot be carried over: the decode servers load":                                                                         {model: serverHead + "    args: [wrong]\n"},
		"ms:12:13: decode.containers[0].volumeMounts[0].name: there is no volume":                                                                                     {model: serverHead + "    args: [--x]\n    volumeMounts:\n    # mine\n    - name: none\n      mountPath: /x\n"},
		"ms:12:17: decode.containers[0].resources.requests.memory: must not be above the limit, 1Gi":                                                                  {model: serverHead + "    resources:\n      limits: {memory: 1Gi}\n      requests:\n        memory: 2Gi\n"},
		"ms:11:19: decode.acceleratorTypes.labelValues[0]: must be a label value":                                                                                     {model: serverHead + "  acceleratorTypes:\n    labelKey: a\n    labelValues: ['b c']\n"},
		"ms:6:12: decode.containers[0].image: must be an image reference":                                                                                             {model: strings.Replace(serverHead, "x/y:v1", "x y", 1)},
		"ms:3:28: modelArtifacts.labels[llm-d.ai/model]: must be a label value":                                                                                       {model: strings.Replace(serverHead, "decode", "  labels: {llm-d.ai/model: 'a b'}\ndecode", 1)},
		"ms:9:25: decode.nodeSelector[a.b/c]: a template that cannot be evaluated":                                                                                    {model: serverHead + "  nodeSelector: {a.b/c: '{{ .Values.x }}'}\n"},
		"infra:2:13: gateway.provider: must be one of istio, kgateway":                                                                                                {infra: "gateway:\n  provider: nginx\n"},
	} {
		t.Run(want, func(t *testing.T) {
			c.says = []string{"error " + want}
			c.run(t)
		})
	}
}

// goText is what only a Go program says.
var goText = regexp.MustCompile(`json:|yaml:|strconv|unmarshal|Go (struct|value)|interface \{\}|map\[|error converting|!!(str|int|map|seq)|0x[0-9a-f]{4}`)

// TestHelmErrorsHavePlaces puts something wrong in the place of each value of the charts'
// own values and of the well-lit path's: every error has a line of the file, in words of
// the file.
func TestHelmErrorsHavePlaces(t *testing.T) {
	var files []string
	for _, dir := range []string{"well-lit", "chart-pd", "router-standalone", "infra-only", "tpu"} {
		found, _ := filepath.Glob("../testdata/convert/helm/" + dir + "/*.yaml")
		files = append(files, found...)
	}
	tried := 0
	for _, file := range files {
		to := map[string]func(*HelmValues) *helm.File{
			"infra.yaml": func(v *HelmValues) *helm.File { return &v.Infra }, "pool.yaml": func(v *HelmValues) *helm.File { return &v.Pool },
			"modelservice.yaml": func(v *HelmValues) *helm.File { return &v.Model },
		}[filepath.Base(file)]
		data, err := os.ReadFile(file)
		if to == nil || err != nil {
			continue
		}
		var root yaml.Node
		if err := yaml.Unmarshal(data, &root); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(data), "\n")
		for _, n := range scalars(&root, nil) {
			for _, bad := range []string{"{wrong: [1]}", "-7", "'{{ .Values.none.at.all }}'"} {
				l := lines[n.Line-1]
				if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 || n.Column-1 > len(l) {
					continue
				}
				changed := append(append(append([]string{}, lines[:n.Line-1]...), l[:n.Column-1]+bad), lines[n.Line:]...)
				v := HelmValues{Postfix: "p", Namespace: "ns"}
				*to(&v) = helm.File{Name: "f", Data: []byte(strings.Join(changed, "\n"))}
				tried++
				for _, p := range placeless(v) {
					t.Errorf("%s:%d: %s: %s", file, n.Line, bad, p)
				}
			}
		}
	}
	if tried < 400 {
		t.Errorf("only %d tried", tried)
	}
}

// placeless are the errors with no line, or in no words of the file.
func placeless(v HelmValues) []string {
	in := helm.Read(v)
	d, _ := in.Convert()
	problems := d.Problems
	if len(problems.Errors()) == 0 {
		_, more := d.Stack().Parse()
		problems = append(problems, more...)
	}
	var out []string
	for _, p := range problems {
		if p.Severity == schema.Error && (p.Line == 0 || goText.MatchString(p.Message)) {
			out = append(out, fmt.Sprint(p))
		}
	}
	return out
}

// scalars are the values of a document, without its keys.
func scalars(n *yaml.Node, out []*yaml.Node) []*yaml.Node {
	for i, c := range n.Content {
		switch {
		case n.Kind == yaml.MappingNode && i%2 == 0:
		case c.Kind == yaml.ScalarNode:
			out = append(out, c)
		default:
			out = scalars(c, out)
		}
	}
	return out
}
