package fn

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/dialogue"
)

// questions are those that inferstack-build asks of a kustomization.
func questions(t *testing.T, dir string) (all []dialogue.Generator) {
	t.Helper()
	builder, err := companion(binary(t), builderName)
	if err != nil {
		t.Fatal(err)
	}
	_, _, ended := converse(exec.Command(builder, dir), t.Output(), func(asked dialogue.Generator) dialogue.Answer {
		all = append(all, asked)
		return dialogue.Answer{}
	})
	if ended != nil {
		t.Fatal(dir, ended)
	}
	return all
}

// TestGuessesExamples has all questions on the examples guessed, and no others.
func TestGuessesExamples(t *testing.T) {
	files, err := filepath.Glob("../examples/*/kustomization.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		if diff := cmp.Diff(questions(t, dir), likely(dir)); diff != "" {
			t.Errorf("%s (- asked, + guessed)\n%s", dir, diff)
		}
	}
}

// TestGuesses has questions guessed that follow from the files alone, and leaves others out.
func TestGuesses(t *testing.T) {
	spelt := "# A stack\n" + small + "# The end\n"
	flow := "{apiVersion: inferstack.dev/v1alpha1, kind: InferenceStack, metadata: {namespace: 'a', name: \"b\", annotations: {z: '1', a: yes}}}\n"
	for name, c := range map[string]struct {
		tree map[string]string
		want int
	}{
		"in a file":            {map[string]string{"kustomization.yaml": "generators: [stack.yaml]\n", "stack.yaml": spelt}, 1},
		"in another form":      {map[string]string{"Kustomization": "generators: [stack.yaml]\n", "stack.yaml": flow}, 1},
		"two in a file":        {map[string]string{"kustomization.yml": "generators: [stack.yaml]\n", "stack.yaml": small + "---\n" + flow}, 2},
		"in a base":            {map[string]string{"kustomization.yaml": "resources: [in, in]\n", "in/kustomization.yaml": "generators: [stack.yaml]\n", "in/stack.yaml": small}, 1},
		"in a component":       {map[string]string{"kustomization.yaml": "components: [in]\n", "in/kustomization.yaml": "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\ngenerators: [stack.yaml]\n", "in/stack.yaml": small}, 1},
		"in a directory":       {map[string]string{"kustomization.yaml": "generators: [in]\n", "in/kustomization.yaml": "resources: [stack.yaml]\n", "in/stack.yaml": small}, 0},
		"written out":          {map[string]string{"kustomization.yaml": "generators:\n- |\n  " + flow}, 0},
		"that is not there":    {map[string]string{"kustomization.yaml": "generators: [stack.yaml]\n"}, 0},
		"beyond the directory": {map[string]string{"kustomization.yaml": "generators: [../stack.yaml]\n"}, 0},
		"of bad YAML":          {map[string]string{"kustomization.yaml": "generators: [stack.yaml]\n", "stack.yaml": "a: *b\n---\nc: {"}, 0},
		"as a resource":        {map[string]string{"kustomization.yaml": "resources: [stack.yaml]\n", "stack.yaml": small}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, c.tree)
			got := likely(dir)
			if len(got) != c.want {
				t.Fatalf("%d guesses: %v", len(got), got)
			}
			if c.want == 0 {
				return
			}
			if diff := cmp.Diff(questions(t, dir), got); diff != "" {
				t.Errorf("- asked, + guessed\n%s", diff)
			}
		})
	}
}
