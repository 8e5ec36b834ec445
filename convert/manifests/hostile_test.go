package manifests

import (
	"os"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
)

// TestNoStack refuses objects of which no stack can be made, by what is wrong with them.
func TestNoStack(t *testing.T) {
	data, err := os.ReadFile(goldenDir + "/quickstart.yaml")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(data), "---\n")
	without := func(is func(string) bool) []string {
		var out []string
		for _, p := range parts {
			if !is(p) {
				out = append(out, p)
			}
		}
		return out
	}
	epp := func(p string) bool {
		return strings.Contains(p, "kind: Deployment") && strings.Contains(p, "name: quickstart-epp")
	}
	var second []string
	for _, p := range parts {
		if epp(p) {
			second = append(second, strings.Replace(p, "name: quickstart-epp\n", "name: other-epp\n", 1))
		}
	}
	for _, c := range []struct {
		name, want string
		objects    []string
	}{
		{"no pool", "no InferencePool found", without(func(p string) bool { return strings.Contains(p, "kind: InferencePool") })},
		{"no EPP", "no EPP found", without(epp)},
		{"two EPPs", "has 2 EPPs", append(without(func(string) bool { return false }), second...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs, _ := document.Read("objects.yaml", []byte(strings.Join(c.objects, "---\n")))
			r := Convert(docs, Options{})
			if len(r.Stacks) > 0 || len(r.Problems.Errors()) != 1 || !strings.Contains(r.Problems[0].Message, c.want) {
				t.Errorf("%d stacks, problems %v; want %q", len(r.Stacks), r.Problems, c.want)
			}
		})
	}
}
