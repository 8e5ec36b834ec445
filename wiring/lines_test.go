package wiring

import (
	"strings"
	"testing"
)

// TestNamesCannotWriteLines names a Service and a label so that a log would read a command
// in them.
func TestNamesCannotWriteLines(t *testing.T) {
	const inject = `"svc\n::error::inject\e[31m"`
	for _, v := range []variant{
		{base: "native", in: "InferencePool llama", old: "    name: llama-epp", new: "    name: " + inject},
		{base: "native", in: "InferencePool llama", old: `llm-d.ai/inference-serving: "true"`, new: "app: " + inject},
		{base: "native", in: "Deployment llama-epp", old: "serviceAccountName: llama-epp", new: "serviceAccountName: " + inject},
	} {
		found := checked(t, v.apply(t), nil)
		for _, format := range []string{"text", "github"} {
			var out strings.Builder
			if err := Write(&out, format, found); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), "inject") {
				t.Errorf("%s: nothing is said of it:\n%s", format, out.String())
			}
			for line := range strings.SplitSeq(out.String(), "\n") {
				if strings.HasPrefix(line, "::error::inject") || strings.Contains(line, "\x1b") {
					t.Errorf("%s: %q", format, line)
				}
			}
		}
	}
}
