package stacktest

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/generators/base"
)

// StackOf is parse with a model, unless the spec names one.
func StackOf(t *testing.T, spec string) *base.Stack {
	t.Helper()
	if !strings.Contains(spec, "model:") {
		spec = "model: {name: Qwen/Qwen3-32B}\n" + spec
	}
	return Parse(t, spec)
}
