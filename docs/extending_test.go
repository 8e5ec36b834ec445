package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest = regexp.MustCompile("`(Test[A-Za-z]+)` in\\s+`([a-z/]+)`")
	namedPath = regexp.MustCompile("`([a-z]+/[a-zA-Z./]+)`")
)

// TestExtending holds the pages on extending Inferstack to what there is: the tests that walk
// their steps, and the files that they name.
func TestExtending(t *testing.T) {
	pages, err := filepath.Glob("extending/*.md")
	if err != nil || len(pages) < 3 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		tests := namedTest.FindAllStringSubmatch(string(text), -1)
		if len(tests) == 0 {
			t.Errorf("%s: no test walks it", page)
		}
		for _, named := range tests {
			if !defines(t, filepath.Join("..", named[2]), named[1]) {
				t.Errorf("%s: there is no %s in %s", page, named[1], named[2])
			}
		}
		for _, named := range namedPath.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join("..", named[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// defines reports whether the tests of a package have a function of the name.
func defines(t *testing.T, dir, name string) bool {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is a good one
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
