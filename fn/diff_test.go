package fn

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, map[string]string{"stack.yaml": small, "secret.yaml": "token"})
	commands := [][]string{{"init", "-q"}, {"add", "stack.yaml"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "a"}}
	for _, args := range commands {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Skipf("git %v: %v %s", args, err, out)
		}
	}
	if got := call(t, "", "diff", "git:HEAD", "stack.yaml"); got != (outcome{0, "no differences\n", ""}) {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "render", "stack.yaml", "-o", "deploy"); got.code != 0 {
		t.Fatal(got.errors)
	}
	if got := call(t, "", "diff", "deploy", "git:HEAD:stack.yaml"); got != (outcome{0, "no differences\n", ""}) {
		t.Errorf("rendered against compiled: %+v", got)
	}
	write(t, dir, map[string]string{"stack.yaml": small + "  decode:\n    replicas: 3\n"})
	for _, old := range []string{"git:HEAD", "git:HEAD:stack.yaml", "deploy"} {
		got := call(t, "", "diff", old, "stack.yaml")
		if got.code != 1 || got.errors != "" || !strings.Contains(got.out, "    spec.replicas: 1 -> 3\n") || !strings.HasSuffix(got.out, "1 object differs: 1 changed in place\n") {
			t.Errorf("%s: %+v", old, got)
		}
	}
	if got := call(t, "", "diff", "git:HEAD", ".", "--output", "markdown"); got.code != exitUsage || !strings.Contains(got.errors, "secret.yaml:1:1: not a Kubernetes object") {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{"git:nowhere", "stack.yaml"}, {"missing.yaml", "stack.yaml"}, {"git:--help", "stack.yaml"}, {"git:HEAD", "-"}, {"stack.yaml"}, {"stack.yaml", "stack.yaml", "--output", "xml"}} {
		if got := call(t, small, append([]string{"diff"}, args...)...); got.code != exitUsage || got.out != "" || !strings.HasPrefix(got.errors, "error: ") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// TestDiffTrees compares directories with the directories in them, as a pull request has them.
func TestDiffTrees(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	base := history(t, dir)
	write(t, dir, map[string]string{"empty/a/README.md": "a", "empty/b/README.md": "b", "stacks/.hidden/x.yaml": "{"})
	if got := call(t, "", "diff", "git:"+base, "stacks/"); got.code != 1 || !strings.Contains(got.out, "    spec.replicas: 1 -> 7\n") || !strings.Contains(got.out, "\nis added\n") || strings.Contains(got.out, "is removed") {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "diff", "git:HEAD", "stacks"); got != (outcome{0, "no differences\n", ""}) {
		t.Errorf("%+v", got)
	}
	added := call(t, "", "diff", "git:"+base, "stacks/other")
	if added.code != 1 || !strings.HasPrefix(added.out, "is added\n") {
		t.Errorf("%+v", added)
	}
	if removed := call(t, "", "diff", "git:HEAD:stacks/other", "git:"+base); removed.code != 1 || !strings.Contains(removed.out, "is removed\n") || strings.Contains(removed.out, "is added") {
		t.Errorf("%+v", removed)
	}
	if err := os.RemoveAll("stacks/other"); err != nil {
		t.Fatal(err)
	}
	if removed := call(t, "", "diff", "git:HEAD", "stacks/other"); removed.code != 1 || !strings.Contains(removed.out, "is removed\n") || strings.Contains(removed.out, "is added") {
		t.Errorf("%+v", removed)
	}
	for _, args := range [][]string{
		{"git:HEAD", "stacks/typo"}, {"git:HEAD:stacks/typo", "stacks"}, {"git:nowhere", "stacks"},
		{"git:HEAD", t.TempDir()}, {"empty/a", "empty/b"}, {"git:HEAD", "empty"},
	} {
		if got := call(t, "", append([]string{"diff"}, args...)...); got.code != exitUsage || got.out != "" || got.errors == "" {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// TestDiffBelow runs in a directory of the repository: a path is meant from there, as git
// takes it, and nothing of the directory is missing in the revision.
func TestDiffBelow(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	base := history(t, dir)
	t.Chdir("stacks")
	same := outcome{0, "no differences\n", ""}
	for _, args := range [][]string{
		{"git:HEAD", "."}, {"git:HEAD", "./"}, {"git:HEAD", "llama"}, {"git:HEAD", "./llama/"}, {"git:HEAD", ".."}, {"git:HEAD", "../stacks"},
		{"git:HEAD:.", "."}, {"git:HEAD:llama", "llama"}, {"git:HEAD", dir}, {".", "git:HEAD"}, {"git:HEAD", "llama/stack.yaml"},
	} {
		if got := call(t, "", append([]string{"diff"}, args...)...); got != same {
			t.Errorf("%v: %+v", args, got)
		}
	}
	t.Chdir("llama")
	if got := call(t, "", "diff", "git:HEAD", "../.."); got != same {
		t.Errorf("two up: %+v", got)
	}
	t.Chdir("..")
	changed := call(t, "", "diff", "git:"+base, "llama")
	if changed.code != 1 || !strings.Contains(changed.out, "    spec.replicas: 1 -> 7\n") || strings.Contains(changed.out, "is added") {
		t.Errorf("%+v", changed)
	}
}

// TestDiffLinks: a link to a file is that file in a revision as it is in a directory, and one
// that leads out of the revision is an error.
func TestDiffLinks(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	history(t, dir)
	const commit = "git add -A && git -c user.name=a -c user.email=a@b commit -qm c"
	sh(t, dir, "mkdir -p stacks/linked 'stacks/two words' && printf '' > 'stacks/two words/empty.yaml' && "+
		"mv stacks/other/stack.yaml stacks/other.txt && ln -s ../other.txt stacks/linked/stack.yaml && "+commit, nil)
	if got := call(t, "", "diff", "git:HEAD", "stacks"); got != (outcome{0, "no differences\n", ""}) {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "diff", "git:HEAD~1:stacks", "git:HEAD:stacks"); got != (outcome{0, "no differences\n", ""}) {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "diff", "git:HEAD:stacks/linked/stack.yaml", "stacks/linked/stack.yaml"); got != (outcome{0, "no differences\n", ""}) {
		t.Errorf("%+v", got)
	}
	sh(t, dir, "ln -sf /nowhere stacks/linked/stack.yaml && "+commit, nil)
	if got := call(t, "", "diff", "git:HEAD:stacks", "git:HEAD~1:stacks"); got.code != exitUsage || !strings.Contains(got.errors, "stacks/linked/stack.yaml: a link to no file of the revision") {
		t.Errorf("%+v", got)
	}
}
