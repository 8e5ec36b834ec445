package epp

import (
	"context"
	"testing"
	"time"

	"github.com/inferstack/inferstack/conformance/cluster"
)

// loadIsSeen fills the queue of one simulator and requires that its own metrics make the published score: the
// load-aware scorer gives 0.5 to an empty queue and half of what is free up to 128 waiting requests to any other.
func loadIsSeen(t *testing.T, server *cluster.Cluster) {
	const running, waiting = 2, 64
	patch := "spec: {server: {simulator: {timeToFirstToken: 5m, maxNumSeqs: 2}}}"
	w := enter(t, server, stack(t, "0.4", "simulator", patch), "--v=4", "--zap-encoder=json")
	busy := w.byName()[0]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range running + waiting {
		go busy.Post(ctx, busy.IP+":"+busy.Argument("port"), nil, busy.Completion("a prompt"))
	}
	busy.Reaches(t, "vllm:num_requests_waiting", waiting)
	time.Sleep(time.Second) // one interval of the picker's refresh
	answer := w.ask(t, "where to?")
	for pod, score := range lastScores(w.process.Log())["load-aware-scorer"] {
		want := 0.5
		if pod == busy.Name {
			want = 0.5 * (1 - waiting/128.0)
		}
		if score != want {
			t.Errorf("%s scores %v by its load, want %v", pod, score, want)
		}
	}
	if host(answer.Endpoint()) == busy.IP {
		t.Errorf("the busy Pod %s is picked", busy.Name)
	}
	table.Row(t, "the simulator's queue makes the score", "epp-llmd-0.4", "v0.4.0", len(w.endpoints), running+waiting+1)
}
