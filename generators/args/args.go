// Package args collects the flags of a program by what they mean; the release line knows
// how they are spelled.
package args

import (
	"fmt"
	"strconv"

	"github.com/inferstack/inferstack/release"
)

// List collects a program's flags as --name=value. The names come from the release
// line: a meaning that the line has no flag for is left out, and the schema has
// refused the spec that would need it. An image of the user's own may be of another
// version, whose spelling counts where the catalogue knows it.
type List struct {
	Flags map[string]string
	Image *release.Known
	Items []string
}

// name is the flag that means what, or "" where there is none.
func (a *List) name(what string) string {
	name := a.Flags[what]
	if name != "" && a.Image.Lacks(name) {
		return a.Image.Spelling(name)
	}
	return name
}

// Optional writes flags that help and that nobody asked for, as far as the image is known
// to have them: a program ends at a flag that it does not know.
func (a *List) Optional(flags []release.Flag) {
	for _, f := range flags {
		if a.Image.Takes(f.Name) {
			a.Items = append(a.Items, "--"+f.Name+"="+f.Value)
		}
	}
}

// Add writes the flag that means what on this release line. Booleans are written out,
// since Go's flag package does not take the next word as a boolean's value.
func (a *List) Add(what string, value any) {
	if name := a.name(what); name != "" {
		a.Items = append(a.Items, "--"+name+"="+Text(value))
	}
}

// On writes the flag that means what and takes no value, as Python's argparse has them.
func (a *List) On(what string) {
	if name := a.name(what); name != "" {
		a.Items = append(a.Items, "--"+name)
	}
}

// OnOff writes such a flag or its negation.
func (a *List) OnOff(what string, value *bool) {
	if name := a.name(what); name != "" && value != nil {
		if !*value {
			name = "no-" + name
		}
		a.Items = append(a.Items, "--"+name)
	}
}

// Words writes the flag that means what with a list of values, as words of their own:
// vLLM and the simulator read one = as one value.
func (a *List) Words(what string, values []string) {
	if len(values) == 1 {
		a.Add(what, values[0])
	} else if name := a.name(what); name != "" {
		a.Items = append(append(a.Items, "--"+name), values...)
	}
}

// AddIf is add for an optional value.
func AddIf[T any](a *List, what string, value *T) {
	if value != nil {
		a.Add(what, *value)
	}
}

// Extra writes the flags that the release line always sets.
func (a *List) Extra(flags []release.Flag) {
	for _, f := range flags {
		a.Items = append(a.Items, "--"+f.Name+"="+f.Value)
	}
}

func Text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}
