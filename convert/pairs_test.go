package convert

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/long"
)

// bareInstall turns everything on and leaves the rest to the operator's defaults.
const bareInstall = `apiVersion: sim.llm-d.io/v1alpha1
kind: SchedulerInstall
metadata: {name: install, namespace: llm-d-inference-scheduler}
spec:
  simulatorNamespace: llm-d-sim
  epp: {enabled: true}
  gateway: {enabled: true}
  envoyFilter: {enabled: true}
  routing: {enabled: true}
  destinationRule: {enabled: true}
`

// fullSimulator says something else than the default wherever it can.
const fullSimulator = `apiVersion: sim.llm-d.io/v1alpha1
kind: SimulatorDeployment
metadata: {name: sim, namespace: llm-d-sim}
spec:
  replicas: 3
  logVerbosity: 2
  image: mine/simulator:v0.6.1
  service: {name: front, port: 9000, type: NodePort}
  gateway: {enabled: true, className: agentgateway, routeName: front}
  inferenceGateway: {enabled: true, standard: {enabled: true, replicas: 3, port: 8081}, istio: {enabled: true, replicas: 3, port: 8082}}
  epp: {enabled: true, port: 8101, replicas: 3, verbosity: 4}
  loadBalancing: {enabled: true, algorithm: RANDOM, connectionPool: {http1MaxPendingRequests: 77, maxRequestsPerConnection: 88}}
`

// TestNoSilentReadsInPairs changes every value of a SchedulerInstall and of a
// SimulatorDeployment beside it, for what one of them takes from the other.
func TestNoSilentReadsInPairs(t *testing.T) {
	installs := map[string]string{"bare": bareInstall, "sample": string(content(t, "../testdata/convert/schedulerinstall/sample/input.yaml"))}
	simulators := map[string]string{"everything": fullSimulator}
	samples, _ := filepath.Glob("../testdata/convert/simulatordeployment/*/input.yaml")
	for _, file := range samples {
		simulators[filepath.Base(filepath.Dir(file))] = string(content(t, file))
	}
	for i, install := range installs {
		for s, simulator := range simulators {
			t.Run(i+" beside "+s, func(t *testing.T) {
				long.Case(t, 4)
				heard(t, documentsInput(t, []byte(install+"---\n"+simulator)))
			})
		}
	}
}

// A pairCase sets fields of a SchedulerInstall and of a SimulatorDeployment, for which the
// operator has one object.
type pairCase struct {
	Name      string    `yaml:"name"`
	Install   yaml.Node `yaml:"install"`
	Simulator yaml.Node `yaml:"simulator"`
	Seen      string    `yaml:"seen"`
	As        yaml.Node `yaml:"as"`
	Error     string    `yaml:"error"`
	Says      string    `yaml:"says"`
}

// TestPairs has what is written in one document win over what the other has by default,
// and two that differ refused.
func TestPairs(t *testing.T) {
	data, err := os.ReadFile("../testdata/convert/pairs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var cases []pairCase
	if err := yaml.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { c.run(t) })
	}
}

func (c *pairCase) run(t *testing.T) {
	install := written(t, "apiVersion: sim.llm-d.io/v1alpha1\nkind: SchedulerInstall\nmetadata: {name: install, namespace: sched}\nspec: {simulatorNamespace: sim}\n", &c.Install)
	simulator := written(t, "apiVersion: sim.llm-d.io/v1alpha1\nkind: SimulatorDeployment\nmetadata: {name: sim, namespace: sim}\nspec: {}\n", &c.Simulator)
	in := documentsInput(t, []byte(install+"---\n"+simulator))
	r := checked(in.result)
	said := string(results(r.Problems))
	if c.Error != "" {
		if lossy := checked(Convert(in.docs, Options{Lossy: true})).Problems; strings.Contains(said, "convert with --lossy") && len(lossy.Errors()) > 0 {
			t.Errorf("with losses: %s", results(lossy))
		}
		if len(r.Problems.Errors()) == 0 || !strings.Contains(said, c.Error) {
			t.Errorf("no error %q in\n%s", c.Error, said)
		}
		return
	}
	if len(r.Stacks) == 0 {
		t.Fatalf("refused:\n%s", said)
	}
	if c.Says != "" && !strings.Contains(said, c.Says) {
		t.Errorf("nothing says %q in\n%s", c.Says, said)
	}
	if c.Seen != "" {
		if got, want := at(t, r, c.Seen), value(t, &c.As); !cmp.Equal(want, got) {
			t.Errorf("%s: %v, not %v, in\n%s", c.Seen, got, want, stacksYAML(r))
		}
	}
}

// written is a document with a spec laid over its own.
func written(t *testing.T, base string, spec *yaml.Node) string {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(base), &doc); err != nil {
		t.Fatal(err)
	}
	if spec.Kind != 0 {
		overlay(find(doc.Content[0], "spec"), spec)
	}
	return string(text(t, doc.Content[0]))
}
