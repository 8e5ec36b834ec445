package fn

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fenced finds the README's code blocks and their language.
var fenced = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestREADMEStacksAreValid compiles every complete InferenceStack of the README.
func TestREADMEStacksAreValid(t *testing.T) {
	found := 0
	for _, block := range fenced.FindAllStringSubmatch(readme(t), -1) {
		if !strings.HasPrefix(block[2], "apiVersion: inferstack.dev/") {
			continue
		}
		found++
		if got := call(t, block[2], "render", "-"); got.code != 0 {
			t.Errorf("exit code %d: %s\n%s", got.code, got.errors, block[2])
		}
	}
	if found == 0 {
		t.Error("the README shows no InferenceStack")
	}
}

// TestREADMESaysWhatComesOut holds the summary that the README shows under its smallest
// file to the program.
func TestREADMESaysWhatComesOut(t *testing.T) {
	blocks := fenced.FindAllStringSubmatch(readme(t), -1)
	for i, block := range blocks {
		if !strings.HasPrefix(block[2], "apiVersion: inferstack.dev/") {
			continue
		}
		got := call(t, block[2], "render", "--summary", "-")
		if i+1 == len(blocks) || got.errors != blocks[i+1][2] {
			t.Errorf("the block after the smallest file is not what the program says:\n%s", got.errors)
		}
		return
	}
}

// TestREADMELinksLead follows the README's links into the repository.
func TestREADMELinksLead(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(readme(t), -1)
	for _, link := range links {
		if _, err := os.Stat(filepath.Join("..", link[1])); err != nil {
			t.Errorf("broken link: %s", link[1])
		}
	}
	if len(links) == 0 {
		t.Error("no links found")
	}
}
