package fn

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// atPlace is how a message begins that is about a place in a file.
var atPlace = regexp.MustCompile(`^[\w./<>-]+:\d+(:\d+)?: `)

// TestWrongInputs gives each command what is not there, empty, or of another kind: one line says what is
// wrong, as an error or with its place, nothing is printed, and the exit code is that of the command.
func TestWrongInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"empty.yaml": "", "text.yaml": "hello\n", "binary.yaml": "\xff\xfe\x00", "cut.yaml": "a: [\n", "in/text.yaml": "hello\n"})
	if err := os.Mkdir("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	for command, code := range map[string]int{
		"render": exitError, "validate": exitError, "build": exitError, "graph": exitError, "convert": exitError, "convert manifests": exitError,
		"check": exitUsage, "status": exitUsage, "diff": exitUsage, "render --check out": exitError, "validate --policy none.cue": exitError,
	} {
		for _, name := range []string{"-", "none.yaml", "empty", "in", "empty.yaml", "text.yaml", "binary.yaml", "cut.yaml"} {
			args := append(strings.Fields(command), name)
			if command == "diff" {
				args = append(args, name)
			}
			got := call(t, "", args...)
			lines := strings.Split(strings.TrimSpace(got.errors), "\n")
			if command == "check" { // prints findings, and counts them
				lines = strings.Split(strings.TrimSpace(got.out+got.errors), "\n")[:1]
				got.out = ""
			}
			line := strings.ReplaceAll(lines[0], filepath.ToSlash(os.TempDir()), "")
			if got.code != code || got.out != "" || command != "diff" && len(lines) != 1 || !strings.HasPrefix(line, "error: ") && !atPlace.MatchString(line) {
				t.Errorf("%v: exit %d, want %d\n%s%s", args, got.code, code, got.out, got.errors)
			}
		}
	}
}

// TestNullDevice is read as what is empty, and no person at a terminal.
func TestNullDevice(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if isTerminal(os.NewFile(null.Fd(), "/dev/stdin")) {
		t.Error("taken for a terminal")
	}
}
