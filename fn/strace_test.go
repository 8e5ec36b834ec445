//go:build linux

package fn

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// strace runs the program in a directory under strace, with its flags, and returns what
// came of it and the trace.
func strace(t *testing.T, dir, stdin string, flags []string, args ...string) (outcome, string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command("strace", slices.Concat([]string{"-f", "-qq", "-y", "-s", "4096", "-o", log}, flags, []string{binary(t)}, args)...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Skip(err)
	}
	trace, err := os.ReadFile(log)
	if err != nil || len(trace) == 0 {
		t.Skipf("strace does not work here: %v %s", err, errs.String())
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, string(trace)
}

var (
	networkCall = regexp.MustCompile(`(?m)^\d+ +(socket|connect|bind|listen|accept4?|send\w*|recv\w*)\(`)
	startCall   = regexp.MustCompile(`(?m)^\d+ +execve\("([^"]*)"`)
	fileCall    = regexp.MustCompile(`(?m)^\d+ +\w+\((?:(?:AT_FDCWD|\d+)(?:<([^>]*)>)?, )?"([^"]*)"`)
	// What Go's runtime looks at: the processors and the memory it may use, and itself.
	runtimeFile = regexp.MustCompile(`^(/proc/self/(cgroup|mountinfo|exe|auxv|maps)|/sys/fs/cgroup/.*|/sys/kernel/mm/transparent_hugepage/.*|/sys/devices/system/cpu/.*)$`)
)

// TestTouchesOnlyWhatIsNamed watches the system calls of each command: no network, no other
// program, and no file but those that were named.
func TestTouchesOnlyWhatIsNamed(t *testing.T) {
	wrong := strings.Replace(small, "model:", "modle:", 1)
	list := resources("", small)
	for name, c := range map[string]struct {
		args  string
		stdin string
		named []string // below the working directory
	}{
		"render":               {"render stack.yaml", "", []string{"stack.yaml"}},
		"render to a dir":      {"render stack.yaml -o out", "", []string{"stack.yaml", "out"}},
		"validate":             {"validate wrong.yaml", "", []string{"wrong.yaml"}},
		"check":                {"check in", "", []string{"in"}},
		"convert":              {"convert in", "", []string{"in"}},
		"diff":                 {"diff stack.yaml in", "", []string{"stack.yaml", "in"}},
		"status":               {"status -", foreign, nil},
		"init":                 {"init --simulator", "", nil},
		"init to a file":       {"init -o new.yaml", "", []string{"."}}, // written beside it first
		"explain":              {"explain spec.decode", "", nil},
		"schema":               {"schema", "", nil},
		"version":              {"version", "", nil},
		"function":             {"", list, nil},
		"function, mistaken":   {"", resources("", inFile(wrong, "in/stack.yaml")), []string{"in"}},
		"function, no file":    {"", resources("", wrong), []string{"."}}, // looks for its line
		"function, led astray": {"", resources("", inFile(wrong, "link/secret.yaml")), []string{"link"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			dir := filepath.Join(parent, "work")
			write(t, parent, map[string]string{
				"secret.yaml": wrong, "work/secret.yaml": small,
				"work/stack.yaml": small, "work/wrong.yaml": wrong, "work/in/stack.yaml": small,
			})
			for link, to := range map[string]string{"link": "..", "astray.yaml": "../secret.yaml"} {
				if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			got, trace := strace(t, dir, c.stdin, []string{"-e", "trace=%file,%network"}, strings.Fields(c.args)...)
			if strings.Contains(got.errors, "--help") { // called wrongly
				t.Fatal(got)
			}
			if call := networkCall.FindString(trace); call != "" {
				t.Errorf("uses the network: %s", call)
			}
			if started := startCall.FindAllString(trace, -1); len(started) != 1 {
				t.Errorf("starts %v", started)
			}
			calls := fileCall.FindAllStringSubmatch(trace, -1)
			if len(calls) < 2 {
				t.Fatalf("strace saw nothing:\n%s", trace)
			}
			for _, call := range calls {
				path := call[2]
				if !filepath.IsAbs(path) {
					path = filepath.Join(cmp.Or(call[1], dir), path)
				}
				if !runtimeFile.MatchString(path) && path != binary(t) && !below(dir, path, c.named) {
					t.Errorf("%s is not named: %s", path, call[0])
				}
			}
		})
	}
}

// below reports whether a path is one of those that are named, or in one. The working
// directory itself may be opened, to look up names in it.
func below(dir, path string, named []string) bool {
	return path == dir || slices.ContainsFunc(named, func(n string) bool {
		n = filepath.Join(dir, n)
		return path == n || strings.HasPrefix(path, n+string(filepath.Separator))
	})
}

// TestEnvironmentIsLeftAlone holds our own code to it: the only variable that is read is
// NO_COLOR, by diff on a terminal. That the output does not depend on the environment is
// TestSameBytes' business.
func TestEnvironmentIsLeftAlone(t *testing.T) {
	out, err := exec.Command("git", "grep", "-nE", `os\.(Getenv|LookupEnv|Environ|ExpandEnv)\(`, "--", "../*.go", ":!../*_test.go", ":!../internal/*", ":!../conformance/*").Output()
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "diff.go:") || !strings.Contains(line, `"NO_COLOR"`) {
			t.Error(line)
		}
	}
}
