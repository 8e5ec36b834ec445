package pods

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema/document"
)

// TestUnquote has arguments with the quotes that a shell would take off.
func TestUnquote(t *testing.T) {
	for name, tc := range map[string]struct {
		args, want []string
		says       string
	}{
		"JSON":            {[]string{`--override-generation-config='{"a": true}'`}, []string{`--override-generation-config={"a": true}`}, "quotes around the JSON are left out"},
		"two words":       {[]string{"--override-generation-config", `'{"a": true}'`, "-x"}, []string{"--override-generation-config", `{"a": true}`, "-x"}, "quotes around the JSON are left out"},
		"a list":          {[]string{`--x='[1, 2]'`}, []string{`--x=[1, 2]`}, "quotes around the JSON"},
		"no quotes":       {[]string{`--x={"a": "b"}`}, []string{`--x={"a": "b"}`}, ""},
		"a word":          {[]string{`--x='a b'`}, []string{`--x='a b'`}, "the quotes are a part of the value, 'a b'"},
		"a JSON string":   {[]string{`--x="a"`}, []string{`--x="a"`}, "the quotes are a part of the value"},
		"broken JSON":     {[]string{`--x='{"a'`}, []string{`--x='{"a'`}, "the quotes are a part of the value"},
		"one quote":       {[]string{`--x='`}, []string{`--x='`}, ""},
		"through a shell": {[]string{"sh", "-c", `vllm serve --x='{"a": 1}'`}, []string{"sh", "-c", `vllm serve --x='{"a": 1}'`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := &Role{Name: "decode", From: "decode"}
			r.line = parseLine(nil, tc.args)
			if tc.args[0] == "sh" {
				r.line = parseLine(tc.args[:2], tc.args[2:])
				tc.want = tc.want[2:]
			}
			before := slices.Clone(tc.args)
			d := draft.New(document.Document{Name: "x", Node: &yaml.Node{Kind: yaml.MappingNode}}, false)
			s := &Servers{Part: d.Part(document.Document{Node: &yaml.Node{Kind: yaml.MappingNode}}), Roles: []*Role{r}}
			s.unquote(r)
			if !slices.Equal(r.line.Words(), tc.want) || !slices.Equal(tc.args, before) {
				t.Errorf("%q", r.line.Words())
			}
			said := d.Problems.Error()
			if said == "" != (tc.says == "") || !strings.Contains(said, tc.says) {
				t.Errorf("said %q", said)
			}
		})
	}
}
