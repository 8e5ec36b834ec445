package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestGitopsIsYAML decodes every file of the roads, and asks for their READMEs.
func TestGitopsIsYAML(t *testing.T) {
	err := filepath.WalkDir(gitops, func(path string, _ fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); ext == ".yaml" || ext == ".yml" {
			if len(objectsIn(t, readText(t, path))) == 0 {
				t.Errorf("%s is empty", path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	roads, _ := filepath.Glob(gitops + "/*/")
	for _, road := range roads {
		readText(t, filepath.Join(road, "README.md"))
	}
}

// history makes a repository with a stack, and then one more replica and one more stack;
// it returns the first commit.
func history(t *testing.T, dir string) string {
	t.Helper()
	write(t, dir, map[string]string{"stacks/llama/stack.yaml": small})
	const commit = "git add -A && git -c user.name=a -c user.email=a@b commit -qm c"
	sh(t, dir, "git init -q && "+commit, nil)
	base := strings.TrimSpace(sh(t, dir, "git rev-parse HEAD", nil))
	write(t, dir, map[string]string{
		"stacks/README.md":        "a file beside the stacks",
		"stacks/llama/stack.yaml": small + "  decode: {replicas: 7}\n",
		"stacks/other/stack.yaml": strings.ReplaceAll(small, "llama", "other"),
	})
	sh(t, dir, commit, nil)
	return base
}

// sh runs a script as a CI does.
func sh(t *testing.T, dir, script string, env []string) string {
	t.Helper()
	cmd := exec.Command("bash", "-eo", "pipefail", "-c", script)
	cmd.Dir = dir
	path := filepath.Dir(binary(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, entry := range env {
		if fake, ok := strings.CutPrefix(entry, "FAKE="); ok {
			path = fake + string(os.PathListSeparator) + path
		}
	}
	cmd.Env = append(append(os.Environ(), "PATH="+path), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", script, err, out)
	}
	return string(out)
}

// TestPublishRenders runs the step of the Flux road that is Inferstack's.
func TestPublishRenders(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"stack.yaml": readText(t, filepath.Join(gitops, "flux/stack.yaml"))})
	step := regexp.MustCompile(`(?m)run: (inferstack .*)$`).FindStringSubmatch(readText(t, filepath.Join(gitops, "flux/publish.yaml")))
	sh(t, dir, step[1], nil)
	if list := readText(t, filepath.Join(dir, "deploy/kustomization.yaml")); !strings.Contains(list, "inferencepool_qwen.yaml") {
		t.Error(list)
	}
}
