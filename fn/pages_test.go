package fn

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/long"
)

// Every code block of the documentation is run or read, from the top of a page to its end and in
// one directory, by what follows its fence:
//
//	```sh            commands, inferstack among them. Programs that ask a cluster or the network
//	                 are stood in for by ones that take their input and print what was given.
//	```sh elsewhere  commands of other programs alone, which are not run
//	```yaml          a file, if the first line is a comment with its name. A whole stack, or what
//	                 makes one under a head, must be valid; else it must be YAML.
//	```cue           a policy, with its name in the first line
//	```text          what the last command prints: of the block before, or in the text since
//	```              a picture
//
// What a page takes for granted it gives in a comment that nobody sees:
// <!-- given: stack.yaml=examples/quickstart/stack.yaml -->; for kubectl= and the like it is what
// that program prints.

var (
	// pagePart is a block with its indentation, language and text; what is given; or a command in
	// the text.
	pagePart = regexp.MustCompile("(?ms)^( *)```([a-z ]*)\n(.*?)^ *```$|<!-- given: ([^= ]+)=([^ ]+) -->|`(inferstack [^`]+)`")
	pageFile = regexp.MustCompile(`^(?:#|//) ([a-z-]+\.(?:yaml|cue))\n`)
)

// standIns are the programs of blocks that are run.
var standIns = []string{"kubectl", "helm", "dot", "less", "curl", "istioctl", "argocd", "oc", "flux"}

// A pageRun is a page that is run.
type pageRun struct {
	t        *testing.T
	dir, bin string
	printed  string // by the last block of commands
	command  string // in the text after it
	counts   *pageCounts
}

// pageCounts counts blocks.
type pageCounts struct{ run, yaml, text, elsewhere, pictures atomic.Int32 }

// allPages are the pages that are written by hand.
func allPages(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "testdata", "bin", "dist", "commands"}, d.Name()):
			return fs.SkipDir
		case filepath.Ext(path) == ".md" && d.Name() != "LICENSES.md":
			out = append(out, path)
		}
		return nil
	})
	if err != nil || len(out) < 40 {
		t.Fatalf("only %d pages: %v", len(out), err)
	}
	return out
}

// TestPages runs every block of code.
func TestPages(t *testing.T) {
	var counts pageCounts
	t.Run("pages", func(t *testing.T) {
		for _, page := range allPages(t) {
			text := readText(t, page)
			if !strings.Contains(text, "```") {
				continue
			}
			t.Run(strings.TrimPrefix(page, "../"), func(t *testing.T) {
				t.Parallel()
				long.Case(t, 8)
				r := pageRun{t: t, dir: t.TempDir(), bin: t.TempDir(), counts: &counts}
				r.standIn()
				for _, found := range pagePart.FindAllStringSubmatch(text, -1) {
					r.part(found)
				}
			})
		}
	})
	t.Logf("%d blocks of commands run, %d of YAML read, %d of output compared, %d for elsewhere, %d pictures",
		counts.run.Load(), counts.yaml.Load(), counts.text.Load(), counts.elsewhere.Load(), counts.pictures.Load())
	if some := flag.Lookup("test.run").Value.String(); strings.Contains(some, "/") || !long.All() {
		return // a part of the pages
	}
	if counts.run.Load() < 29 || counts.yaml.Load() < 29 || counts.text.Load() < 2 {
		t.Error("too few")
	}
}

// standIn writes programs that take their input, if there is any, and print what was given.
func (r *pageRun) standIn() {
	r.t.Helper()
	for _, name := range standIns {
		text := "#!/bin/sh\n[ ! -p /dev/stdin ] || cat > /dev/null\n[ ! -e .given-" + name + " ] || cat .given-" + name + "\n"
		if err := os.WriteFile(filepath.Join(r.bin, name), []byte(text), 0o700); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *pageRun) part(found []string) {
	r.t.Helper()
	language, text := strings.TrimSpace(found[2]), strings.ReplaceAll("\n"+found[3], "\n"+found[1], "\n")[1:]
	switch {
	case found[4] != "":
		r.give(found[4], filepath.Join("..", filepath.FromSlash(found[5])))
	case found[6] != "":
		r.command = found[6]
	case language == "sh":
		r.counts.run.Add(1)
		if !strings.Contains(text, "inferstack ") {
			r.t.Errorf("a block runs nothing of ours; mark it sh elsewhere:\n%s", text)
		}
		r.printed, r.command = r.shell(text, false), ""
	case language == "sh elsewhere":
		r.counts.elsewhere.Add(1)
		if regexp.MustCompile(`(?m)(^|\| )inferstack `).MatchString(text) {
			r.t.Errorf("a block runs what could be run here; mark it sh:\n%s", text)
		}
	case language == "yaml":
		r.counts.yaml.Add(1)
		r.yaml(text)
	case language == "json":
		r.counts.yaml.Add(1)
		if !json.Valid([]byte(text)) {
			r.t.Errorf("a block is no JSON:\n%s", text)
		}
	case language == "cue":
		r.counts.yaml.Add(1)
		write(r.t, r.dir, map[string]string{pageFile.FindStringSubmatch(text)[1]: text})
	case language == "text":
		r.counts.text.Add(1)
		if r.command != "" {
			r.printed, r.command = r.shell(r.command, true), ""
		}
		if !strings.Contains(r.printed, text) {
			r.t.Errorf("the page shows\n%sand what is printed is\n%s", text, r.printed)
		}
	case language == "":
		r.counts.pictures.Add(1)
	default:
		r.t.Errorf("a block of %q, which the test does not know", language)
	}
}

// give copies a file or a directory, or what a stand-in prints.
func (r *pageRun) give(name, from string) {
	r.t.Helper()
	if slices.Contains(standIns, name) {
		name = ".given-" + name
	}
	to := filepath.Join(r.dir, filepath.FromSlash(name))
	info, err := os.Stat(from)
	if err == nil && info.IsDir() {
		err = os.CopyFS(to, os.DirFS(from))
	} else if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, []byte(readText(r.t, from)), 0o600))
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// shell runs commands, line by line where none goes on in the next. A comparison and a status
// may find something, which is exit code 1.
func (r *pageRun) shell(text string, mayFail bool) string {
	r.t.Helper()
	lines := []string{text}
	if !regexp.MustCompile(`(?m)^ |^\(|\\$`).MatchString(text) {
		lines = strings.Split(strings.TrimSpace(text), "\n")
	}
	if strings.Contains(text, "git") {
		r.repository()
	}
	var printed strings.Builder
	for _, line := range lines {
		cmd := exec.Command("bash", "-eo", "pipefail", "-c", line)
		cmd.Dir = r.dir
		cmd.Env = append(os.Environ(), "PATH="+r.bin+string(os.PathListSeparator)+filepath.Dir(binary(r.t))+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		finds := regexp.MustCompile(`inferstack (diff|status)\b`).MatchString(line) && cmd.ProcessState.ExitCode() == 1
		if err != nil && !finds && !mayFail {
			r.t.Errorf("%s\n%v\n%s", line, err, out)
		}
		printed.Write(out)
	}
	return printed.String()
}

// repository makes the directory one, whose branch main has what is there.
func (r *pageRun) repository() {
	r.t.Helper()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "a"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = r.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			r.t.Skipf("git %v: %v %s", args, err, out)
		}
	}
}

// yaml writes a file, and reads what it is.
func (r *pageRun) yaml(text string) {
	r.t.Helper()
	whole, name := text, "stack.yaml"
	found := pageFile.FindStringSubmatch(text)
	if found != nil {
		name = found[1]
	}
	const head = "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\n"
	switch {
	case strings.HasPrefix(text, "spec:\n"):
		whole = head + "metadata: {name: a}\n" + text
		if !strings.Contains(text, "\n  model:") {
			whole += "  model: {name: a/b}\n"
		}
	case strings.HasPrefix(text, "metadata:\n"):
		whole = head + text + "  name: a\nspec: {model: {name: a/b}}\n"
	case !strings.Contains(text, head) && found == nil:
		name = ""
	}
	var any yaml.Node
	if err := yaml.Unmarshal([]byte(text), &any); err != nil {
		r.t.Errorf("%v\n%s", err, text)
	}
	if strings.Contains(whole, head) {
		if got := call(r.t, whole, "validate", "-"); got.code != exitOK {
			r.t.Errorf("%s: %s\n%s", name, got.errors, whole)
		}
	}
	if whole == text && name != "" {
		write(r.t, r.dir, map[string]string{name: text})
	}
}

var (
	pageLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pageHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	pageAnchor  = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	pageBlock   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	pageSign    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	pageLabel   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// TestPagesLinks follows every link: to a file, to a heading of it, and elsewhere by its form.
func TestPagesLinks(t *testing.T) {
	pages := allPages(t)
	commands, err := filepath.Glob(commandPages + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	files, headings, remote := 0, 0, 0
	known := map[string][]string{}
	heading := func(page, name string) bool {
		if known[page] == nil {
			known[page] = anchors(readText(t, page))
		}
		return slices.Contains(known[page], name)
	}
	for _, page := range append(pages, commands...) {
		for _, found := range pageLink.FindAllStringSubmatch(pageBlock.ReplaceAllString(readText(t, page), ""), -1) {
			u, err := url.Parse(found[1])
			if err != nil || u.Host != "" && (u.Scheme != "https" || !strings.Contains(u.Host, ".")) || u.Scheme != "" && u.Host == "" {
				t.Errorf("%s: %s is not an address: %v", page, found[1], err)
				continue
			}
			if u.Host != "" {
				remote++
				continue
			}
			target := page
			if u.Path != "" {
				files++
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(u.Path))
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s: %v", page, err)
					continue
				}
			}
			if u.Fragment != "" {
				headings++
				if filepath.Ext(target) == ".md" && !heading(target, u.Fragment) {
					t.Errorf("%s: %s has no heading #%s", page, target, u.Fragment)
				}
			}
		}
	}
	t.Logf("%d links to files, %d to headings, %d elsewhere", files, headings, remote)
	if files < 100 || headings < 5 || remote < 5 {
		t.Error("too few")
	}
}

// anchors are the names of the headings of a page, as a code forge makes them.
func anchors(page string) []string {
	var out []string
	page = pageBlock.ReplaceAllString(page, "")
	seen := map[string]bool{}
	for _, found := range pageHeading.FindAllStringSubmatch(page, -1) {
		words := pageLabel.ReplaceAllString(found[1], "$1")
		name := strings.ReplaceAll(pageSign.ReplaceAllString(strings.ToLower(words), ""), " ", "-")
		for base, n := name, '1'; seen[name]; n++ {
			name = base + "-" + string(n)
		}
		seen[name] = true
		out = append(out, name)
	}
	for _, found := range pageAnchor.FindAllStringSubmatch(page, -1) {
		out = append(out, found[1])
	}
	return out
}

// TestREADMEIsShort keeps it to what fits on two screens.
func TestREADMEIsShort(t *testing.T) {
	if n := strings.Count(readText(t, "../README.md"), "\n"); n > 120 {
		t.Errorf("%d lines", n)
	}
}
