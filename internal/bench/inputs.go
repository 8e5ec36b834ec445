package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const listHead = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// example is an example's stack, without comments: before the first key they would end a
// list item.
func example(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join("examples", name, "stack.yaml"))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") {
			out.WriteString(line)
		}
	}
	return out.String(), nil
}

// generatorInput hands a stack over the way kustomize does: as functionConfig and as the
// only item.
func generatorInput(stack string) []byte {
	return []byte(listHead + "functionConfig:\n" + indented("  ", stack) + "items:\n" + indented("- ", stack))
}

// manyInput hands over the stack n times, each time under a name of its own.
func manyInput(stack string, n int) []byte {
	var out bytes.Buffer
	out.WriteString(listHead + "items:\n")
	for _, s := range copies(stack, n) {
		out.WriteString(indented("- ", s))
	}
	return out.Bytes()
}

// copies are n of a stack, each under a name of its own.
func copies(stack string, n int) []string {
	before, after, _ := strings.Cut(stack, "\n  name: ")
	name, after, _ := strings.Cut(after, "\n")
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s\n  name: %s-%d\n%s", before, name, i, after)
	}
	return out
}

// indented puts first before the first line and two spaces before the others.
func indented(first, doc string) string {
	var out strings.Builder
	for line := range strings.Lines(doc) {
		out.WriteString(first + line)
		first = "  "
	}
	return out.String()
}
