//go:build uncompiled

package release

import "github.com/inferstack/inferstack/internal/sorted"

// With the build tag uncompiled, releasegen is compiled without what it writes.
var (
	lines      sorted.Map[func() *Line]
	components []*Component
	dialects   sorted.Map[*Dialect]
	defaults   sorted.Map[string]
	charts     sorted.Map[[]ChartValue]
	served     []Served
)
