package epp

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inferstack/inferstack/conformance/servers"
)

// send forwards a prompt as Envoy does after the picker's answer: to the endpoint, with the headers that it set.
func (w world) send(t *testing.T, answer Answer, prompt string) servers.Reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	endpoint, _, _ := strings.Cut(answer.Endpoint(), ",")
	headers := maps.Clone(answer.Headers)
	maps.DeleteFunc(headers, func(name, _ string) bool { return strings.HasPrefix(name, ":") || name == "content-length" })
	got, err := w.endpoints[host(endpoint)].Post(ctx, endpoint, headers, w.completion(prompt))
	if err != nil {
		t.Fatalf("%s: %v; the headers were %v\n%s", endpoint, err, headers, w.tails(endpoint))
	}
	return got
}

// completion is a request for the model that the servers serve.
func (w world) completion(prompt string) map[string]any {
	for _, endpoint := range w.endpoints {
		return endpoint.Completion(prompt)
	}
	return nil
}

// byName returns the endpoints in the order of their names.
func (w world) byName() []Endpoint {
	return slices.SortedFunc(maps.Values(w.endpoints), func(a, b Endpoint) int { return strings.Compare(a.Name, b.Name) })
}

// tails is what the programs of the endpoint's Pod last wrote.
func (w world) tails(endpoint string) string {
	var said []string
	for name, process := range w.endpoints[host(endpoint)].Containers {
		said = append(said, name+":\n"+process.Tail())
	}
	return strings.Join(said, "\n")
}
