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
	cmd.Env = append(append(os.Environ(), "PATH="+path), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", script, err, out)
	}
	return string(out)
}

// checkDiff looks for what the change does to the objects, and for nothing else.
func checkDiff(t *testing.T, diff string) {
	t.Helper()
	for _, want := range []string{"-  replicas: 1\n+  replicas: 7", "deployment_other-decode.yaml", "kustomization.yaml"} {
		if !strings.Contains(diff, want) {
			t.Errorf("the diff lacks %q", want)
		}
	}
	if strings.Contains(diff, "llama-epp.yaml |") {
		t.Error("the diff has an object that did not change")
	}
}

func TestGitHubActionsSteps(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct {
			Env   map[string]string
			Steps []struct{ Name, Run string }
		}
	}
	readYAML(t, filepath.Join(gitops, "github-actions/stacks.yaml"), &workflow)
	dir, temp := t.TempDir(), t.TempDir()
	job := workflow.Jobs["stacks"]
	env := []string{
		"RUNNER_TEMP=" + temp, "GITHUB_STEP_SUMMARY=" + filepath.Join(temp, "summary.md"),
		"STACKS=" + job.Env["STACKS"], "BASE=" + history(t, dir),
	}
	ran := ""
	for _, step := range job.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %s pastes an expression into a script", step.Name)
		}
		if step.Run != "" && step.Name != "install" && step.Name != "comment" { // they need the network
			sh(t, dir, step.Run, env)
			ran += step.Name + " "
		}
	}
	if ran != "validate render diff " {
		t.Errorf("ran %s", ran)
	}
	checkDiff(t, readText(t, filepath.Join(temp, "summary.md")))
}

func TestGitLabScript(t *testing.T) {
	var pipeline map[string]struct {
		Variables map[string]string
		Script    []string
	}
	readYAML(t, filepath.Join(gitops, "gitlab-ci/.gitlab-ci.yml"), &pipeline)
	dir := t.TempDir()
	job := pipeline["stacks"]
	env := []string{"STACKS=" + job.Variables["STACKS"], "CI_MERGE_REQUEST_DIFF_BASE_SHA=" + history(t, dir)}
	sh(t, dir, strings.Join(job.Script, "\n"), env)
	checkDiff(t, readText(t, filepath.Join(dir, "objects.diff")))
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
