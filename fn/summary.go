package fn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/generators"
)

// summary is one line on what was made of each stack, kinds in apply order.
func summary(made []generators.Made) string {
	var b strings.Builder
	for _, m := range made {
		var kinds []string
		count := map[string]int{}
		for _, o := range m.Objects {
			kind := o.ID.Kind
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			count[kind]++
		}
		for i, kind := range kinds {
			if count[kind] > 1 {
				kinds[i] = fmt.Sprintf("%d %s", count[kind], kind)
			}
		}
		fmt.Fprintf(&b, "%s: %s: %s\n", m.Title(), counted(len(m.Objects), "object"), strings.Join(kinds, ", "))
	}
	return b.String()
}

// counted is a number of things, of which one is not a plural.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
