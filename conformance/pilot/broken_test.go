package pilot

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
)

// verdict is how pilot says no: a condition that is not as it should be, a refusal of Istio's admission webhook, or a
// message that Envoy would refuse.
type verdict struct{ kind, condition, reason string }

func (v verdict) String() string {
	return strings.TrimSpace(v.kind + " " + v.condition + " " + v.reason)
}

const webhook, nack = "refused by Istio's webhook", "refused by Envoy"

// A mistake is one that a person makes, in one of the sets of manifests.
type mistake struct {
	name, base string
	// edits are pairs of a text and what stands there instead.
	edits []string
	// pilot is what pilot says; nothing where it says nothing at all.
	pilot verdict
	// check is the rule of inferstack check that finds it.
	check string
}

// TestBroken shows every mistake to inferstack check, and then to pilot. Whatever pilot refuses, the check has to find
// before; it finds more, for pilot is silent about much that cannot work.
func TestBroken(t *testing.T) {
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			text := m.apply(t)
			found := check(t, text)
			if !slices.Contains(found, m.check) {
				t.Errorf("inferstack check finds %v, want %s", found, m.check)
			}
			objects := manifests.Parse(t, []byte(text))
			env := []string{InferenceExtension}
			if m.base == "envoyfilter" {
				env = nil
			}
			got := rejections(Run(t, objects, env...))
			says := "nothing"
			switch {
			case m.pilot == (verdict{}) && len(got) > 0:
				t.Errorf("pilot used to say nothing, now it says %v", slices.Collect(maps.Keys(got)))
			case m.pilot == (verdict{}):
			case !got[m.pilot]:
				t.Errorf("want pilot to say %v, it says %v", m.pilot, slices.Collect(maps.Keys(got)))
			default:
				says = m.pilot.String()
			}
			verdicts.Row(t, m.name, m.check, says)
		})
	}
}

// TestPoolsOff: what istiod does without its inference extension is not in any manifest, so that no check can see it.
// Inferstack asks for it in the stack (gateway.istio) and wires the gateway accordingly.
func TestPoolsOff(t *testing.T) {
	got := rejections(Run(t, manifests.Parse(t, []byte(handWritten(t, "native")))))
	want := verdict{"HTTPRoute", "ResolvedRefs", "InvalidKind"}
	if !got[want] {
		t.Errorf("want pilot to say %v, it says %v", want, got)
	}
	verdicts.Row(t, "istiod without its inference extension", "no manifest shows it; gateway.istio of the stack", want)
}

func (m mistake) apply(t *testing.T) string {
	t.Helper()
	text := handWritten(t, m.base)
	for i := 0; i < len(m.edits); i += 2 {
		if !strings.Contains(text, m.edits[i]) {
			t.Fatalf("nothing to break: %q is not in %s", m.edits[i], m.base)
		}
		text = strings.ReplaceAll(text, m.edits[i], m.edits[i+1])
	}
	return text
}

// check returns the rules of inferstack check that find an error, and those that ask for something that must be there.
func check(t *testing.T, text string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "manifests.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	output, said, err := product.Try(t, "check", file, "-o", "json")
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("inferstack check: %v\n%s", err, said)
	}
	var found []struct{ Severity, Rule string }
	if err := json.Unmarshal(output, &found); err != nil {
		t.Fatalf("inferstack check: %v\n%s", err, output)
	}
	var rules []string
	for _, f := range found {
		if f.Severity != "info" || f.Rule == "prerequisite" {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

// rejections are all the ways in which pilot says no.
func rejections(result *Result) map[verdict]bool {
	found := map[verdict]bool{}
	for _, refusal := range result.Refused {
		kind, _, _ := strings.Cut(refusal.Object, " ")
		found[verdict{kind: kind, condition: webhook}] = true
	}
	for _, proxy := range result.Proxies {
		for _, message := range proxy.Invalid {
			kind, _, _ := strings.Cut(message, ":")
			found[verdict{kind: kind, condition: nack}] = true
		}
	}
	for _, status := range result.Statuses {
		for _, c := range result.Conditions(status.Kind, status.Namespace, status.Name) {
			if (c.Status == "True") == (c.Type == "Conflicted") {
				found[verdict{status.Kind, c.Type, c.Reason}] = true
			}
		}
	}
	return found
}
