// Package release is the catalogue of llm-d release lines: the images, flags, API
// groups and plugin names that change from one line to the next. It is data, one
// YAML file a line under lines/, so that a new line needs no code: make generate turns
// it into Go. It knows nothing of a stack and nothing of Kubernetes
// objects.
package release

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Default is the line of a stack that names none. It is repeated as the default of
// spec.release in the schema, and a test holds the two together.
const Default = "0.10"

// loaded keeps the lines that were made: rules and generators ask for one many times.
var loaded sync.Map

// added are the lines that a program brought itself.
var added sync.Map

// Add makes a release line known that is not built in, as its file under lines/ would; a
// test shows by it that a line needs no code. The line is forgotten when remove is called.
func Add(name string, line *Line) (remove func()) {
	own := *line
	own.Name = name
	added.Store(name, &own)
	return func() { added.Delete(name) }
}

// Load returns the release line of that name, such as "0.10". It is shared by all who
// ask and must not be changed. The error names the lines there are.
func Load(name string) (*Line, error) {
	for _, known := range []*sync.Map{&loaded, &added} {
		if line, ok := known.Load(name); ok {
			return line.(*Line), nil
		}
	}
	make, found := lines.Find(name)
	if !found {
		return nil, fmt.Errorf("no release line %q; there are %s", name, strings.Join(Names(), ", "))
	}
	line := make()
	loaded.Store(name, line)
	return line, nil
}

// Names lists the release lines, oldest first.
func Names() []string {
	names := lines.Keys()
	added.Range(func(name, _ any) bool {
		names = append(names, name.(string))
		return true
	})
	slices.SortFunc(names, compareVersions)
	return names
}

// compareVersions orders "0.4" before "0.10".
func compareVersions(a, b string) int {
	for a != "" && b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if order := cmp.Compare(count(x), count(y)); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(a), len(b)) // the longer one comes after
}

func count(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
