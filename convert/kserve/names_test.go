package kserve

import (
	"strings"
	"testing"
)

// TestChildName has the names that knative's kmeta gives (v0.0.0-20260120122510).
func TestChildName(t *testing.T) {
	long := strings.Repeat("a", 60)
	for _, c := range []struct{ parent, suffix, want string }{
		{"qwen", "-kserve", "qwen-kserve"},
		{strings.Repeat("a", 56), "-kserve", strings.Repeat("a", 56) + "-kserve"},
		{long, "-kserve", strings.Repeat("a", 24) + digest(long) + "-kserve"},
		{long, "-kserve-self-signed-certificates", strings.Repeat("a", 31) + digest(long+"-kserve-self-signed-certificates")},
	} {
		got := childName(c.parent, c.suffix)
		if got != c.want || len(got) > longestName {
			t.Errorf("%s%s: %s, not %s", c.parent, c.suffix, got, c.want)
		}
	}
}

// TestWords takes texts apart as a shell does.
func TestWords(t *testing.T) {
	variables := map[string]string{"MORE": "--a 1", "JSON": `{"k": "v"}`}
	for text, want := range map[string]string{
		"vllm serve  /mnt/models":         "vllm|serve|/mnt/models",
		`--name "a b" 'c "d"' e\ f`:       `--name|a b|c "d"|e f`,
		"--x \\\n  $MORE":                 "--x|--a|1",
		`--config "$JSON" ${MISSING} --y`: `--config|{"k": "v"}|--y`,
		"serve $@":                        "serve|one|two",
		"a | b":                           "",
		"a; b":                            "",
		"a $(b)":                          "",
		"a `b`":                           "",
		"if x; then":                      "",
		"--open 'quote":                   "",
		"export A=b\nvllm serve":          "",
	} {
		words, ok := script{text: text, variables: variables, arguments: []string{"one", "two"}}.words()
		if got := strings.Join(words, "|"); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v; not %q", text, got, ok, want)
		}
	}
}

// TestMerge merges as a strategic merge of the API's types does.
func TestMerge(t *testing.T) {
	container := func(name string, fields map[string]any) map[string]any {
		fields["name"] = name
		return fields
	}
	base := map[string]any{"containers": []any{container("main", map[string]any{"image": "a", "env": []any{container("A", map[string]any{"value": "1"})}, "args": []any{"x"}})}}
	over := map[string]any{"containers": []any{
		container("log", map[string]any{"image": "l"}),
		container("main", map[string]any{"image": "", "env": []any{container("B", map[string]any{"value": "2"})}, "args": []any{"y"}}),
	}}
	got := merge(base, over)
	first, second := list(got["containers"])[0], list(got["containers"])[1]
	if at(first, "name") != "log" || at(second, "image") != "a" || len(list(at(second, "args"))) != 1 || list(at(second, "args"))[0] != "y" {
		t.Errorf("%v", got)
	}
	env := list(at(second, "env"))
	if len(env) != 2 || at(env[0], "name") != "B" || at(env[1], "name") != "A" {
		t.Errorf("new variables stand first: %v", env)
	}
}
