package wiring

import (
	"strings"
	"testing"
)

// TestReplay holds the port on which the EPP asks for events again against that of the servers.
func TestReplay(t *testing.T) {
	for name, c := range map[string]struct{ asked, sent, want string }{
		"neither":          {"", "", ""},
		"the same":         {"5559", `"replay_endpoint":"tcp://*:5559",`, ""},
		"servers alone":    {"", `"replay_endpoint":"tcp://*:5559",`, ""},
		"turned off":       {"0", "", ""},
		"not known":        {"5559", `"replay_endpoint":"tcp://*:$(REPLAY)",`, ""},
		"the EPP alone":    {"5559", "", "sends no events again"},
		"another port":     {"5560", `"replay_endpoint":"tcp://*:5559",`, "again on port 5559"},
		"no port at all":   {"5560", `"replay_endpoint":"",`, "sends no events again"},
		"no events at all": {"5559", `"publisher":"null",`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			set := read(t, "precise")
			if c.asked != "" {
				set = strings.Replace(set, "socketPort: 5556", "socketPort: 5556\n            replaySocketPort: "+c.asked, 1)
			}
			set = strings.Replace(set, `"publisher":"zmq",`, `"publisher":"zmq",`+c.sent, 1)
			got := strings.Join(said(t, set, "kv-replay"), "\n")
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
