// Package servers runs the model servers and routing sidecars that Inferstack emits: llm-d's simulator and the sidecar of
// llm-d-inference-scheduler, with the emitted arguments, environment, ports and probes, each Pod in a network of its own.
package servers

import (
	"regexp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/kubelet"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
)

// programs stand for images by a word in their names.
var programs = map[string]string{
	"llm-d-inference-sim": "llm-d-sim",
	"routing-sidecar":     "pd-sidecar",
	"disagg-sidecar":      "pd-sidecar",
}

// asSimulator turns the model servers of a stack into simulators; what is left out computes, and a simulator does not.
const asSimulator = `
spec:
  server: {engine: simulator, image: null, args: null, accelerator: null, vllm: null, sglang: null, trtllm: null}
`

// knownConnector carries embeddings from encode servers, and the sidecar that is run knows no other. Simulators exchange
// none, so that they need no claim for them.
const knownConnector = "ec-example"

// Simulated renders an example with the simulator as its model server.
func Simulated(t testing.TB, example product.Example, patches ...string) []*unstructured.Unstructured {
	t.Helper()
	stacks := example.Stacks(t).Edit(t, asSimulator)
	for _, stack := range stacks {
		unstructured.RemoveNestedField(stack, "spec", "kvCache", "offload")
		unstructured.RemoveNestedField(stack, "spec", "disaggregatedSet") // its pods are those of Deployments
		for _, role := range []string{"decode", "prefill", "encode"} {
			if section, found, _ := unstructured.NestedFieldNoCopy(stack, "spec", role); found {
				simulate(section.(map[string]any))
			}
		}
		if _, encodes, _ := unstructured.NestedFieldNoCopy(stack, "spec", "encode"); encodes {
			if err := unstructured.SetNestedMap(stack, map[string]any{"connector": knownConnector}, "spec", "ecTransfer"); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, patch := range patches {
		stacks = stacks.Edit(t, patch)
	}
	return manifests.Parse(t, product.Run(t, "render", stacks.Write(t)))
}

// simulate takes out of a role, or of a variant of its servers, what computes. Of data parallelism over nodes one node
// is left.
func simulate(section map[string]any) {
	for _, field := range []string{"accelerator", "args", "vllm", "offload"} {
		delete(section, field)
	}
	if parallelism, found := section["parallelism"].(map[string]any); found {
		ranks, local := parallelism["dataLocal"]
		for _, field := range []string{"nodes", "data", "dataLocal", "all2allBackend"} {
			delete(parallelism, field)
		}
		if local {
			parallelism["data"] = ranks
		}
	}
	variants, _ := section["variants"].([]any)
	for _, variant := range variants {
		simulate(variant.(map[string]any))
	}
}

// Server is what runs behind one Pod.
type Server struct {
	*kubelet.Sandbox
	// Containers are the Pod's processes by the containers' names, Specs what was emitted for them.
	Containers map[string]*kubelet.Process
	Specs      map[string]corev1.Container
}

// Start starts the containers of a Pod as a kubelet does: sidecars first, then the others; and waits until the probes
// of each answer.
func Start(t testing.TB, sandbox *kubelet.Sandbox, spec corev1.PodSpec) Server {
	t.Helper()
	server := Server{Sandbox: sandbox, Containers: map[string]*kubelet.Process{}, Specs: map[string]corev1.Container{}}
	for _, container := range append(append([]corev1.Container{}, spec.InitContainers...), spec.Containers...) {
		program := ""
		for word, component := range programs {
			if strings.Contains(container.Image, word) {
				program = component
			}
		}
		if program == "" {
			t.Fatalf("no program stands for %s", container.Image)
		}
		container = kubelet.WithSecrets(t, spec, container)
		container.Args = forModule(container.Args)
		server.Specs[container.Name] = container
		server.Containers[container.Name] = sandbox.Run(t, assets.Binary(t, program), container)
	}
	for name, container := range server.Specs {
		if container.ReadinessProbe != nil {
			sandbox.Await(t, container, server.Containers[name])
		} else {
			sandbox.Listens(t, container, server.Containers[name])
		}
	}
	return server
}

// forModule puts arguments of other releases into the words of those that are Go modules: the simulator of the 0.4 line
// loads a tokenizer where v0.10.2 can do without, and has times in milliseconds where that wants a unit; llm-d-router's
// sidecar calls a flag by another name than llm-d-inference-scheduler v0.7.1, from which it comes.
func forModule(args []string) []string {
	var list []string
	for _, arg := range args {
		if strings.HasPrefix(arg, "--tokenizers-cache-dir=") {
			arg = "--force-dummy-tokenizer=true"
		}
		if milliseconds.MatchString(arg) {
			arg += "ms"
		}
		list = append(list, strings.Replace(arg, "--model-server-port=", "--vllm-port=", 1))
	}
	return list
}

// milliseconds matches the simulator's times as v0.6.1 has them.
var milliseconds = regexp.MustCompile(`^--(time-to-first-token|inter-token-latency|kv-cache-transfer-latency)=\d+$`)

// Role returns the part in disaggregation that a Pod's labels say.
func Role(labels map[string]string) string {
	return strings.TrimSpace(labels["llm-d.ai/role"])
}
