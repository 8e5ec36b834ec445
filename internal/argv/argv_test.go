package argv

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for line, want := range map[string][]string{
		"":                         nil,
		"serve org/model":          {"0 serve", "1 org/model"},
		"--port=1 --port 2":        {"0 --port=1 joined", "1 --port=2 detached"},
		"--eager --port 2 more":    {"0 --eager=", "1 --port=2 detached", "3 more"},
		"-v 5 -tp=2":               {"0 -v=5 detached", "2 -tp=2 joined"},
		"--seed -1 --limit -0.5":   {"0 --seed=-1 detached", "2 --limit=-0.5 detached"},
		"--config={\"a\":1} -- -x": {"0 --config={\"a\":1} joined", "1 --=", "2 -x="},
		"--empty= next":            {"0 --empty= joined", "1 next"},
	} {
		var got []string
		for w := range Of(strings.Fields(line)) {
			text := fmt.Sprintf("%d %s", w.At, w.Name)
			if w.IsFlag() {
				text += "=" + w.Value
			}
			if w.Joined() {
				text += " joined"
			}
			if w.Detached() {
				text += " detached"
			}
			got = append(got, text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q:\n%q, not\n%q", line, got, want)
		}
	}
}

func TestEveryWordIsYieldedOnce(t *testing.T) {
	line := strings.Fields("vllm serve -tp 2 --seed -1 --eager --names a b")
	var words []string
	for _, w := range Split(line) {
		words = append(words, w.Words...)
	}
	if !slices.Equal(words, line) {
		t.Errorf("%q, not %q", words, line)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{"--max_model_len": "max-model-len", "-tp": "tp", "served_model_name": "served-model-name"} {
		if got := Hyphened(Word{Name: name}.Flag()); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
}
