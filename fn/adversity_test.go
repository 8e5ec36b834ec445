//go:build linux

package fn

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/long"
)

// larger makes other objects than small, and other content of those that both make.
const larger = small + "  gateway: {class: istio}\n  delivery:\n    labels: {team: search}\n"

// undisturbed is what a directory holds after a run that nothing disturbs.
func undisturbed(t *testing.T, stack string) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if got := renderTo(t, dir, stack); got.code != exitOK {
		t.Fatal(got.errors)
	}
	return files(t, dir)
}

// TestInterruptedIsWholeOrNothing sends a signal at each step of a run: the directory is as
// before or as it should be. A run that is killed is undone by the next.
func TestInterruptedIsWholeOrNothing(t *testing.T) {
	before, after := undisturbed(t, small), undisturbed(t, larger)
	hit := 0
	signals := []string{"KILL", "INT"}
	for i, signal := range signals {
		if !long.Part(i, len(signals)) {
			continue
		}
		for _, at := range []string{"mkdirat:1", "write:4", "renameat:1", "renameat:2", "renameat:last"} {
			call, when, _ := strings.Cut(at, ":")
			if when == "last" { // each file is written once, and moved once or twice
				when = fmt.Sprint(len(after))
			}
			dir := filepath.Join(t.TempDir(), "out")
			renderTo(t, dir, small)
			inject := []string{"-e", "trace=" + call, "-e", "inject=" + call + ":signal=" + signal + ":when=" + when}
			got, trace := strace(t, dir, larger, inject, "render", "-", "-o", dir)
			if strings.Contains(trace, "SIG"+signal) {
				hit++
			}
			if signal == "KILL" {
				if got := renderTo(t, dir, small); got.code != exitOK {
					t.Errorf("%s at %s: %s", signal, at, got.errors)
				}
			}
			have := files(t, dir)
			if !cmp.Equal(have, before) && !cmp.Equal(have, after) {
				t.Errorf("%s at %s: exit %d, %s\n%s", signal, at, got.code, got.errors, cmp.Diff(before, have))
			}
		}
	}
	if hit < long.Of(8, 2) {
		t.Errorf("only %d signals hit", hit)
	}
}

// TestFailingCalls makes each kind of system call fail once in the middle.
func TestFailingCalls(t *testing.T) {
	before := undisturbed(t, small)
	for _, c := range []struct{ inject, says string }{
		{"mkdirat:error=ENOSPC:when=1", "no space left on device; nothing was written"},
		{"write:error=ENOSPC:when=3", "no space left on device; nothing was written"},
		{"write:error=EDQUOT:when=5", "disk quota exceeded; nothing was written"},
		{"renameat:error=EIO:when=1", "input/output error; nothing was written"},
		{"renameat:error=ENOSPC:when=4", "no space left on device; nothing was written"},
		{"renameat:error=EIO:when=4+", "what was moved could not be moved back: look in " + stage},
		{"flock:error=ENOLCK:when=1", ""},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		renderTo(t, dir, small)
		call, _, _ := strings.Cut(c.inject, ":")
		var got outcome
		for range 10 { // calls are counted by thread, and a run may go on in another one
			got, _ = strace(t, dir, larger, []string{"-e", "trace=" + call, "-e", "inject=" + c.inject}, "render", "-", "-o", dir)
			if strings.Contains(got.errors, c.says) {
				break
			}
		}
		if c.says == "" {
			if got.code != exitOK {
				t.Errorf("%s: %s", c.inject, got.errors)
			}
			continue
		}
		if got.code != exitError || !strings.Contains(got.errors, c.says) {
			t.Errorf("%s: exit %d: %s", c.inject, got.code, got.errors)
		}
		if strings.Contains(c.says, stage) {
			renderTo(t, dir, small) // puts back what was left behind
		}
		if diff := cmp.Diff(before, files(t, dir)); diff != "" {
			t.Errorf("%s:\n%s", c.inject, diff)
		}
	}
}

// TestTwoRunsAtOnce has two runs write different things to one directory: one wins whole,
// and one that loses says so.
func TestTwoRunsAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	want := []map[string]string{undisturbed(t, small), undisturbed(t, larger)}
	for range 10 {
		var wg sync.WaitGroup
		var codes [2]int
		for i, stack := range []string{small, larger} {
			wg.Go(func() {
				cmd := exec.Command(binary(t), "render", "-", "-o", dir)
				cmd.Stdin = strings.NewReader(stack)
				said, _ := cmd.CombinedOutput()
				if codes[i] = cmd.ProcessState.ExitCode(); codes[i] != exitOK && !strings.Contains(string(said), errBusy.Error()+"; nothing was written") {
					t.Errorf("exit %d: %s", codes[i], said)
				}
			})
		}
		wg.Wait()
		have := files(t, dir)
		first, second := cmp.Equal(have, want[0]), cmp.Equal(have, want[1])
		whole := first && codes[0] == exitOK || second && codes[1] == exitOK
		if codes[0]+codes[1] > exitError || !whole {
			t.Fatalf("exits %v: %s", codes, cmp.Diff(want[0], have))
		}
	}
}

// TestFullDisk fills a small file system.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=160k"); err != nil {
		t.Skip("needs to mount: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, 0) })
	dir := filepath.Join(disk, "out")
	if got := renderTo(t, dir, small); got.code != exitOK {
		t.Fatal(got.errors)
	}
	stack := filepath.Join(disk, "stack.yaml")
	write(t, disk, map[string]string{"stack.yaml": small})
	if err := os.WriteFile(filepath.Join(disk, "filler"), make([]byte, 1<<20), 0o600); err == nil {
		t.Fatal("it is not full")
	}
	before := files(t, disk)
	for _, c := range [][]string{{"render", "-", "-o", dir}, {"render", "-", "-o", filepath.Join(disk, "other")}, {"init", "-o", stack, "--force"}} {
		got := call(t, larger, c...)
		if got.code != exitError || !strings.Contains(got.errors, "no space left on device") {
			t.Errorf("%v: exit %d: %s", c, got.code, got.errors)
		}
		if diff := cmp.Diff(before, files(t, disk)); diff != "" {
			t.Errorf("%v:\n%s", c, diff)
		}
	}
	if _, err := os.Stat(filepath.Join(disk, "other")); err == nil {
		t.Error("the new directory is left behind")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	cmd := exec.Command(binary(t))
	cmd.Stdin, cmd.Stdout = strings.NewReader(resources("", small)), full
	if err := cmd.Run(); err == nil {
		t.Error("nobody notices that standard output is full")
	}
}

// TestReadOnlyDirectory runs as a user who may not write there.
func TestReadOnlyDirectory(t *testing.T) {
	base, err := os.MkdirTemp("", "inferstack-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(base, "out"), 0o755); _ = os.RemoveAll(base) })
	program, dir := filepath.Join(base, "inferstack"), filepath.Join(base, "out")
	if err := os.Link(binary(t), program); err != nil {
		t.Fatal(err)
	}
	if got := renderTo(t, dir, small); got.code != exitOK {
		t.Fatal(got.errors)
	}
	for name, mode := range map[string]os.FileMode{base: 0o755, dir: 0o555} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	before := files(t, base)
	for _, out := range []string{dir, filepath.Join(dir, "new", "deeper")} {
		cmd := exec.Command(program, "render", "-", "-o", out)
		cmd.Stdin = strings.NewReader(larger)
		if os.Getuid() == 0 { // who may write anywhere
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		said, err := cmd.CombinedOutput()
		if err == nil || !regexp.MustCompile(`^error: .*: permission denied; nothing was written\n$`).Match(said) {
			t.Errorf("%v: %s", err, said)
		}
		if diff := cmp.Diff(before, files(t, base)); diff != "" {
			t.Error(diff)
		}
	}
}
