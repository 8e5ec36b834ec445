package wiring

import (
	"strconv"
	"strings"
)

// list joins what there is for a sentence.
func list(items []string) string {
	if len(items) == 0 {
		return "none"
	}
	return strings.Join(items, ", ")
}

func itoa(n int) string { return strconv.Itoa(n) }
