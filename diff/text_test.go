package diff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// One object for each risk.
func several(t *testing.T) []Difference {
	old := container("image: a") + "---\n" + strings.Replace(container("image: a, resources: {limits: {nvidia.com/gpu: 1}}"), "name: a,", "name: gpu,", 1) +
		"---\n" + object("v1", "Service", "spec: {clusterIP: None}") + "---\n" + object("v1", "PersistentVolumeClaim", "") +
		"---\n" + object("v1", "ServiceAccount", "") + "---\n" + object("v1", "ConfigMap", "data: {a: b}")
	now := container("image: b") + "---\n" + strings.Replace(container("image: b, resources: {limits: {nvidia.com/gpu: 1}}"), "name: a,", "name: gpu,", 1) +
		"---\n" + object("v1", "Service", "spec: {}") + "---\n" + object("v1", "ConfigMap", "data: {a: c}") + "---\n" + object("policy/v1", "PodDisruptionBudget", "")
	return Compare(read(t, old), read(t, now))
}

func TestText(t *testing.T) {
	want := `loses data
  PersistentVolumeClaim n/a

must be replaced: the API server refuses the change
  Service n/a
    spec.clusterIP: -"None" (immutable)

restarts pods with accelerators
  Deployment n/gpu
    spec.template.spec.containers[vllm].image: "a" -> "b"

restarts pods
  Deployment n/a
    spec.template.spec.containers[vllm].image: "a" -> "b"

is removed
  ServiceAccount n/a

changes in place
  ConfigMap n/a
    data.a: "b" -> "c"

is added
  PodDisruptionBudget n/a

7 objects differ: 1 with loss of data, 1 to replace, 1 with restart of accelerator pods, 1 with restart of pods, 1 removed, 1 changed in place, 1 added
`
	var b strings.Builder
	if err := Text(&b, several(t), false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	var coloured strings.Builder
	all := several(t)
	for _, want := range []string{
		"\x1b[31;1mloses data\x1b[0m\n", `    spec.clusterIP: ` + "\x1b[31m-\"None\"\x1b[0m\x1b[31;1m (immutable)\x1b[0m\n",
		"    data.a: \x1b[31m\"b\"\x1b[0m -> \x1b[32m\"c\"\x1b[0m\n",
	} {
		coloured.Reset()
		if err := Text(&coloured, all, true); err != nil || !strings.Contains(coloured.String(), want) {
			t.Errorf("%q is not in %q %v", want, coloured.String(), err)
		}
	}
}

// TestNamesAreOnlyNames: what is in a name is not obeyed, by Markdown or a terminal.
func TestNamesAreOnlyNames(t *testing.T) {
	name := "a`|<b>\x1b[31m\n## c\u202e``"
	all := Compare(nil, []Object{{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": name}}})
	all = append(all, Compare(
		[]Object{{"kind": "X", "metadata": map[string]any{}, "\x1b[0m\nkey": "old"}},
		[]Object{{"kind": "X", "metadata": map[string]any{}, "\x1b[0m\nkey": "\u009b\u202e\n```\n"}})...)
	for format, want := range map[string][]string{
		"markdown": {"- ``` Secret a`|<b>\\x1b[31m\\n## c\\u202e`` ```\n", "  @@ [\"\\x1b[0m\\nkey\"] @@\n", "  + \"\\u009b\\u202e\\n```\\n\"\n"},
		"text":     {"\n  Secret a`|<b>\\x1b[31m\\n## c\\u202e``\n", "    [\"\\x1b[0m\\nkey\"]: \"old\" -> \"\\u009b\\u202e\\n```\\n\"\n"},
	} {
		var b strings.Builder
		err := Text(&b, all, false)
		if format == "markdown" {
			b.Reset()
			err = Markdown(&b, all)
		}
		for _, part := range want {
			if err != nil || !strings.Contains(b.String(), part) {
				t.Errorf("%s: %q is not in %q (%v)", format, part, b.String(), err)
			}
		}
		if strings.ContainsAny(b.String(), "\x1b\u009b\u202e") {
			t.Errorf("%s: %q", format, b.String())
		}
	}
}

func TestMarkdown(t *testing.T) {
	want := "**2 objects differ: 1 to replace, 1 removed**\n" +
		"\n<details open><summary>must be replaced: the API server refuses the change (1)</summary>\n\n" +
		"- `Service n/a`\n  ```diff\n  @@ spec.clusterIP (immutable) @@\n  - \"None\"\n  ```\n" +
		"\n</details>\n" +
		"\n<details><summary>is removed (1)</summary>\n\n- `ServiceAccount n/a`\n\n</details>\n"
	var b strings.Builder
	all := several(t)
	if err := Markdown(&b, []Difference{all[1], all[4]}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestJSON(t *testing.T) {
	want := `{
  "differences": [
    {
      "risk": "replaces",
      "kind": "Service",
      "namespace": "n",
      "name": "a",
      "changes": [
        {
          "path": "spec.clusterIP",
          "old": "None",
          "immutable": true
        }
      ]
    }
  ]
}
`
	var b strings.Builder
	if err := JSON(&b, several(t)[1:2]); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := JSON(&b, Compare(nil, nil)); err != nil || b.String() != "{\n  \"differences\": []\n}\n" {
		t.Errorf("%q %v", b.String(), err)
	}
}
