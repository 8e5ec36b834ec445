package eppconfig

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// spellings are values as YAML 1.1, Go, Kubernetes and people write them.
var spellings = []string{
	"y", "n", "yes", "No", "ON", "off", "True", "~", "Null", "", "1_000", "0x1f", "010", "0o10", "0b11", "1e3", "1E-2", "1.0", "-0", "+5", ".5", "5.",
	".inf", "-.inf", ".nan", "1e400", "12345678901234567890", "9223372036854775807", "9223372036854775808", "1:30", "2026-01-01", "2026-01-01T00:00:00Z",
	"!!str 5", "!!int 5", "!!int '5'", "!!float 1", "!!bool 'true'", "!!null ''", "!!binary aGk=", "! 5", "!own 5", "'5'", `"5"`, `"\x41"`, `"\q"`, `"open`, "'it''s'",
	"*a", "&a 5", "&a", "{", "{}", "[1", "[]", "{a: 1}", "{a: 1, a: 2}", "[a, b]", "- 1", "? a", "@a", "`a`", "%a", "a: b", "a #b", "#b", "|", ">-", "|\n  a\n  b", "a\tb", "\ta",
	"1Gi", "1gi", "1GB", "1.5Gi", "100m", "1k", "1K", "1e30", "' 1Gi'", "'1Gi '", "1Ei", "16Ei", "-1Gi",
	"1.5h", "1h30m", "30", "'30'", "30 s", "1d", "1us", "1µs", "-1s", "300y", "999999h", "9999999h", "'0'", "0", "0s", "+1s", "s",
}

var written = regexp.MustCompile(`(?m)^( *(?:- )*[\w.]+:)( .*)?$`)

// spelt writes the text of a configuration in another way, which may be none that is right.
func (m *mutator) spelt(text string) string {
	switch m.IntN(8) {
	case 0:
		return m.framed(text)
	case 1:
		return m.asJSON(text)
	case 2:
		return m.anchored(text)
	default:
		places := written.FindAllStringSubmatchIndex(text, -1)
		if len(places) == 0 {
			return text
		}
		at := pick(m, places)
		return text[:at[3]] + " " + pick(m, spellings) + text[at[1]:]
	}
}

// framed puts something around a text.
func (m *mutator) framed(text string) string {
	return pick(m, []func() string{
		func() string { return "---\n" + text },
		func() string { return "--- \n---\n" + text },
		func() string { return "# note\n---\n" + text },
		func() string { return "%YAML 1.1\n---\n" + text },
		func() string { return "\ufeff" + text },
		func() string { return text + "---\nbroken: [\n" },
		func() string { return text + "...\n" },
		func() string { return text + "\x00" },
		func() string { return text + "x\n" },
		func() string { return text + "\ttab: 1\n" },
		func() string { return strings.ReplaceAll(text, "\n", "\r\n") },
		func() string { return strings.TrimSuffix(text, "\n") },
		func() string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") },
		func() string { return strings.ReplaceAll(text, "- ", "-\n  ") },
		func() string { return strings.ReplaceAll(text, "  ", "\t") },
		func() string { return "\n" },
		func() string { return "null\n" },
		func() string { return "[]\n" },
		func() string { return "text\n" },
		func() string { return text + text },
	})()
}

// asJSON writes a text as JSON, mostly right.
func (m *mutator) asJSON(text string) string {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return text
	}
	out := string(data)
	switch m.IntN(6) {
	case 0:
		out = strings.Replace(out, `"`, "", 2)
	case 1:
		out = strings.TrimSuffix(out, "}") + ",}"
	case 2:
		out += "\n---\n" + out
	case 3:
		out += pick(m, []string{" ", "\n", "x", "}", "\x00", "// note"})
	case 4:
		if indented, err := json.MarshalIndent(json.RawMessage(data), "", "\t"); err == nil {
			out = string(indented)
		}
	}
	return out
}

// anchored makes a plugin of another by an alias or a merge.
func (m *mutator) anchored(text string) string {
	lines := strings.Split(text, "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return line == "- type: queue-scorer" })
	if i < 0 {
		return text
	}
	lines[i] = "- &a\n  type: queue-scorer"
	return strings.Join(slices.Insert(lines, i+1, pick(m, []string{
		"- *a", "- <<: *a\n  name: c", "- <<: *a\n  type: kv-cache-utilization-scorer", "- <<: *a\n  <<: *a\n  name: c", "- *b", "- &a\n  type: lora-affinity-scorer",
		"- <<: [*a]\n  name: c", "- <<: 5\n  type: max-score-picker", "- <<: {name: c}\n  type: max-score-picker", "- {<<: *a, name: c}",
	})), "\n")
}
