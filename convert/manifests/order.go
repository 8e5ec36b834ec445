package manifests

import (
	"fmt"
	"slices"
)

// variables reports whether a list is the environment of a container.
func variables(entries []any) bool {
	return !slices.ContainsFunc(entries, func(e any) bool {
		m := mapping(e)
		return m["name"] == nil || m["value"] == nil && m["valueFrom"] == nil || len(m) > 2
	})
}

// inOrder reports whether a patch by name would leave entries in the wanted order: those that are
// there stay where they are, and others follow.
func inOrder(have, want []any) bool {
	var after []string
	for _, from := range [][]any{have, want} {
		for _, e := range from {
			if name := fmt.Sprint(at(e, "name")); entryOf(want, "name", at(e, "name")) != nil && !slices.Contains(after, name) {
				after = append(after, name)
			}
		}
	}
	return slices.EqualFunc(after, want, func(name string, e any) bool { return name == fmt.Sprint(at(e, "name")) })
}
