package epp

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/conformance/cluster"
)

// prefillHeader is how the picker tells the decode Pod's sidecar who prefills.
const prefillHeader = "x-prefiller-host-port"

// disaggregation sends prompts long enough to be worth a prefill of their own: the picker names a decode and a prefill
// Pod, and through the decode Pod's sidecar the request reaches the servers of both.
func disaggregation(t *testing.T, server *cluster.Cluster) {
	const finished = "vllm:request_success_total"
	w := enter(t, server, stack(t, "0.4", "pd-disaggregation"))
	const count = 5
	for i := range count {
		prompt := strings.Repeat("a prompt that no cache has yet ", 100+i)
		answer := w.ask(t, prompt)
		decode, prefill := w.endpoints[host(answer.Endpoint())], w.endpoints[host(answer.Headers[prefillHeader])]
		if decode.Role != "decode" || prefill.Role != "prefill" {
			t.Fatalf("the request goes to %s, whose role is %q; %s names %q, whose role is %q",
				answer.Endpoint(), decode.Role, prefillHeader, answer.Headers[prefillHeader], prefill.Role)
		}
		decoded, prefilled := decode.Metric(t, finished), prefill.Metric(t, finished)
		if reply := w.send(t, answer, prompt); reply.Status != 200 || reply.Pod != decode.Name {
			t.Errorf("Pod %q answers %d, want 200 from %s: %s", reply.Pod, reply.Status, decode.Name, reply.Body)
		}
		decode.Reaches(t, finished, decoded+1)
		prefill.Reaches(t, finished, prefilled+1)
	}
	table.Row(t, "a request that both sides serve", "epp-llmd-0.4 and pd-sidecar", "v0.4.0 and v0.7.1", len(w.endpoints), count)
}
