//go:build uncompiled

package kubeschema

import "github.com/inferstack/inferstack/internal/sorted"

// With the build tag uncompiled, crdgen is compiled without what it writes.
var (
	schemas sorted.Map[*Schema]
	limits  sorted.Map[*Limits]
)
