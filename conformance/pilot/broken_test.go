package pilot

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/conformance/manifests"
)

// verdict is a condition that pilot sets on broken manifests.
type verdict struct{ kind, condition, reason string }

// broken are the mistakes in wiring that a person makes, and what pilot says to each. Pilot says nothing at all to the
// last ones: there the wiring check of Inferstack is the only one to see them.
var broken = []struct {
	name, base, from, to string
	want                 verdict
}{
	{
		"route without a grant", "native", "kind: InferencePool, name: qwen", "kind: InferencePool, namespace: other, name: qwen",
		verdict{"HTTPRoute", "ResolvedRefs", "RefNotPermitted"},
	},
	{"unknown section", "native", "parentRefs: [{name: gw}]", "parentRefs: [{name: gw, sectionName: https}]", verdict{"HTTPRoute", "Accepted", "NoMatchingParent"}},
	{"unknown listener port", "native", "parentRefs: [{name: gw}]", "parentRefs: [{name: gw, port: 8080}]", verdict{"HTTPRoute", "Accepted", "NoMatchingParent"}},
	{"missing picker Service", "native", "kind: Service, name: qwen-epp", "kind: Service, name: gone", verdict{"InferencePool", "ResolvedRefs", "InvalidExtensionRef"}},
	{"missing backend Service", "envoyfilter", "{name: qwen-decode, port", "{name: gone, port", verdict{"HTTPRoute", "ResolvedRefs", "BackendNotFound"}},
	{"closed listener", "native", "from: All", "from: Selector, selector: {matchLabels: {team: other}}", verdict{"HTTPRoute", "Accepted", "NotAllowedByListeners"}},
	{"pool where pools are off", "off", "", "", verdict{"HTTPRoute", "ResolvedRefs", "InvalidKind"}},
	{"wrong picker port", "native", "port: {number: 9002}", "port: {number: 9009}", verdict{}},
	{"wrong backend port", "envoyfilter", "name: qwen-decode, port: 8000", "name: qwen-decode, port: 8001", verdict{}},
}

func TestBroken(t *testing.T) {
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			file, env := c.base, []string{InferenceExtension}
			if c.base != "native" {
				env = nil
			}
			if c.base == "off" {
				file = "native"
			}
			text := handWritten(t, file)
			if !strings.Contains(text, c.from) {
				t.Fatalf("nothing to break: %q is not in %s", c.from, file)
			}
			objects := manifests.Parse(t, []byte(strings.ReplaceAll(text, c.from, c.to)))
			got := rejections(Run(t, objects, env...))
			if c.want == (verdict{}) {
				if len(got) > 0 {
					t.Errorf("pilot used to say nothing, now it says %v", got)
				}
			} else if !got[c.want] {
				t.Errorf("want pilot to say %v, it says %v", c.want, got)
			}
			table.Row(t, "broken: "+c.name, len(objects), len(got), 0, 0)
		})
	}
}

// rejections are the conditions that say no.
func rejections(result *Result) map[verdict]bool {
	found := map[verdict]bool{}
	for _, status := range result.Statuses {
		for _, c := range result.Conditions(status.Kind, status.Namespace, status.Name) {
			if c.Status != "True" && c.Type != "Conflicted" {
				found[verdict{status.Kind, c.Type, c.Reason}] = true
			}
		}
	}
	return found
}
