package finding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
)

// List is a list of findings. It is an error for those who want one.
type List []Finding

// Error is one finding per line.
func (l List) Error() string {
	return strings.Join(lists.Map(l, Finding.String), "\n")
}

// Errors are the findings that stop the run.
func (l List) Errors() List { return l.of(Error) }

// Warnings are those that do not, and are more than worth knowing.
func (l List) Warnings() List { return l.of(Warning) }

// WithoutInfos drops what is only worth knowing.
func (l List) WithoutInfos() List {
	return slices.DeleteFunc(slices.Clone(l), func(f Finding) bool { return f.Severity == Info })
}

func (l List) of(s Severity) List {
	return lists.Where(l, func(f Finding) bool { return f.Severity == s })
}

// Sort orders by file, position and path; equal ones keep their order.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Path, b.Path),
		)
	})
}
