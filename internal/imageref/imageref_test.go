package imageref

import "testing"

func TestParse(t *testing.T) {
	for image, want := range map[string]struct {
		ref    Ref
		name   string
		base   string
		floats bool
	}{
		"":                              {Ref{}, "", "", true},
		"vllm":                          {Ref{Repository: "vllm"}, "vllm", "vllm", true},
		"vllm/vllm-openai:v0.11.0":      {Ref{Repository: "vllm/vllm-openai", Tag: "v0.11.0"}, "vllm/vllm-openai", "vllm-openai", false},
		"ghcr.io/llm-d/epp:latest":      {Ref{Registry: "ghcr.io", Repository: "llm-d/epp", Tag: "latest"}, "ghcr.io/llm-d/epp", "epp", true},
		"localhost/epp":                 {Ref{Registry: "localhost", Repository: "epp"}, "localhost/epp", "epp", true},
		"host:5000/a/b":                 {Ref{Registry: "host:5000", Repository: "a/b"}, "host:5000/a/b", "b", true},
		"host:5000/a/b:1@sha256:0123":   {Ref{Registry: "host:5000", Repository: "a/b", Tag: "1", Digest: "sha256:0123"}, "host:5000/a/b", "b", false},
		"vllm/vllm-openai@sha256:01234": {Ref{Repository: "vllm/vllm-openai", Digest: "sha256:01234"}, "vllm/vllm-openai", "vllm-openai", false},
	} {
		if got := Parse(image); got != want.ref || got.Name() != want.name || got.Base() != want.base || got.Floats() != want.floats {
			t.Errorf("%s: %+v, name %s, base %s, floats %t; want %+v", image, got, got.Name(), got.Base(), got.Floats(), want)
		}
	}
}
