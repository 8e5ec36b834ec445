package schema

import "github.com/inferstack/inferstack/internal/near"

// Near is the known name that a wrong one was most likely meant to be, or "".
func Near(wrong string, known []string) string { return near.Of(wrong, known) }
