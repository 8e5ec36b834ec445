package product

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/conformance/manifests"
)

// Stacks are the InferenceStacks of an example as a person edits them.
type Stacks []map[string]any

// Stacks reads the inputs of the example.
func (e Example) Stacks(t testing.TB) Stacks {
	t.Helper()
	var list Stacks
	for _, input := range e.Inputs {
		for _, object := range manifests.File(t, input) {
			list = append(list, object.Object)
		}
	}
	return list
}

// Edit returns the stacks with a JSON merge patch, written as YAML, over each of them: null takes a field out.
func (s Stacks) Edit(t testing.TB, patch string) Stacks {
	t.Helper()
	var edited Stacks
	for _, stack := range s {
		var changes map[string]any
		if err := yaml.Unmarshal([]byte(patch), &changes); err != nil {
			t.Fatalf("%s: %v", patch, err)
		}
		edited = append(edited, merge(stack, changes))
	}
	return edited
}

func merge(object, patch map[string]any) map[string]any {
	merged := map[string]any{}
	for key, value := range object {
		merged[key] = value
	}
	for key, value := range patch {
		inner, isMap := value.(map[string]any)
		switch {
		case value == nil:
			delete(merged, key)
		case isMap:
			below, _ := merged[key].(map[string]any)
			merged[key] = merge(below, inner)
		default:
			merged[key] = value
		}
	}
	return merged
}

// Write puts the stacks into a file and returns its path.
func (s Stacks) Write(t testing.TB) string {
	t.Helper()
	var content bytes.Buffer
	for _, stack := range s {
		document, err := yaml.Marshal(stack)
		if err != nil {
			t.Fatal(err)
		}
		content.WriteString("---\n")
		content.Write(document)
	}
	path := filepath.Join(t.TempDir(), "stack.yaml")
	if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Try runs the program and returns what it printed on both outputs and how it ended.
func Try(t testing.TB, args ...string) (output, said []byte, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), Binary(t), args...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err = cmd.Run()
	return out.Bytes(), stderr.Bytes(), err
}

// Difference is what inferstack diff says of one object.
type Difference struct {
	Risk, Group, Kind, Namespace, Name string
}

// Diff compares two files of stacks or manifests.
func Diff(t testing.TB, old, next string) []Difference {
	t.Helper()
	output, said, err := Try(t, "diff", old, next, "--output", "json")
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("inferstack diff: %v\n%s", err, said)
	}
	var result struct{ Differences []Difference }
	if err := json.Unmarshal(output, &result); err != nil {
		t.Fatalf("inferstack diff: %v", err)
	}
	return result.Differences
}
