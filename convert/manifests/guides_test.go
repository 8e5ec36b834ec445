package manifests

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/diff"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

const byhand = "../../testdata/byhand/"

// An explanation of differences.
type explanation struct{ Pattern, Why string }

// TestGoldenGuides has objects as llm-d's guides write them, and the routers of their values: the
// stack that is found for each, which must be one, and what is left of the difference, which must
// be explained.
func TestGoldenGuides(t *testing.T) {
	var explained []explanation
	data, err := os.ReadFile(byhand + "explained.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &explained); err != nil {
		t.Fatal(err)
	}
	used := make([]bool, len(explained))
	guides, _ := filepath.Glob(byhand + "*/objects.yaml")
	if len(guides) == 0 {
		t.Fatal("no guides")
	}
	for i, file := range guides {
		if !long.Part(i+4, 8) {
			continue
		}
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			found := stackOf(t, file, Options{})
			for _, d := range found.Left {
				for _, line := range lines(d) {
					known := false
					for i, e := range explained {
						if regexp.MustCompile(e.Pattern).MatchString(line) {
							known, used[i] = true, true
						}
					}
					if !known {
						t.Errorf("no explanation of: %s %s", d.ID, line)
					}
				}
			}
			golden(t, filepath.Dir(file)+"/stack.yaml", found.Node)
		})
	}
	for i, e := range explained {
		if long.All() && !used[i] && !t.Failed() {
			t.Errorf("explains nothing: %s", e.Pattern)
		}
	}
}

func content(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// converted is what is found for objects, of which none may be wrong.
func converted(t *testing.T, data []byte, opt Options) Result {
	t.Helper()
	docs, problems := document.Read("objects.yaml", data)
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	r := Convert(docs, opt)
	if len(r.Problems.Errors()) > 0 {
		t.Fatal(r.Problems)
	}
	return r
}

// stackOf is the only stack of a file.
func stackOf(t *testing.T, file string, opt Options) Stack {
	t.Helper()
	return onlyStack(t, converted(t, content(t, file), opt))
}

// convertedFile is what is found for the objects of a file, which several tests look at: a conversion is slow.
func convertedFile(t *testing.T, file string, opt Options) Result {
	t.Helper()
	key := fmt.Sprint(file, opt)
	if r, known := convertedFiles[key]; known {
		return r
	}
	convertedFiles[key] = converted(t, content(t, file), opt)
	return convertedFiles[key]
}

var convertedFiles = map[string]Result{}

// onlyStack is the stack of a result, which must have one.
func onlyStack(t *testing.T, r Result) Stack {
	t.Helper()
	if len(r.Stacks) != 1 {
		t.Fatal(len(r.Stacks), r.Problems)
	}
	if spec, problems := rules.Parse(r.Stacks[0].Node, schema.Source{}); spec == nil {
		t.Fatal(problems)
	}
	return r.Stacks[0]
}

// lines are the differences of an object.
func lines(d diff.Difference) []string {
	if len(d.Changes) == 0 {
		return []string{d.Kind + " " + map[bool]string{true: "added", false: "removed"}[d.Risk == diff.Adds]}
	}
	var out []string
	for _, c := range d.Changes {
		change := fmt.Sprintf("%v -> %v", c.Old, c.New)
		switch {
		case c.Old == nil:
			change = fmt.Sprintf("+%v", c.New)
		case c.New == nil:
			change = fmt.Sprintf("-%v", c.Old)
		}
		if strings.HasPrefix(fmt.Sprint(c.Old), "in the order") {
			change = fmt.Sprintf("%q", c.Old)
		}
		out = append(out, d.Kind+" "+c.Path+": "+change)
	}
	return out
}

// golden compares a stack with a file; UPDATE_GOLDEN=1 writes it.
func golden(t *testing.T, file string, stack *yaml.Node) {
	t.Helper()
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(stack); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != out.String() {
		t.Errorf("another stack than in %s: %v\n%s", file, err, out.String())
	}
}
