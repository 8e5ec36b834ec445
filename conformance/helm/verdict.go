package helm

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// A Verdict is what convert helm makes of a value.
type Verdict string

// The verdicts.
const (
	Taken    Verdict = "taken"     // it changes the stack, and nothing is said of it
	Said     Verdict = "said"      // it may change the stack, and something is said of it
	Refused  Verdict = "refused"   // nothing is converted
	NoEffect Verdict = "no effect" // it is said to have none
	Silent   Verdict = "silent"    // it changes nothing, and nothing is said of it
)

// converted is what convert helm makes of values of a chart.
type converted struct {
	print    string
	problems schema.Problems
}

func (c *Chart) convert(t testing.TB, values map[string]any) converted {
	t.Helper()
	data, err := sigsyaml.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	k := kinds[c.Name]
	v := convert.HelmValues{Postfix: "p", Namespace: "ns", Lossy: true}
	if k.named {
		v.PoolChart = c.Name
		if version, known := c.released(); known {
			v.PoolChart += "-" + version
		}
	}
	*k.file(&v) = convert.HelmFile{Name: "values.yaml", Data: data, Release: "release"}
	result := convert.Helm(v)
	var b strings.Builder
	for _, s := range result.Stacks {
		uncomment(s.Node)
		b.Write(s.YAML())
	}
	for _, o := range result.Objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return converted{b.String(), result.Problems}
}

func uncomment(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		uncomment(c)
	}
}

// judge is the verdict on a change, by what is made of the file with it and without it.
func judge(before, after converted, path string) Verdict {
	said := false
	if len(after.problems.Errors()) > 0 {
		return Refused
	}
	for i := range after.problems {
		switch p := &after.problems[i]; {
		case !covers(p, path):
		case p.Kind == finding.NoEffect:
			return NoEffect
		default:
			said = true
		}
	}
	switch {
	case said, differ(before.problems, after.problems), differ(after.problems, before.problems):
		return Said
	case after.print != before.print:
		return Taken
	}
	return Silent
}

// differ reports whether something else than a value without effect is said of one input that is not said of another.
func differ(one, other schema.Problems) bool {
	for i := range one {
		if p := &one[i]; p.Kind != finding.NoEffect && !has(other, p) {
			return true
		}
	}
	return false
}

// covers reports whether a remark is on a path or on a section or list that it is part of.
func covers(p *schema.Problem, path string) bool { return below(path, p.Path) }

func below(path, section string) bool {
	rest, ok := strings.CutPrefix(path, section)
	return ok && section != "" && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

func has(problems schema.Problems, p *schema.Problem) bool {
	for i := range problems {
		if problems[i].Path == p.Path && problems[i].Message == p.Message {
			return true
		}
	}
	return false
}
