package document

import "testing"

// TestTakes asks for a field of few words, and one of any.
func TestTakes(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       bool
	}{
		{"spec.server.vllm.dtype", "bfloat16", true},
		{"spec.server.vllm.dtype", "bf16", false},
		{"spec.server.vllm.quantization", "compressed-tensors", true},
		{"spec.server.vllm.quantization", "two words", false},
		{"spec.server.vllm.quantization", "", false},
	} {
		if got := Takes(c.path, c.text); got != c.want {
			t.Errorf("%s takes %q: %v", c.path, c.text, got)
		}
	}
}
