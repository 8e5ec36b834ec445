package guides

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/likeness"
	"github.com/inferstack/inferstack/internal/long"
)

const page = "../../docs/well-lit-paths.md"

const pageIntro = `# Well-lit paths

Made by a test. Each of these stacks says what a guide of llm-d or a sample of KServe does, in fields: none has
arguments, a patch or a piece of a pod. The test compares its objects with those of the guide, the sample's as
KServe's controller v0.20.0 makes them, and keeps a reason for every difference in
[differences.yaml](../testdata/guides/stacks/differences.yaml). Of the router of llm-d's guides, which Helm renders,
it compares what their values say.

*configuration* is a whole EndpointPickerConfig, where the guide has one of its own and no preset is the same.
*variables* are those of NCCL, NVSHMEM, UCX, PyTorch and vLLM that no field speaks of.

| stack | after | objects, guide's and stack's | differences | configuration | variables |
|---|---|---|---|---|---|
`

// TestGoldenPage holds the page to the stacks. make test tries a part of the rows, and all that stands around them.
func TestGoldenPage(t *testing.T) {
	have, _ := os.ReadFile(page) // UPDATE_GOLDEN makes it
	var out strings.Builder
	out.WriteString(pageIntro)
	for i, file := range files(t) {
		if !long.Part(i, 6) {
			out.WriteString(rowOf(string(have), file))
			continue
		}
		name := filepath.Base(filepath.Dir(file))
		g := read(t, name, reasonsOf(t, "warnings.yaml"))
		fmt.Fprintf(&out, "| [%[1]s](../testdata/guides/stacks/%[1]s/stack.yaml) | %s | %d, %d | %d | %s | %d |\n",
			name, source(t, file), count(t, g.theirs), count(t, g.ours), len(g.differences(t)), yes(g.spec.Spec.Scheduler.Config != nil), variables(g.document.Node))
	}
	out.WriteString(kinds(t))
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(page, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if string(have) != out.String() {
		t.Errorf("docs/well-lit-paths.md is not current; make golden rewrites it:\n%s", out.String())
	}
}

// rowOf is the line of the page about a stack.
func rowOf(page, file string) string {
	for line := range strings.Lines(page) {
		if strings.Contains(line, "](../testdata/guides/stacks/"+filepath.Base(filepath.Dir(file))+"/stack.yaml)") {
			return line
		}
	}
	return "no row of " + file + "\n"
}

// source is what the first line of a stack names.
func source(t *testing.T, file string) string {
	t.Helper()
	first, _, _ := strings.Cut(string(content(t, file)), "\n")
	return strings.ReplaceAll(strings.TrimPrefix(first, "# source: "), "|", "or")
}

func count(t *testing.T, data []byte) int {
	t.Helper()
	objects, err := likeness.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return len(objects)
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return ""
}

// variables counts the entries of env.
func variables(n *yaml.Node) int {
	total := 0
	for i, e := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && e.Value == "env" {
			total += len(n.Content[i+1].Content)
		}
		total += variables(e)
	}
	return total
}

// kinds lists the reasons of the table by their kind.
func kinds(t *testing.T) string {
	t.Helper()
	var order []string
	rows := map[string][]string{}
	for _, r := range reasonsOf(t, "differences.yaml") {
		if rows[r.Kind] == nil {
			order = append(order, r.Kind)
		}
		rows[r.Kind] = append(rows[r.Kind], r.Why)
	}
	var out strings.Builder
	out.WriteString("\n## Why the objects differ\n")
	for _, kind := range order {
		fmt.Fprintf(&out, "\n%s:\n\n", strings.ToUpper(kind[:1])+kind[1:])
		for _, why := range rows[kind] {
			fmt.Fprintf(&out, "- %s\n", why)
		}
	}
	return out.String()
}
