package main

import (
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
