package convert

import (
	"strings"
	"testing"
)

const (
	simulatorDoc = "apiVersion: sim.llm-d.io/v1alpha1\nkind: SimulatorDeployment\nmetadata: {name: sim, namespace: one, annotations: {ANNOTATION: sim}}\nspec: {epp: {enabled: true}LB}\n"
	installDoc   = "apiVersion: sim.llm-d.io/v1alpha1\nkind: SchedulerInstall\nmetadata: {name: in, namespace: sched, annotations: {ANNOTATION: in}}\nspec: {simulatorNamespace: one, epp: {enabled: true}RULE}\n"
)

// TestToolAnnotations holds which annotations two documents of a stack may differ in.
func TestToolAnnotations(t *testing.T) {
	for key, tools := range map[string]bool{
		"kustomize.config.k8s.io/id":                       true,
		"internal.config.kubernetes.io/previousNames":      true,
		"config.kubernetes.io/index":                       true,
		"config.k8s.io/owning-inventory":                   true,
		"internal.kpt.dev/upstream-identifier":             true,
		"kubectl.kubernetes.io/last-applied-configuration": true,
		"myconfig.kubernetes.io.example.com/x":             false,
		"example.com/team":                                 false,
	} {
		t.Run(key, func(t *testing.T) {
			input := strings.NewReplacer("ANNOTATION", key, "LB", "", "RULE", "").Replace(simulatorDoc + "---\n" + installDoc)
			r := documentsInput(t, []byte(input)).result
			said := string(results(r.Problems))
			if refused := strings.Contains(said, "another document of the stack says"); refused == tools {
				t.Errorf("refused: %v\n%s", refused, said)
			}
			if tools && (len(r.Stacks) != 1 || strings.Contains(string(stacksYAML(r)), key)) {
				t.Errorf("one stack without the annotation expected:\n%s%s", stacksYAML(r), said)
			}
		})
	}
}

// TestRenamedBase has ConfigMaps as kustomize leaves them when it changes names and
// namespaces, and a reference that it does not know.
func TestRenamedBase(t *testing.T) {
	for name, c := range map[string]struct{ namespace, names, namespaces, ref, says string }{
		"prefix":            {"a", "base", "a", "name: base", ""},
		"prefix and suffix": {"a", "base,p-base", "a,a", "name: base", ""},
		"namespace too":     {"a", "base", "default", "name: base", ""},
		"old namespace":     {"a", "base", "b", "name: base, namespace: b", ""},
		"another namespace": {"b", "base", "b", "name: base", "5:28: spec.baseConfigMapRef.name: no ConfigMap \"base\""},
		"another name":      {"a", "bases", "a", "name: base", "5:28: spec.baseConfigMapRef.name: no ConfigMap \"base\""},
		"not renamed":       {"a", "", "", "name: base", "5:28: spec.baseConfigMapRef.name: no ConfigMap \"base\""},
	} {
		t.Run(name, func(t *testing.T) {
			r := documentsInput(t, []byte(`apiVersion: llm-d.ai/v1alpha1
kind: ModelService
metadata: {name: m, namespace: a}
spec:
  baseConfigMapRef: {`+c.ref+`}
  modelArtifacts: {uri: "hf://org/model"}
  routing: {modelName: org/model}
  decode: {replicas: 1}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: p-base-s
  namespace: `+c.namespace+`
  annotations: {internal.config.kubernetes.io/previousNames: "`+c.names+`", internal.config.kubernetes.io/previousNamespaces: "`+c.namespaces+`"}
data:
  decodeDeployment: |
    apiVersion: apps/v1
    kind: Deployment
    spec: {template: {spec: {containers: [{name: vllm, image: "x/y:v1", args: [--port, "8123"]}]}}}
`)).result
			said := string(results(r.Problems))
			if c.says == "" && !strings.Contains(string(stacksYAML(r)), "8123") || !strings.Contains(said, c.says) {
				t.Errorf("said:\n%s\nmade:\n%s", said, stacksYAML(r))
			}
		})
	}
}

// TestTightLimits warns of limits that somebody wrote, in either document, and not of the
// operator's own.
func TestTightLimits(t *testing.T) {
	const tight = "spec.RULE.connectionPool: kept as given"
	for name, c := range map[string]struct {
		sim, install string
		says         string
	}{
		"none written":     {"", "destinationRule: {enabled: true, algorithm: LEAST_CONN}", ""},
		"another written":  {"", "destinationRule: {enabled: true, connectionPool: {http1MaxPendingRequests: 9}}", ""},
		"written":          {"", "destinationRule: {enabled: true, connectionPool: {maxRequestsPerConnection: 1}}", "destinationRule"},
		"none of the sim":  {"loadBalancing: {enabled: true, connectionPool: {http1MaxPendingRequests: 9}}", "", ""},
		"written, the sim": {"loadBalancing: {enabled: true, connectionPool: {http1MaxPendingRequests: 1}}", "", "loadBalancing"},
	} {
		t.Run(name, func(t *testing.T) {
			input := strings.NewReplacer("ANNOTATION", "config.kubernetes.io/index", "LB", ", "+c.sim, "RULE", ", "+c.install).Replace(simulatorDoc + "---\n" + installDoc)
			r := documentsInput(t, []byte(input)).result
			said := string(results(r.Problems))
			if len(r.Stacks) == 0 {
				t.Fatal(said)
			}
			if c.says == "" && strings.Contains(said, "kept as given") || c.says != "" && !strings.Contains(said, strings.Replace(tight, "RULE", c.says, 1)) {
				t.Errorf("%q expected in\n%s", c.says, said)
			}
		})
	}
}
