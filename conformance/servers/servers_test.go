package servers

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/inferstack/inferstack/conformance/kubelet"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
)

var table = report.New("model servers and sidecars", "manifests", "role", "programs", "requests")

func TestMain(m *testing.M) { report.Main(m, table) }

// deployments returns what makes the model servers among the objects, by role.
func deployments(t *testing.T, objects []*unstructured.Unstructured) map[string]appsv1.Deployment {
	t.Helper()
	found := map[string]appsv1.Deployment{}
	for _, object := range manifests.Of(objects, "Deployment") {
		var deployment appsv1.Deployment
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &deployment); err != nil {
			t.Fatal(err)
		}
		if deployment.Spec.Template.Spec.Containers[0].Name == "modelserver" {
			found[deployment.Name+"/"+Role(deployment.Spec.Template.Labels)] = deployment
		}
	}
	return found
}

// TestExamples starts one Pod of each role of every example: it takes the emitted flags, its probes answer as emitted,
// a request to the port of the pool gets its answer, and the metrics are there that endpoint pickers read.
func TestExamples(t *testing.T) {
	network := kubelet.NewNetwork(t)
	for _, example := range product.Examples(t) {
		if !example.Top() {
			continue
		}
		t.Run(example.Name, func(t *testing.T) {
			all := deployments(t, Simulated(t, example))
			if len(all) == 0 {
				t.Error("no model servers are emitted")
			}
			for _, name := range slices.Sorted(maps.Keys(all)) {
				deployment := all[name]
				server := Start(t, network.Sandbox(t, deployment.Namespace, deployment.Name+"-0"), deployment.Spec.Template.Spec)
				answers(t, server)
				found := server.metrics(t)
				for _, metric := range read {
					if _, has := found[metric]; !has {
						t.Errorf("%s has no metric %s", name, metric)
					}
				}
				table.Row(t, "examples/"+example.Name, Role(deployment.Spec.Template.Labels), len(server.Containers), 1)
			}
		})
	}
}

// read are the metrics of vLLM that the endpoint pickers of both release lines read.
var read = []string{
	"vllm:num_requests_waiting", "vllm:num_requests_running", "vllm:kv_cache_usage_perc", "vllm:cache_config_info", "vllm:lora_requests_info",
}

// poolPort is the one at which gateways ask the Pods of the examples.
const poolPort = ":8000"

// answers requires that a request to the Pod comes back from its server.
func answers(t *testing.T, server Server) {
	t.Helper()
	got, err := server.Post(t.Context(), server.IP+poolPort, nil, server.Completion("a prompt"))
	if err != nil || got.Status != 200 || got.Pod != server.Name {
		t.Errorf("Pod %s: %v, %d from %q: %s", server.Name, err, got.Status, got.Pod, got.Body)
	}
}

// prefillHeader is how an endpoint picker tells the sidecar of a decode Pod who prefills.
const prefillHeader = "x-prefiller-host-port"

// TestPrefill sends requests to decode Pods with the header that names a prefill Pod: the servers of both sides get
// them, over TLS where they have a certificate, and the answer is the decode server's.
func TestPrefill(t *testing.T) {
	network := kubelet.NewNetwork(t)
	for _, release := range []string{"0.4", "0.10"} {
		for _, example := range []string{"prefill-decode-envoyfilter", "server-tls"} {
			t.Run(release+"/"+example, func(t *testing.T) {
				sides := map[string]Server{}
				for _, deployment := range disaggregated(t, example, fmt.Sprintf("spec: {release: %q}", release)) {
					sides[Role(deployment.Spec.Template.Labels)] = Start(t, network.Sandbox(t, "ns", deployment.Name), deployment.Spec.Template.Spec)
				}
				requests := bothServe(t, sides["decode"], sides["prefill"])
				table.Row(t, "examples/"+example+" on "+release+": a prefill Pod is named", "both", 3, requests)
			})
		}
	}
}

// encodeHeader is how an endpoint picker tells the sidecar of a decode Pod who encodes.
const encodeHeader = "x-encoder-hosts-ports"

// TestEncode sends a request with an image to a decode Pod, with the headers that name an encode and a prefill Pod: each
// of the three has its part in it.
func TestEncode(t *testing.T) {
	const finished = "vllm:request_success_total"
	network, sides := kubelet.NewNetwork(t), map[string]Server{}
	for _, deployment := range disaggregated(t, "encode-prefill-decode") {
		sides[Role(deployment.Spec.Template.Labels)] = Start(t, network.Sandbox(t, "ns", deployment.Name), deployment.Spec.Template.Spec)
	}
	decode, prefill, encode := sides["decode"], sides["prefill"], sides["encode"]
	headers := map[string]string{prefillHeader: prefill.IP + poolPort, encodeHeader: encode.IP + poolPort}
	got, err := decode.PostTo(t.Context(), decode.IP+poolPort+"/v1/chat/completions", headers, map[string]any{
		"model": decode.Argument("served-model-name"), "max_tokens": 4, "messages": []any{map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mNQaDiAFTEMLQkAOsZYAf+tz8gAAAAASUVORK5CYII="}},
			map[string]any{"type": "text", "text": "what is this?"},
		}}},
	})
	if err != nil || got.Status != 200 || got.Pod != decode.Name {
		t.Fatalf("%v, %d from %q: %s\n%s", err, got.Status, got.Pod, got.Body, decode.Containers["routing-proxy"].Tail())
	}
	for _, side := range []Server{encode, prefill, decode} {
		side.Reaches(t, finished, 1)
	}
	table.Row(t, "examples/encode-prefill-decode: an encode and a prefill Pod are named", "all three", 3, 1)
}

// bothServe requires that the prefill server serves the requests that name it, and no other, and the decode server all.
func bothServe(t *testing.T, decode, prefill Server) (requests int) {
	t.Helper()
	const finished, count = "vllm:request_success_total", 3
	for range count {
		got, err := decode.Post(t.Context(), decode.IP+poolPort, map[string]string{prefillHeader: prefill.IP + poolPort}, decode.Completion("a prompt"))
		if err != nil || got.Status != 200 || got.Pod != decode.Name {
			t.Fatalf("%v, %d from %q: %s\n%s", err, got.Status, got.Pod, got.Body, decode.Containers["routing-proxy"].Tail())
		}
	}
	decode.Reaches(t, finished, count)
	prefill.Reaches(t, finished, count)
	answers(t, decode)
	decode.Reaches(t, finished, count+1)
	prefill.Reaches(t, finished, count)
	return count + 1
}

// disaggregated returns the servers of an example with prefill servers.
func disaggregated(t *testing.T, name string, patches ...string) map[string]appsv1.Deployment {
	t.Helper()
	all := product.Examples(t)
	i := slices.IndexFunc(all, func(e product.Example) bool { return e.Name == name })
	return deployments(t, Simulated(t, all[i], patches...))
}

// TestTermination ends a decode Pod while it serves, in the order in which a kubelet does: the model server, then the
// sidecar. The request that runs gets its answer, a later one is refused at once, and both end by themselves within
// what the grace period leaves after the preStop hook.
func TestTermination(t *testing.T) {
	network := kubelet.NewNetwork(t)
	for _, deployment := range disaggregated(t, "prefill-decode-envoyfilter", "spec: {server: {simulator: {timeToFirstToken: 3s}}}") {
		spec := deployment.Spec.Template.Spec
		if Role(deployment.Spec.Template.Labels) != "decode" {
			continue
		}
		server := Start(t, network.Sandbox(t, "ns", deployment.Name), spec)
		begun := make(chan Reply, 1)
		go func() { begun <- server.try(t) }()
		server.Reaches(t, "vllm:num_requests_running", 1)

		left := time.Duration(*spec.TerminationGracePeriodSeconds) * time.Second
		if hook := server.ModelServer().Lifecycle; hook != nil && hook.PreStop != nil && hook.PreStop.Sleep != nil {
			left -= time.Duration(hook.PreStop.Sleep.Seconds) * time.Second
		}
		end := time.Now().Add(left)
		server.Containers["modelserver"].Terminate(t)
		time.Sleep(200 * time.Millisecond)
		if late := server.try(t); late.Status != 503 {
			t.Errorf("a request after the signal gets %d, want 503: %s", late.Status, late.Body)
		}
		if got := <-begun; got.Status != 200 {
			t.Errorf("the running request gets %d: %s", got.Status, got.Body)
		}
		server.ends(t, "modelserver", end)
		server.Containers["routing-proxy"].Terminate(t)
		server.ends(t, "routing-proxy", end)
		table.Row(t, "termination under a request", "decode", 2, 2)
	}
}

// try sends a request that may fail.
func (s Server) try(t *testing.T) Reply {
	got, err := s.Post(t.Context(), s.IP+poolPort, nil, s.Completion("a prompt"))
	if err != nil {
		got.Body = err.Error()
	}
	return got
}

func (s Server) ends(t *testing.T, container string, until time.Time) {
	t.Helper()
	process := s.Containers[container]
	if ended, err := process.Wait(time.Until(until)); !ended || err != nil {
		t.Errorf("%s: ended: %v, %v\n%s", container, ended, err, process.Tail())
	}
}
