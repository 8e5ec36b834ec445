package wiring

import (
	"strconv"
	"strings"
)

// follow finds a path such as plugins[0].type; where it ends early, so does the field.
func follow(f field, path string) field {
	path = strings.NewReplacer("[", ".", "]", "").Replace(path)
	for step := range strings.SplitSeq(path, ".") {
		if n, err := strconv.Atoi(step); err == nil {
			f = f.at(n)
		} else {
			f = f.at(step)
		}
	}
	return f
}

// parseSelector reads k=v,k=v.
func parseSelector(text string) map[string]string {
	out := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if k, v, ok := strings.Cut(pair, "="); ok {
			out[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	return out
}
