package epp

import (
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
	"github.com/inferstack/inferstack/conformance/servers"
)

var table = report.New("endpoint picker", "manifests", "program", "version", "Pods", "requests")

func TestMain(m *testing.M) { report.Main(m, table) }

// TestPickers starts one API server for all proofs.
func TestPickers(t *testing.T) {
	examples := product.Examples(t)
	server := cluster.StartFor(t, product.Objects(examples))
	t.Run("published scores", func(t *testing.T) { publishedScores(t, server) })
	t.Run("load", func(t *testing.T) { loadIsSeen(t, server) })
	t.Run("disaggregation", func(t *testing.T) { disaggregation(t, server) })
	t.Run("presets", func(t *testing.T) { allPresets(t, server) })
	t.Run("examples", func(t *testing.T) { allExamples(t, server, examples) })
}

// allExamples runs the picker of every example over Pods made from the emitted templates: as the example is, and on the
// 0.4 line, whose picker has all the plugins of its own.
func allExamples(t *testing.T, server *cluster.Cluster, examples []product.Example) {
	proven := 0
	for _, example := range examples {
		t.Run(example.Name, func(t *testing.T) {
			everyPool(t, server, "examples/"+example.Name, example.Objects, servers.Simulated(t, example))
		})
		if !example.Top() {
			continue
		}
		const patch = `spec: {release: "0.4"}`
		older := example.Stacks(t).Edit(t, patch).Write(t)
		if _, said, err := product.Try(t, "validate", older); err != nil {
			table.Unproven("examples/"+example.Name+" on 0.4", firstError(t, said))
			continue
		}
		proven++
		t.Run(example.Name+" on 0.4", func(t *testing.T) {
			objects := manifests.Parse(t, product.Run(t, "render", older))
			everyPool(t, server, "examples/"+example.Name+" on 0.4", objects, servers.Simulated(t, example, patch))
		})
	}
	if proven < 12 {
		t.Errorf("only %d examples are valid on the 0.4 line", proven)
	}
}

// firstError is what a program says first, without the place.
func firstError(t *testing.T, said []byte) string {
	t.Helper()
	for line := range strings.Lines(string(said)) {
		if _, message, found := strings.Cut(line, ": "); found && !strings.HasPrefix(line, "warning: ") {
			return strings.TrimSpace(message)
		}
	}
	t.Fatalf("no error among what is said: %s", said)
	return ""
}

func everyPool(t *testing.T, server *cluster.Cluster, name string, objects, simulators []*unstructured.Unstructured) {
	for _, scenario := range Scenarios(t, objects) {
		scenario.serveWith(t, Scenarios(t, simulators))
		if reason := scenario.unproven(t); reason != "" {
			table.Unproven(name+" "+scenario.Pool.Name, reason)
			continue
		}
		t.Run(scenario.Pool.Name, func(t *testing.T) { held(t, server, name, &scenario) })
	}
}

func held(t *testing.T, server *cluster.Cluster, name string, s *Scenario) {
	component, err := s.Component()
	if err != nil {
		t.Fatal(err)
	}
	version, err := assets.Version(component)
	if err != nil {
		t.Fatal(err)
	}
	world := enter(t, server, s)
	noMore(t, server, s)
	world.process.probed(t, s.container())
	answered := world.plainRequests(t)
	if log := world.process.Log(); strings.Contains(log, "forbidden") {
		t.Errorf("the emitted Role is too small:\n%s", grep(log, "forbidden"))
	}
	table.Row(t, name+" "+s.Pool.Name, component, version, len(world.endpoints), answered)
}

// world is a running picker with its Pods.
type world struct {
	process   *Process
	endpoints map[string]Endpoint
	scenario  *Scenario
}

// enter applies the scenario's objects, makes its Pods and starts its picker under its own identity.
func enter(t *testing.T, server *cluster.Cluster, s *Scenario, extra ...string) world {
	t.Helper()
	client, err := kubernetes.NewForConfig(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	server.Install(t, slices.DeleteFunc(slices.Clone(s.Objects), outside))
	w := world{scenario: s, endpoints: s.Pods(t, client)}
	w.process = Start(t, s, s.Kubeconfig(t, server.Config), extra...)
	w.awaitPods(t)
	return w
}

// outside are the objects of GKE's API group, whose CRDs no Go module carries.
func outside(object *unstructured.Unstructured) bool {
	return object.GroupVersionKind().Group == "networking.gke.io"
}

// awaitPods waits until the picker answers with an endpoint: it starts to serve before it has seen a Pod.
func (w world) awaitPods(t *testing.T) {
	t.Helper()
	var last Answer
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if last = w.ask(t, "warm-up"); last.Endpoint() != "" {
			// One interval of the metrics' refresh, so that every Pod has been seen.
			time.Sleep(time.Second)
			return
		}
	}
	t.Fatalf("the picker never picked an endpoint; its last answer: %+v\n%s", last, w.process.Tail())
}

// ask asks the picker where a prompt goes.
func (w world) ask(t *testing.T, prompt string) Answer {
	t.Helper()
	return w.process.Ask(t, servers.Completions, w.completion(prompt), nil)
}

// plainRequests sends short prompts to where the picker says and requires that the server of that Pod answers, and that
// Pods which only prefill get none of them.
func (w world) plainRequests(t *testing.T) int {
	t.Helper()
	const count = 10
	for i := range count {
		prompt := strings.Repeat("short ", i+1)
		answer := w.ask(t, prompt)
		endpoint, known := w.endpoints[host(answer.Endpoint())]
		if !known {
			t.Errorf("the picker chose %q, which is not a Pod of the pool", answer.Endpoint())
			continue
		}
		if endpoint.Role == "prefill" {
			t.Errorf("the picker sent a request to the prefill Pod %s", endpoint.Name)
		}
		if reply := w.send(t, answer, prompt); reply.Status != 200 || reply.Pod != endpoint.Name {
			t.Errorf("%s answers %d from Pod %q: %s", endpoint.Name, reply.Status, reply.Pod, reply.Body)
		}
	}
	return count
}

// host is the address without its port; a picker may name several endpoints, the first is the choice.
func host(endpoint string) string {
	first, _, _ := strings.Cut(endpoint, ",")
	address, _, _ := strings.Cut(first, ":")
	return address
}

func grep(log, word string) string {
	var lines []string
	for line := range strings.Lines(log) {
		if strings.Contains(line, word) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[:min(5, len(lines))], "")
}
