package convert

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/convert/helm"
)

const layeredPool = `inferencePool:
  modelServers:
    matchLabels: {app: a}
inferenceExtension:
  replicas: 1
`

// TestHelmLayers lays files and settings over each other as helm does, and says of each
// problem in which of them it is.
func TestHelmLayers(t *testing.T) {
	over := func(text string) helm.File { return helm.File{Name: "over", Data: []byte(text)} }
	for name, tc := range map[string]struct {
		over        []helm.File
		set         []string
		stack, says string
	}{
		"a later file wins":       {over: []helm.File{over("inferenceExtension: {replicas: 2}\n"), over("inferenceExtension: {replicas: 3}\n")}, stack: "    replicas: 3\n"},
		"the rest stays":          {over: []helm.File{over("inferenceExtension: {extProcPort: 9102}\n")}, stack: "      app: a\n"},
		"mappings are merged":     {over: []helm.File{over("inferencePool: {modelServers: {matchLabels: {b: c}}}\n")}, stack: "      app: a\n      b: c\n"},
		"lists are not":           {over: []helm.File{over("inferencePool: {targetPorts: [{number: 1}, {number: 2}]}\n"), over("inferencePool: {targetPorts: [{number: 3}]}\n")}, stack: "    port: 3\n"},
		"a setting wins":          {over: []helm.File{over("inferenceExtension: {replicas: 2}\n")}, set: []string{"inferenceExtension.replicas=4"}, stack: "    replicas: 4\n"},
		"several in one":          {set: []string{"inferenceExtension.replicas=4,inferenceExtension.extProcPort=9102"}, stack: "    port: 9102\n"},
		"a key with a dot":        {set: []string{`inferencePool.modelServers.matchLabels.llm-d\.ai/guide=x`}, stack: "      llm-d.ai/guide: x\n"},
		"an index":                {set: []string{"inferencePool.targetPorts[0].number=8100"}, stack: "    port: 8100\n"},
		"a list":                  {set: []string{"inferenceExtension.tolerations={}", "inferenceExtension.nodeSelector.zone=a"}, stack: "      zone: a\n"},
		"null takes away":         {set: []string{"inferencePool.modelServers.matchLabels.app=null,inferencePool.modelServers.matchLabels.b=c"}, stack: "      b: c\n"},
		"in the file over it":     {over: []helm.File{over("\ninferenceExtension: {replica: 2}\n")}, says: `error over:2:22: inferenceExtension.replica: unknown field; it resembles "replicas"`},
		"in the first file":       {over: []helm.File{over("inferencePool: {targetPort: x}\n")}, says: "error over:1:29: inferencePool.targetPort: must be an integer"},
		"in a setting":            {set: []string{"inferenceExtension.replicas=many"}, says: "error --set-pool inferenceExtension.replicas=many: inferenceExtension.replicas: must be an integer"},
		"a setting without value": {set: []string{"inferenceExtension.replicas"}, says: `error --set-pool inferenceExtension.replicas: must be path=value`},
		"an index without end":    {set: []string{"inferencePool.targetPorts[0.number=1"}, says: "a [ without ]"},
		"an index too large":      {set: []string{"inferencePool.targetPorts[70000].number=1"}, says: "an index must be a number from 0 to 65536"},
		"in embedded YAML":        {over: []helm.File{over("\n\nprovider: {name: none}\n"), over("inferenceExtension:\n  pluginsConfigFile: c.yaml\n  pluginsCustomConfig:\n    c.yaml: |\n      plugins:\n      - type: queue-scorers\n")}, says: "over:6:15: "},
	} {
		t.Run(name, func(t *testing.T) {
			v := HelmValues{Postfix: "p", Namespace: "ns", Pool: helm.File{Name: "first", Data: []byte(layeredPool), Over: tc.over, Set: tc.set}}
			r := checked(Helm(v))
			if tc.stack != "" && !strings.Contains(string(stacksYAML(r)), tc.stack) {
				t.Errorf("no %q in\n%s%s", tc.stack, stacksYAML(r), results(r.Problems))
			}
			if !strings.Contains(string(results(r.Problems)), tc.says) {
				t.Errorf("no %q in\n%s", tc.says, results(r.Problems))
			}
		})
	}
}

// TestHelmReleases has releases of names of their own, and what helm get values prints
// without -o yaml.
func TestHelmReleases(t *testing.T) {
	v := HelmValues{Postfix: "p", Namespace: "ns"}
	v.Pool = helm.File{Name: "pool", Data: []byte("USER-SUPPLIED VALUES:\n" + layeredPool), Release: "my-pool"}
	v.Model = helm.File{Name: "ms", Data: []byte("COMPUTED VALUES:\nmodelArtifacts: {name: a/b}\n"), Release: "my-servers"}
	r := Helm(v)
	for _, want := range []string{"name: my-pool-epp\n", "name: my-pool\n", "name: my-servers-llm-d-modelservice-decode\n"} {
		if !strings.Contains(string(stacksYAML(r)), want) {
			t.Errorf("no %q in\n%s%s", want, stacksYAML(r), results(r.Problems))
		}
	}
}
