package epp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/conformance/cluster"
)

// scores are what the picker logged about one request: by plugin, then by Pod.
type scores map[string]map[string]float64

// totals are the weighted sums by Pod.
func (s scores) totals(weights map[string]float64) map[string]float64 {
	sum := map[string]float64{}
	for plugin, byPod := range s {
		for pod, score := range byPod {
			sum[pod] += weights[plugin] * score
		}
	}
	return sum
}

// lastScores reads the scores of the last request from the picker's log.
func lastScores(log string) scores {
	found := scores{}
	for line := range strings.Lines(log) {
		var entry struct {
			Message  string `json:"msg"`
			Plugin   string `json:"plugin"`
			Endpoint struct{ Name string }
			Score    float64
		}
		if json.Unmarshal([]byte(line), &entry) != nil || entry.Message != "Calculated score" {
			continue
		}
		plugin, _, _ := strings.Cut(entry.Plugin, "/")
		if found[plugin] == nil {
			found[plugin] = map[string]float64{}
		}
		// The picker names an endpoint after its Pod and the data-parallel rank.
		found[plugin][strings.TrimSuffix(entry.Endpoint.Name, "-rank-0")] = entry.Score
	}
	return found
}

// publishedScores repeats the published test of the scheduler-sim operator (prefix cache skew): cold, every Pod
// scores 0 on the prefix cache and 1.5 in all; warm, the Pod that has the prompt scores 1 and 3.5 against 1.5, and all
// later requests with that prompt go to it.
func publishedScores(t *testing.T, server *cluster.Cluster) {
	w := enter(t, server, stack(t, "0.4", "simulator"), "--v=4", "--zap-encoder=json")
	weights := map[string]float64{"prefix-cache-scorer": 2, "load-aware-scorer": 1, "kv-cache-utilization-scorer": 1}
	prompt := strings.Repeat("the same long prompt, again and again; ", 40)

	first := w.ask(t, prompt)
	cold := lastScores(w.process.Log())
	for pod, total := range cold.totals(weights) {
		if cold["prefix-cache-scorer"][pod] != 0 || total != 1.5 {
			t.Errorf("cold: %s scores %v on the prefix cache and %v in all, want 0 and 1.5", pod, cold["prefix-cache-scorer"][pod], total)
		}
	}
	warmPod := w.endpoints[host(first.Endpoint())].Name
	const repeats = 5
	for range repeats {
		w.send(t, first, prompt)
		if again := w.ask(t, prompt); again.Endpoint() != first.Endpoint() {
			t.Errorf("an equal prompt went to %s, the first to %s", again.Endpoint(), first.Endpoint())
		}
		warm := lastScores(w.process.Log())
		for pod, total := range warm.totals(weights) {
			prefix, want := 0.0, 1.5
			if pod == warmPod {
				prefix, want = 1, 3.5
			}
			if warm["prefix-cache-scorer"][pod] != prefix || total != want {
				t.Errorf("warm: %s scores %v on the prefix cache and %v in all, want %v and %v", pod, warm["prefix-cache-scorer"][pod], total, prefix, want)
			}
		}
	}
	if pods := len(cold["prefix-cache-scorer"]); pods != len(w.endpoints) {
		t.Errorf("scores of %d Pods, want %d", pods, len(w.endpoints))
	}
	table.Row(t, "published scores: 1.5 cold, 3.5 warm", "epp-llmd-0.4", "v0.4.0", len(w.endpoints), repeats+1)
}
