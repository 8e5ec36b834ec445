package shell

import "testing"

func TestUncommented(t *testing.T) {
	for script, want := range map[string]string{
		"vllm serve a/b --port 1":                    "vllm serve a/b --port 1",
		"# first\nvllm serve":                        "\nvllm serve",
		"vllm --eager\n  # --eplb \\\n  # --b 2":     "vllm --eager\n  \n  ",
		"vllm \\\n# --eplb \\\n--eager":              "vllm \\\n\n--eager",
		"vllm --eager # yes":                         "vllm --eager ",
		"vllm --name a#b":                            "vllm --name a#b",
		"vllm --name '# no' --name \"x # no\" # yes": "vllm --name '# no' --name \"x # no\" ",
		"vllm --name \\# --x":                        "vllm --name \\# --x",
		"echo 'it' # isn't\nvllm # '":                "echo 'it' \nvllm ",
		"[ $# -gt 1 ] && vllm ${#a[@]}":              "[ $# -gt 1 ] && vllm ${#a[@]}",
	} {
		if got := Uncommented(script); got != want {
			t.Errorf("%q: %q, not %q", script, got, want)
		}
	}
}
