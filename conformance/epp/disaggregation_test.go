package epp

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/conformance/cluster"
)

// prefillHeader is how the picker tells the decode Pod's sidecar who prefills.
const prefillHeader = "x-prefiller-host-port"

// disaggregation sends prompts long enough to be worth a prefill of their own: the request goes to a decode Pod and
// names a prefill Pod.
func disaggregation(t *testing.T, server *cluster.Cluster) {
	w := enter(t, server, stack(t, "0.4", "pd-disaggregation"))
	const count = 5
	for i := range count {
		answer := w.ask(t, strings.Repeat("a prompt that no cache has yet ", 200+i))
		if role := w.endpoints[host(answer.Endpoint())].Role; role != "decode" {
			t.Errorf("the request goes to %s, whose role is %q", answer.Endpoint(), role)
		}
		if role := w.endpoints[host(answer.Headers[prefillHeader])].Role; role != "prefill" {
			t.Errorf("%s names %q, whose role is %q", prefillHeader, answer.Headers[prefillHeader], role)
		}
	}
	table.Row(t, "prefill header", "epp-llmd-0.4", "v0.4.0", len(w.endpoints), count)
}
