package growth

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// program is the command line, built to count how often each of its statements is executed. No
// clock is read: the same run makes the same counts on any machine.
var program = sync.OnceValues(func() (string, error) {
	var err error
	if built, err = os.MkdirTemp("", "growth"); err != nil {
		return "", err
	}
	file := filepath.Join(built, "inferstack")
	build := exec.Command("go", "build", "-trimpath", "-cover", "-covermode=atomic", "-coverpkg=github.com/inferstack/inferstack/...",
		"-o", file, "../../cmd/inferstack")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return file, nil
})

// built is the directory that the program was built in.
var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// A run is what a command took.
type run struct {
	statements float64
	memory     int64 // at most at one time, in kB; 0 where the system does not say
	out        string
}

// measure runs the program. Its exit code is that of what it found.
func measure(t *testing.T, args ...string) run {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	counts := t.TempDir()
	cmd := exec.Command(file, args...)
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+counts, "GOGC=", "GOMEMLIMIT=") // as people run it, whatever the tests have
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%v: %v\n%s", args, err, said.String())
	}
	return run{statements(t, counts), memoryOf(cmd.ProcessState), out.String()}
}

// covdata is the program that reads counters. By its path, since the go command takes ten times as long to find it.
var covdata = sync.OnceValues(func() (string, error) {
	path, err := exec.Command("go", "tool", "-n", "covdata").Output()
	return strings.TrimSpace(string(path)), err
})

// statements sums up the counters of a run: each is of a block of statements.
func statements(t *testing.T, dir string) float64 {
	t.Helper()
	file := filepath.Join(dir, "text")
	tool, err := covdata()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(tool, "textfmt", "-i="+dir, "-o="+file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	sum := 0.0
	for lines := bufio.NewScanner(text); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) != 3 {
			continue // the mode
		}
		size, _ := strconv.ParseFloat(words[1], 64)
		times, _ := strconv.ParseFloat(words[2], 64)
		sum += size * times
	}
	return sum
}

// write makes a file of a test.
func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "input.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
