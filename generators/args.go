package generators

import (
	"fmt"
	"strconv"

	"github.com/inferstack/inferstack/release"
)

// args collects a program's flags as --name=value. The names come from the release
// line: a meaning that the line has no flag for is left out, and the schema has
// refused the spec that would need it.
type args struct {
	flags map[string]string
	list  []string
}

// add writes the flag that means what on this release line. Booleans are written out,
// since Go's flag package does not take the next word as a boolean's value.
func (a *args) add(what string, value any) {
	if name := a.flags[what]; name != "" {
		a.list = append(a.list, "--"+name+"="+text(value))
	}
}

// on writes the flag that means what and takes no value, as Python's argparse has them.
func (a *args) on(what string) {
	if name := a.flags[what]; name != "" {
		a.list = append(a.list, "--"+name)
	}
}

// onOff writes such a flag or its negation.
func (a *args) onOff(what string, value *bool) {
	if name := a.flags[what]; name != "" && value != nil {
		if !*value {
			name = "no-" + name
		}
		a.list = append(a.list, "--"+name)
	}
}

// words writes the flag that means what with a list of values, as words of their own:
// vLLM and the simulator read one = as one value.
func (a *args) words(what string, values []string) {
	if len(values) == 1 {
		a.add(what, values[0])
	} else if name := a.flags[what]; name != "" {
		a.list = append(append(a.list, "--"+name), values...)
	}
}

// addIf is add for an optional value.
func addIf[T any](a *args, what string, value *T) {
	if value != nil {
		a.add(what, *value)
	}
}

// extra writes the flags that the release line always sets.
func (a *args) extra(flags []release.Flag) {
	for _, f := range flags {
		a.list = append(a.list, "--"+f.Name+"="+f.Value)
	}
}

func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}
