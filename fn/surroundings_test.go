package fn

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestMalformedResourceList refuses what others take for an empty list.
func TestMalformedResourceList(t *testing.T) {
	const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
	for input, says := range map[string]string{
		head + "items: x\n":                   "items must be a list",
		head + "items: {a: b}\n":              "items must be a list",
		head + "items: []\nresults: x\n":      "results must be a list",
		head + "items: []\nresults: {a: b}\n": "results must be a list",
		"apiVersion: config.kubernetes.io/v2\nkind: ResourceList\nitems: []\n": "apiVersion of a ResourceList must be config.kubernetes.io/v1",
		"kind: ResourceList\nitems: []\n":                                      "apiVersion of a ResourceList must be config.kubernetes.io/v1",
	} {
		if got := call(t, input); got.code != exitError || !strings.Contains(got.errors, says) {
			t.Errorf("%q: exit %d: %s", input, got.code, got.errors)
		}
	}
	for _, input := range []string{head + "items:\nresults:\nfunctionConfig:\n" + indent(small, "  "), resources(small)} {
		if got := call(t, input); got.code != exitOK {
			t.Errorf("%q: exit %d: %s", input, got.code, got.errors)
		}
	}
}

// TestNothingFromOutsideIsPrintedRaw names keys, values and files so that a log would read
// a workflow command in them, or a terminal an escape sequence, and puts tokens in clear.
func TestNothingFromOutsideIsPrintedRaw(t *testing.T) {
	const token = "hf_abcdefghijklmnopqrstuvwxyz"
	dir := t.TempDir()
	key := small + "  \"x\\n::error file=foo::bar\\e[31m " + token + "\": 1\n"
	file := filepath.Join(dir, "a\n::error::b.yaml")
	if err := os.WriteFile(file, []byte(key), 0o600); err != nil {
		t.Skip("the file system does not take such a name")
	}
	secret := filepath.Join(dir, "token.yaml")
	if err := os.WriteFile(secret, []byte("opaque-token-value\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := small + "  decode: {env: [{name: T, value: " + token + "}]}\n"
	deployment := "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i:1, env: [{name: T, value: " + token + "}]}]}\n"
	old, now := filepath.Join(dir, "old.yaml"), filepath.Join(dir, "new.yaml")
	for name, text := range map[string]string{old: deployment, now: strings.ReplaceAll(deployment, token, token+"x")} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		nil, {"render", file}, {"validate", file}, {"graph", file}, {"check", file}, {"convert", file}, {"render", file + "\x1b"},
		{"check", "-o", "json", file}, {"check", "-o", "sarif", file}, {"check", "-o", "github", file}, {"diff", file, file},
		{"validate", secret}, {"render", secret}, {"status", secret}, {"check", secret},
		{"diff", old, now}, {"diff", "-o", "json", old, now}, {"diff", "-o", "markdown", old, now},
		{"graph", "-o", "html", old}, {"graph", "-o", "svg", old}, {"graph", "-o", "mermaid", old}, {"graph", "-o", "dot", old},
	} {
		stdin := ""
		if args == nil {
			stdin = resources("", inFile(env, "stack.yaml"), key)
		}
		got := call(t, stdin, args...)
		all := got.errors + got.out
		if args == nil {
			all = got.errors // what it was handed, the function hands back
		}
		for line := range strings.SplitSeq(got.errors, "\n") {
			if strings.HasPrefix(line, "::error") {
				t.Errorf("%q: writes a line %q", args, line)
			}
		}
		for _, bad := range []string{"\x1b[31m", token, "opaque-token-value"} {
			if strings.Contains(all, bad) {
				t.Errorf("%q: writes %q:\n%.2000s", args, bad, all)
			}
		}
	}
}

// TestOutputIsStandardOutput keeps the habit of -o -.
func TestOutputIsStandardOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	want := call(t, small, "render", "-")
	if got := call(t, small, "render", "-", "-o", "-"); got != want {
		t.Errorf("render -o - differs from render:\n%+v", got)
	}
	if _, err := os.Stat("-"); err == nil {
		t.Error("render -o - makes a directory")
	}
}

// TestPipeWithoutReader does not wait for a reader that never comes.
func TestPipeWithoutReader(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("named pipes are made by mkfifo here")
	}
	fifo := filepath.Join(t.TempDir(), "fifo")
	if out, err := exec.Command("mkfifo", fifo).CombinedOutput(); err != nil {
		t.Skipf("mkfifo: %v %s", err, out)
	}
	if got := call(t, small, "graph", "-", "-w", fifo); got.code != exitError {
		t.Errorf("exit %d: %s", got.code, got.errors)
	}
}

// TestPromisorRemote compares with a revision whose objects git would have to fetch by a
// program that the repository names.
func TestPromisorRemote(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"stack.yaml": small})
	ran := promisor(t, "stack.yaml")
	if got := call(t, "", "diff", "git:HEAD:stack.yaml", "stack.yaml"); got.code != exitUsage {
		t.Errorf("exit %d: %s%s", got.code, got.out, got.errors)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("git ran the program of a promisor remote")
	}
}

// TestRevisionIsReadInPart compares what needs nothing of what a repository lacks, as one that was
// cloned without blobs does; what it needs is not fetched.
func TestRevisionIsReadInPart(t *testing.T) {
	overlaid(t)
	write(t, ".", map[string]string{
		"other/a.yaml": small, "base/sub/kustomization.yaml": "resources: []\n", "clusters/eu/parts/eu.yaml": "resources:\n- ../../base\n",
		"clusters/plain/pool.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
	})
	if err := os.Symlink("parts/eu.yaml", "clusters/eu/kustomization.yaml"); err != nil {
		t.Skip(err)
	}
	ran := promisor(t, "other/a.yaml")
	for _, name := range []string{prod, "base", "clusters/eu", "clusters/plain"} {
		if got := call(t, "", "diff", "git:HEAD", name); got.code != exitOK {
			t.Errorf("%s: exit %d: %s%s", name, got.code, got.out, got.errors)
		}
	}
	if got := call(t, "", "diff", "git:HEAD", "other"); got.code != exitUsage {
		t.Errorf("exit %d: %s%s", got.code, got.out, got.errors)
	}
	lose(t, "base/stack.yaml")
	if got := call(t, "", "diff", "git:HEAD", prod); got.code != exitUsage {
		t.Errorf("exit %d: %s%s", got.code, got.out, got.errors)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("git ran the program of a promisor remote")
	}
}

// gitAlone is git without a person's configuration.
func gitAlone(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_CONFIG_GLOBAL=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Skipf("git %v: %v %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// lose removes what a file holds from the repository.
func lose(t *testing.T, file string) {
	t.Helper()
	blob := gitAlone(t, "rev-parse", "HEAD:"+file)
	if err := os.Remove(filepath.Join(".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
}

// promisor commits the working directory to a repository that lacks a file and has a remote to fetch it
// from, by a program that leaves a file; it returns the name of that.
func promisor(t *testing.T, lost string) string {
	t.Helper()
	ran := filepath.Join(t.TempDir(), "ran")
	gitAlone(t, "init", "-q", "-b", "main")
	gitAlone(t, "add", ".")
	gitAlone(t, "commit", "-q", "-m", "a")
	lose(t, lost)
	for key, value := range map[string]string{
		"core.repositoryformatversion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
		"remote.origin.url": "ext::sh -c touch% " + ran, "protocol.ext.allow": "always",
	} {
		gitAlone(t, "config", key, value)
	}
	return ran
}

// TestStatusIsBounded gives status a mapping with one key a thousand times.
func TestStatusIsBounded(t *testing.T) {
	doc := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, uid: b}\ndata: {" + strings.Repeat("a: x, ", 1000) + "}\n"
	if got := call(t, doc, "status", "-"); got.code == exitOK || len(got.errors) > 64<<10 {
		t.Errorf("exit %d, %d bytes", got.code, len(got.errors))
	}
}
