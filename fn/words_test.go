package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWords holds what the program says of a wrong call, or of a slip, to what helps.
func TestWords(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"stack.yaml": small, "kind.yaml": strings.Replace(small, "InferenceStack", "InferenceStak", 1), "tab.yaml": "a:\n\tb: 1\n",
		"deep/more/stack.yaml": small,
	})
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"render", at("kind.yaml")}, exitError, `kind.yaml:2:7: kind: must be InferenceStack (got "InferenceStak"); did you mean InferenceStack?`},
		{[]string{"validate", at("kind.yaml"), at("stack.yaml")}, exitError, `kind: must be InferenceStack (got "InferenceStak")`},
		{[]string{"validate", at("tab.yaml")}, exitError, "tab.yaml:2: not YAML: a tab: YAML is indented with spaces"},
		{[]string{"render", at("deep")}, exitError, "no InferenceStack found in"},
		{[]string{"render", at("stack.yaml"), "-o", at("link")}, exitError, "is a symbolic link that leads nowhere"},
		{[]string{"render", at("stack.yaml"), "-o", ""}, exitUsage, "--output is yaml, json or a directory"},
		{[]string{"render", "-f", at("stack.yaml")}, exitUsage, "unknown shorthand flag: 'f' in -f; files are named without a flag\nSee 'inferstack render --help'.\n"},
		{[]string{"diff", at("stack.yaml")}, exitUsage, "two things are compared, OLD and NEW (got 1 argument)\nSee 'inferstack diff --help'.\n"},
		{[]string{"diff"}, exitUsage, "(got 0 arguments)"},
		{[]string{"completion", "tcsh"}, exitUsage, "no completion for tcsh; there is for bash, fish, powershell, zsh"},
		{[]string{"completion", "bash"}, exitOK, ""},
		{[]string{"completion"}, exitOK, ""},
	} {
		got := call(t, "", test.args...)
		if got.code != test.code || !strings.Contains(got.errors, test.want) || test.code == exitOK && got.out == "" {
			t.Errorf("%v: exit %d: %s", test.args, got.code, got.errors)
		}
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	var errs strings.Builder
	if code := run([]string{"completion", "bash"}, streams{strings.NewReader(""), full, &errs}); code != exitError || strings.Contains(errs.String(), "--help") {
		t.Errorf("a script that cannot be written: exit %d: %s", code, errs.String())
	}
}

// TestNothingToRead: at a terminal nothing is waited for. /dev/zero is a device as a terminal
// is, and never ends.
func TestNothingToRead(t *testing.T) {
	device, err := os.Open("/dev/zero")
	if err != nil {
		t.Skip(err)
	}
	defer device.Close()
	for _, command := range []string{"render", "validate", "convert", "check", "graph", "status"} {
		var out, errs strings.Builder
		if code := run([]string{command}, streams{device, &out, &errs}); code != exitUsage || out.Len() > 0 || !strings.Contains(errs.String(), "pipe") {
			t.Errorf("%s: exit %d: %s", command, code, errs.String())
		}
	}
}
