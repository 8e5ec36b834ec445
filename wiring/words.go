package wiring

import (
	"strconv"
	"strings"
)

// mostListed is how many things a sentence tells of.
const mostListed = 50

// list joins what there is for a sentence.
func list(items []string) string {
	switch {
	case len(items) == 0:
		return "none"
	case len(items) > mostListed:
		return strings.Join(items[:mostListed], ", ") + ", and " + itoa(len(items)-mostListed) + " more"
	}
	return strings.Join(items, ", ")
}

func itoa(n int) string { return strconv.Itoa(n) }
