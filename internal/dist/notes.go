package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// notes prints what CHANGELOG.md says of the version.
func (r release) notes(w io.Writer) error {
	changelog, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return err
	}
	text, err := section(string(changelog), strings.TrimPrefix(r.version, "v"))
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	return err
}

var headings = regexp.MustCompile(`(?m)^## \[([^\]]+)\].*\n`)

// section is what a changelog says of a version; of a pre-release, what is not released yet.
func section(changelog, version string) (string, error) {
	found := headings.FindAllStringSubmatchIndex(changelog, -1)
	for i, at := range found {
		end := len(changelog)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		name := changelog[at[2]:at[3]]
		if name == version || name == "Unreleased" && strings.Contains(version, "-") {
			return strings.TrimSpace(changelog[at[1]:end]) + "\n", nil
		}
	}
	return "", fmt.Errorf("CHANGELOG.md has no section [%s]", version)
}
