package fn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// inFile says which file an orchestrator read the document from.
func inFile(document, path string) string {
	document = strings.Replace(document, "  annotations: {}\n", "", 1)
	return strings.Replace(document, "metadata:\n", "metadata:\n  annotations:\n    internal.config.kubernetes.io/path: '"+path+"'\n    internal.config.kubernetes.io/index: '0'\n", 1)
}

// again feeds the items of an output back.
func again(t *testing.T, out string) string {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	var l struct {
		APIVersion string    `yaml:"apiVersion"`
		Kind       string    `yaml:"kind"`
		Config     yaml.Node `yaml:"functionConfig,omitempty"`
		Items      yaml.Node `yaml:"items"`
	}
	if err := doc.Decode(&l); err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(map[string]any{"apiVersion": l.APIVersion, "kind": l.Kind, "items": &l.Items})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func names(l listing) []string {
	var out []string
	for _, item := range l.Items {
		meta := item["metadata"].(map[string]any)
		out = append(out, fmt.Sprint(item["kind"], " ", meta["name"]))
	}
	return out
}

func annotationsOf(item map[string]any) map[string]any {
	a, _ := item["metadata"].(map[string]any)["annotations"].(map[string]any)
	return a
}

const foreign = `# of somebody else
apiVersion: v1
kind: ConfigMap
metadata:
  name: theirs # a name
  annotations: {}
data: {a: "1", b: 'x'}
`

func TestInPlacePassesThroughWhatIsNotItsOwn(t *testing.T) {
	item := inFile(foreign, "theirs.yaml")
	got := call(t, resources("", item, inFile(small, "app/stack.yaml")))
	if got.code != exitOK {
		t.Fatal(got.errors)
	}
	if !strings.Contains(got.out, indent(item, "  ")[2:]) {
		t.Errorf("the item of somebody else has changed:\n%s", got.out[:600])
	}
	bare := call(t, resources("", foreign, small))
	if !strings.Contains(bare.out, indent(foreign, "  ")[2:]) {
		t.Errorf("empty annotations, comments or styles are lost:\n%s", bare.out[:400])
	}
}

func TestInPlaceMarksTheStackLocalAndNothingElse(t *testing.T) {
	got := call(t, resources("", inFile(small, "app/stack.yaml")))
	for _, item := range parseList(t, got.out).Items {
		value, marked := annotationsOf(item)[localConfig]
		if item["kind"] == "InferenceStack" != marked || marked && value != "true" {
			t.Errorf("%v: %s is %v", item["kind"], localConfig, value)
		}
	}
}

func TestInPlaceGivesEachObjectAFileAndItsMaker(t *testing.T) {
	got := parseList(t, call(t, resources("", inFile(small, "app/stack.yaml"))).out)
	seen := map[string]bool{}
	for _, item := range got.Items[1:] {
		a := annotationsOf(item)
		path, _ := a["internal.config.kubernetes.io/path"].(string)
		if !strings.HasPrefix(path, "app/generated/llama/") || seen[path] {
			t.Errorf("%v has path %q", item["kind"], path)
		}
		seen[path] = true
		if a["internal.config.kubernetes.io/index"] != "0" || a[generatedBy] != "InferenceStack/inference/llama" {
			t.Errorf("%v has annotations %v", item["kind"], a)
		}
	}
	if !seen["app/generated/llama/deployment_llama-decode.yaml"] {
		t.Errorf("no readable file name among %v", seen)
	}
}

func TestInPlaceSecondRunChangesNothing(t *testing.T) {
	first := call(t, resources("", inFile(foreign, "theirs.yaml"), inFile(small, "app/stack.yaml")))
	second := call(t, again(t, first.out))
	want, got := parseList(t, first.out), parseList(t, second.out)
	if diff := cmp.Diff(want.Items, got.Items); diff != "" {
		t.Error(diff)
	}
	third := call(t, again(t, second.out))
	if third.out != second.out {
		t.Error("the third run is not the second, byte by byte")
	}
	if len(got.Results) != 0 || second.errors != "" {
		t.Errorf("a run that changes nothing has something to say: %v %s", got.Results, second.errors)
	}
}

func TestInPlaceReplacesAndPrunes(t *testing.T) {
	withGateway := small + "  gateway:\n    class: istio\n"
	first := call(t, resources("", inFile(withGateway, "stack.yaml"), inFile(foreign, "theirs.yaml")))
	edited := strings.Replace(again(t, first.out), "gateway:\n      class: istio\n", "decode:\n      replicas: 7\n", 1)
	edited = strings.Replace(edited, "        gateway:\n            class: istio\n", "        decode:\n            replicas: 7\n", 1)
	second := call(t, edited)
	if second.code != exitOK {
		t.Fatal(second.errors)
	}
	got := parseList(t, second.out)
	for _, name := range names(got) {
		if strings.HasPrefix(name, "Gateway") || strings.HasPrefix(name, "HTTPRoute") {
			t.Errorf("%s is still there", name)
		}
	}
	if !strings.Contains(second.out, "replicas: 7") {
		t.Error("the decode Deployment is not replaced")
	}
	if !strings.Contains(second.errors, `removed Gateway "llama-gateway" in namespace "inference"`) {
		t.Errorf("no word of what was removed:\n%s", second.errors)
	}
	if names(got)[1] != "ConfigMap theirs" {
		t.Errorf("order has changed: %v", names(got))
	}
}

func TestInPlaceRefusesAnObjectOfAPerson(t *testing.T) {
	hand := inFile("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: llama-decode\n  namespace: inference\n", "mine.yaml")
	input := resources("", hand, inFile(small, "stack.yaml"))
	got := call(t, input)
	want := `stack.yaml: metadata.name: Deployment "llama-decode" in namespace "inference" would be made, but the one in mine.yaml was not made by inferstack; give one of the two another name, or delete it`
	if got.code != exitError || strings.TrimSpace(got.errors) != want {
		t.Errorf("exit %d:\n%s", got.code, got.errors)
	}
	if diff := cmp.Diff(parseList(t, input).Items, parseList(t, got.out).Items); diff != "" {
		t.Errorf("the input has changed:\n%s", diff)
	}
}

func TestInPlaceTwoStacksDoNotPruneEachOther(t *testing.T) {
	other := strings.ReplaceAll(small, "name: llama", "name: qwen")
	both := call(t, resources("", inFile(small, "a/stack.yaml"), inFile(other, "b/stack.yaml")))
	if both.code != exitOK {
		t.Fatal(both.errors)
	}
	all := len(parseList(t, both.out).Items)
	// One of the two as functionConfig, as with two pipeline steps of kpt.
	one := call(t, strings.Replace(again(t, both.out), "items:\n", "functionConfig:\n"+indent(inFile(small, "a/stack.yaml"), "  ")+"items:\n", 1))
	if one.code != exitOK {
		t.Fatal(one.errors)
	}
	if got := len(parseList(t, one.out).Items); got != all {
		t.Errorf("%d items of %d are left", got, all)
	}
}

func TestInPlaceRemovesWhatAStackLeft(t *testing.T) {
	other := strings.ReplaceAll(small, "name: llama", "name: qwen")
	both := call(t, resources("", inFile(small, "a/stack.yaml"), inFile(other, "b/stack.yaml")))
	var l struct {
		Items []yaml.Node `yaml:"items"`
	}
	if err := yaml.Unmarshal([]byte(both.out), &l); err != nil {
		t.Fatal(err)
	}
	var items []string
	for _, n := range l.Items {
		text, _ := yaml.Marshal(&n)
		if !strings.Contains(string(text), "kind: InferenceStack") || !strings.Contains(string(text), "name: qwen") {
			items = append(items, string(text))
		}
	}
	got := call(t, resources("", items...))
	if got.code != exitOK {
		t.Fatal(got.errors)
	}
	for _, name := range names(parseList(t, got.out)) {
		if strings.Contains(name, "qwen") {
			t.Errorf("%s of a stack that is gone is left", name)
		}
	}
}

func TestInPlaceFollowsAStackToAnotherNamespace(t *testing.T) {
	first := call(t, resources("", inFile(small, "stack.yaml")))
	moved := strings.ReplaceAll(again(t, first.out), "namespace: inference\n", "namespace: elsewhere\n")
	for _, config := range []string{"", inFile(strings.Replace(small, "inference\nspec", "elsewhere\nspec", 1), "stack.yaml")} {
		input := moved
		if config != "" {
			input = strings.Replace(moved, "items:\n", "functionConfig:\n"+indent(config, "  ")+"items:\n", 1)
		}
		got := call(t, input)
		if got.code != exitOK {
			t.Fatal(got.errors)
		}
		l := parseList(t, got.out)
		if diff := cmp.Diff(names(parseList(t, first.out)), names(l)); diff != "" {
			t.Error(diff)
		}
		for _, item := range l.Items[1:] {
			if owner := annotationsOf(item)[generatedBy]; owner != "InferenceStack/elsewhere/llama" {
				t.Errorf("%v belongs to %v", item["kind"], owner)
			}
		}
	}
}

func TestInPlaceRefusesAFileThatIsTaken(t *testing.T) {
	squatter := inFile(foreign[strings.Index(foreign, "api"):], "generated/llama/deployment_llama-decode.yaml")
	got := call(t, resources("", squatter, inFile(small, "stack.yaml")))
	if got.code != exitError || !strings.Contains(got.errors, `is to be written to generated/llama/deployment_llama-decode.yaml, which holds ConfigMap "theirs"`) {
		t.Errorf("exit %d:\n%s", got.code, got.errors)
	}
}
