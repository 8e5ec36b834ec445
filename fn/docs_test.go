package fn

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// handwritten are the pages written by hand, by path.
func handwritten(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	for _, pattern := range []string{"../docs/*.md", "../docs/tasks/*.md", gitops + "/*.md", gitops + "/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if name := filepath.Base(path); name != "reference.md" && name != "converted.md" {
				pages[path] = readText(t, path)
			}
		}
	}
	if len(pages) < 10 {
		t.Fatalf("only %d pages", len(pages))
	}
	return pages
}

// TestDocsCommandsExist parses every inferstack command line of the pages.
func TestDocsCommandsExist(t *testing.T) {
	command := regexp.MustCompile("(?m)(?:^ *|`|\\| )inferstack ([a-z][^`|>&\n]*)")
	count := 0
	for path, text := range handwritten(t) {
		for _, found := range command.FindAllStringSubmatch(text, -1) {
			line, _, _ := strings.Cut(found[1], " #")
			count++
			root := rootCommand(streams{strings.NewReader(""), io.Discard, io.Discard})
			root.InitDefaultCompletionCmd()
			cmd, rest, err := root.Find(strings.Fields(line))
			if err == nil && cmd != root {
				err = cmd.ParseFlags(rest)
			}
			if err != nil || cmd == root {
				t.Errorf("%s: inferstack %s: %v", path, line, err)
			}
		}
	}
	if count < 15 {
		t.Errorf("only %d commands found", count)
	}
}

// TestDocsFieldsExist asks explain about the fields that the pages name.
func TestDocsFieldsExist(t *testing.T) {
	field := regexp.MustCompile("`((?:spec\\.)?(?:model|server|decode|prefill|scheduler|pool|gateway|route|loadBalancing|kvTransfer|kvCache|monitoring|networkPolicy|security|delivery)(?:\\.[a-zA-Z]+)+)(?::[^`]*)?`")
	for path, text := range handwritten(t) {
		for _, found := range field.FindAllStringSubmatch(text, -1) {
			name := "spec." + strings.TrimPrefix(found[1], "spec.")
			if got := call(t, "", "explain", name); got.code != exitOK {
				t.Errorf("%s: %s", path, got.errors)
			}
		}
	}
}

// TestGettingStarted runs the inferstack commands of the page, with a kubectl that only
// takes its input, and looks for what the page names in what they make.
func TestGettingStarted(t *testing.T) {
	page := readText(t, "../docs/getting-started-kind.md")
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	write(t, bin, map[string]string{"kubectl": "#!/bin/sh\ncat > /dev/null\n"})
	if err := os.Chmod(filepath.Join(bin, "kubectl"), 0o755); err != nil {
		t.Fatal(err)
	}
	before, istio, _ := strings.Cut(page, "## With Istio")
	for _, part := range []string{before, istio} {
		for _, line := range regexp.MustCompile(`(?m)^inferstack .*$`).FindAllString(part, -1) {
			sh(t, dir, "export PATH="+bin+":$PATH\n"+line, nil)
		}
		checkNames(t, filepath.Join(dir, "stack.yaml"), part)
	}
}

// checkNames looks for the Deployments and Services of a page in what a stack makes;
// Istio's own Service has the Gateway's name and its class's.
func checkNames(t *testing.T, stack, page string) {
	t.Helper()
	var made []string
	for _, o := range objectsIn(t, call(t, "", "render", stack).out) {
		name := o["metadata"].(map[string]any)["name"].(string)
		made = append(made, strings.ToLower(o["kind"].(string))+"/"+name)
		if o["kind"] == "Gateway" {
			made = append(made, "service/"+name+"-istio")
		}
	}
	names := regexp.MustCompile(`(?:deployment|service)/try-out-[a-z-]+`).FindAllString(page, -1)
	if strings.Contains(page, "`try-out-gateway-istio`") {
		names = append(names, "service/try-out-gateway-istio")
	}
	if len(names) == 0 {
		t.Error("the page names nothing")
	}
	for _, name := range names {
		if !slices.Contains(made, name) {
			t.Errorf("%s is not among %v", name, made)
		}
	}
}
