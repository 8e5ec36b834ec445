package fn

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	sigsyaml "sigs.k8s.io/yaml"
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

// TestHooks runs the hooks of pre-commit: each passes what is right and fails what is not.
func TestHooks(t *testing.T) {
	var hooks []struct{ ID, Entry, Files string }
	readYAML(t, "../.pre-commit-hooks.yaml", &hooks)
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"stack.yaml": small, "wrong.stack.yaml": strings.Replace(small, "spec:", "spec:\n  modle: {}", 1),
		"old/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "broken/a.yaml": "a: [",
	})
	sh(t, dir, "inferstack render stack.yaml -o deploy", nil)
	args := map[string][2]string{
		"inferstack-validate": {"stack.yaml", "wrong.stack.yaml"},
		"inferstack-check":    {"deploy", "broken"},
		"inferstack-render":   {"stack.yaml --check deploy", "stack.yaml --check old"},
	}
	for _, hook := range hooks {
		sh(t, dir, hook.Entry+" "+args[hook.ID][0], nil)
		sh(t, dir, "! "+hook.Entry+" "+args[hook.ID][1], nil)
		if hook.Files == "" {
			continue
		}
		files := regexp.MustCompile(hook.Files)
		for name, want := range map[string]bool{"stack.yaml": true, "a/stack.yml": true, "a/prod.stack.yaml": true, "stack-prod.yaml": true, "a/haystack.yaml": false, "values.yaml": false} {
			if files.MatchString(name) != want {
				t.Errorf("%s: %s %v", hook.ID, name, !want)
			}
		}
	}
	if len(hooks) != len(args) {
		t.Errorf("%d hooks", len(hooks))
	}
}

// TestPublish runs the steps of the Flux road but for the installations, with a flux that
// notes how it is called and what there is to push.
func TestPublish(t *testing.T) {
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]struct{ Steps []struct{ Name, Run string } }
	}
	readYAML(t, filepath.Join(gitops, "flux/publish.yaml"), &workflow)
	dir, flux := t.TempDir(), t.TempDir()
	write(t, dir, map[string]string{"stack.yaml": readText(t, filepath.Join(gitops, "flux/stack.yaml"))})
	script := "#!/bin/sh\nprintf '%s\\n' \"$*\" >> \"$FAKE/calls\"\nls deploy >> \"$FAKE/calls\"\n"
	if err := os.WriteFile(filepath.Join(flux, "flux"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	env := []string{"FAKE=" + flux, "CREDS=user:secret", "GITHUB_SHA=abc", "GITHUB_SERVER_URL=https://github.com", "GITHUB_REPOSITORY=team/stacks"}
	for _, step := range workflow.Jobs["publish"].Steps {
		if step.Run != "" && step.Name != "install" {
			sh(t, dir, step.Run, env)
		}
	}
	calls := readText(t, filepath.Join(flux, "calls"))
	for _, want := range []string{
		"push artifact oci://registry.example.com/stacks/qwen:abc --creds=user:secret --path=deploy --source=https://github.com/team/stacks --revision=main@sha1:abc\n",
		"\ninferencepool_qwen.yaml\nkustomization.yaml\n",
		"\ntag artifact oci://registry.example.com/stacks/qwen:abc --creds=user:secret --tag main\n",
	} {
		if !strings.Contains(calls, want) {
			t.Errorf("%q is not in\n%s", want, calls)
		}
	}
	var source struct {
		Spec struct {
			URL string
			Ref struct{ Tag string }
		}
	}
	text, _, _ := strings.Cut(readText(t, filepath.Join(gitops, "flux/cluster/qwen.yaml")), "\n---\n")
	if err := sigsyaml.Unmarshal([]byte(text), &source); err != nil || source.Spec.URL != "oci://registry.example.com/stacks/qwen" || source.Spec.Ref.Tag != "main" {
		t.Errorf("Flux pulls %+v (%v)", source, err)
	}
}

// TestCatalogueEntry: what the entry of the KRM functions catalogue points to is there.
func TestCatalogueEntry(t *testing.T) {
	var entry struct {
		Image, Description, SourceURL, License string
		ExamplePackageURLs, Tags               []string
	}
	readYAML(t, filepath.Join(gitops, "kpt/metadata.yaml"), &entry)
	if entry.Image == "" || entry.Description == "" || entry.License == "" || len(entry.Tags) == 0 || len(entry.ExamplePackageURLs) == 0 {
		t.Errorf("incomplete: %+v", entry)
	}
	if !strings.Contains(readText(t, "../LICENSE"), "Apache License") || entry.License != "Apache-2.0" {
		t.Errorf("licence %s", entry.License)
	}
	for _, url := range append(entry.ExamplePackageURLs, entry.SourceURL) {
		path, ours := strings.CutPrefix(url, "https://github.com/inferstack/inferstack/tree/main/")
		if info, err := os.Stat(filepath.Join("..", path)); !ours || err != nil || !info.IsDir() {
			t.Errorf("%s: %v", url, err)
		}
	}
}
