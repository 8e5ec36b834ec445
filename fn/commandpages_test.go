package fn

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

const commandPages = "../docs/commands"

// TestGoldenCommandPages compares docs/commands with the commands. make generate writes
// them: it is this test that links cobra's generator, which the program does not need.
func TestGoldenCommandPages(t *testing.T) {
	root := rootCommand(streams{strings.NewReader(""), io.Discard, io.Discard})
	root.CompletionOptions.DisableDefaultCmd = true
	root.DisableAutoGenTag = true
	var names []string
	pages(t, root, &names)
	found, err := filepath.Glob(commandPages + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		if !slices.Contains(names, filepath.Base(path)) {
			t.Errorf("%s is of no command; delete it", path)
		}
	}
}

func pages(t *testing.T, cmd *cobra.Command, names *[]string) {
	t.Helper()
	var page bytes.Buffer
	if err := doc.GenMarkdown(cmd, &page); err != nil {
		t.Fatal(err)
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "_") + ".md"
	*names = append(*names, name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		write(t, commandPages, map[string]string{name: page.String()})
	}
	if diff := cmp.Diff(readOptional(filepath.Join(commandPages, name)), page.String()); diff != "" {
		t.Errorf("docs/commands/%s is not current; make generate rewrites it:\n%s", name, diff)
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			pages(t, sub, names)
		}
	}
}

// readOptional reads a page that may not have been written yet.
func readOptional(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}
