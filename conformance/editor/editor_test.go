package editor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
)

var table = report.New("editors", "file", "marks")

func TestMain(m *testing.M) { report.Main(m, table) }

// schemas writes both schemas into a directory of their own.
func schemas(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, args := range map[string][]string{"stack.json": {"schema"}, "partial.json": {"schema", "--partial"}} {
		if err := os.WriteFile(filepath.Join(dir, name), product.Run(t, args...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func modeline(schema string) string { return "# yaml-language-server: $schema=./" + schema + "\n" }

// TestExamples opens every example's stacks: nothing is marked.
func TestExamples(t *testing.T) {
	server := Start(t, schemas(t))
	for _, example := range product.Examples(t) {
		for _, file := range example.Inputs {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), "kind: InferenceStack") {
				continue
			}
			marks := server.Open(strings.ReplaceAll(example.Name, "/", "-")+"-"+filepath.Base(file), modeline("stack.json")+string(text))
			for _, m := range marks {
				t.Errorf("%s:%d: %s", example.Name, m.Line-1, m.Message)
			}
			table.Row(t, "examples/"+example.Name, len(marks))
		}
	}
}

const stack = `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: llama}
spec:
  model: {name: org/model}
`

// TestMistakes has one mistake a text, in the line behind the stack's five and the modeline.
func TestMistakes(t *testing.T) {
	server := Start(t, schemas(t))
	for name, c := range map[string]struct{ text, says string }{
		"an unknown field":     {"  scheduler: {presett: default}", "presett"},
		"a value not listed":   {"  server: {engine: vlm}", "vllm"},
		"a type":               {"  decode: {replicas: many}", "integer"},
		"a bound":              {"  decode: {replicas: -1}", "0"},
		"a quantity":           {"  server: {sharedMemory: 8G i}", "pattern"},
		"a field of a pod":     {"  server: {tolerations: [{operater: Exists}]}", "operater"},
		"a field of a probe":   {"  server: {containers: [{name: a, image: a, startupProbe: {periodSecond: 3}}]}", "periodSecond"},
		"a field of a volume":  {"  server: {volumes: [{name: a, emptyDri: {}}]}", "emptyDri"},
		"a number of an env":   {"  server: {env: [{name: A, value: 3}]}", "string"},
		"a section not listed": {"  prefil: {}", "prefil"},
	} {
		t.Run(name, func(t *testing.T) {
			marks := server.Open(strings.ReplaceAll(name, " ", "-")+".yaml", modeline("stack.json")+stack+c.text+"\n")
			if len(marks) == 0 || marks[0].Line != 7 || !strings.Contains(marks[0].Message, c.says) {
				t.Errorf("%s: %v", c.text, marks)
			}
			table.Row(t, c.text, len(marks))
		})
	}
}

// TestPartial opens patches: nothing is required, null removes a field, and mistakes are marked still.
func TestPartial(t *testing.T) {
	server := Start(t, schemas(t))
	const patch = "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: llama}\nspec:\n"
	for name, c := range map[string]struct {
		text  string
		marks int
	}{"a field": {"  decode: {replicas: 3}", 0}, "a removal": {"  prefill: null", 0}, "a mistake": {"  decode: {replica: 3}", 1}} {
		marks := server.Open(strings.ReplaceAll(name, " ", "-")+".yaml", modeline("partial.json")+patch+c.text+"\n")
		if len(marks) != c.marks {
			t.Errorf("%s: %v", c.text, marks)
		}
	}
}

// TestHoverAndCompletion asks for what editors show at the cursor: the text of a field, and the values that it takes.
func TestHoverAndCompletion(t *testing.T) {
	server := Start(t, schemas(t))
	server.Open("cursor.yaml", modeline("stack.json")+stack+"  server:\n    engine: \n")
	at := func(line, character int) map[string]any {
		return map[string]any{"textDocument": map[string]any{"uri": server.uri("cursor.yaml")}, "position": map[string]any{"line": line, "character": character}}
	}
	var hover struct {
		Contents struct {
			Value string `json:"value"`
		} `json:"contents"`
	}
	server.Ask("textDocument/hover", at(7, 6), &hover)
	if !strings.Contains(hover.Contents.Value, "serves the model") {
		t.Errorf("engine: %q", hover.Contents.Value)
	}
	var completion struct {
		Items []struct {
			Label string `json:"label"`
		} `json:"items"`
	}
	server.Ask("textDocument/completion", at(7, 12), &completion)
	labels := map[string]bool{}
	for _, item := range completion.Items {
		labels[item.Label] = true
	}
	for _, want := range []string{"vllm", "simulator", "sglang"} {
		if !labels[want] {
			t.Errorf("%s is not proposed: %v", want, labels)
		}
	}
}
