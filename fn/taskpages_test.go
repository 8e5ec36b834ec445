package fn

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// taskBlock is a block of code of a page, and its language.
var taskBlock = regexp.MustCompile("(?ms)^( *)```(sh|yaml)\n(.*?)^ *```$")

// pageFile is the first line of a block that is a file.
var pageFile = regexp.MustCompile(`^# ([a-z-]+\.yaml)\n`)

// TestTaskPages runs the pages from top to bottom: blocks that name a file are written, and
// the commands are run by a shell, but for those of programs that ask a cluster.
func TestTaskPages(t *testing.T) {
	pages, err := filepath.Glob("../docs/tasks/*.md")
	if err != nil || len(pages) < 9 {
		t.Fatal("only", len(pages), "pages", err)
	}
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			t.Parallel()
			dir, commands := t.TempDir(), 0
			for _, found := range taskBlock.FindAllStringSubmatch(readText(t, page), -1) {
				text := strings.ReplaceAll("\n"+found[3], "\n"+found[1], "\n")[1:]
				if found[2] == "yaml" {
					stackOfPage(t, dir, text)
					continue
				}
				if !strings.HasPrefix(text, "kubectl") {
					commands += strings.Count(text, "inferstack ")
					sh(t, dir, text, nil)
				}
			}
			if commands == 0 {
				t.Error("the page runs nothing")
			}
		})
	}
}

// stackOfPage writes a file of a page; a stack must be valid, and say nothing but warnings.
func stackOfPage(t *testing.T, dir, text string) {
	t.Helper()
	name := pageFile.FindStringSubmatch(text)
	if name == nil {
		t.Errorf("a block of YAML that is no file:\n%s", text)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name[1]), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := call(t, text, "validate", "-"); got.code != exitOK {
		t.Errorf("%s: %s", name[1], got.errors)
	}
}
