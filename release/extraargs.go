package release

import (
	"path"
	"strconv"
	"strings"
)

// ExtraArgsFor returns the arguments that are always written for an accelerator type and
// an image. One that is known to be older than they are would end at them.
func (v *VLLM) ExtraArgsFor(accelerator, image string) []string {
	name, tag, _ := strings.Cut(path.Base(image), ":")
	if since, ok := v.ExtraArgsSince[name]; ok && before(tag, since) {
		return nil
	}
	if own, ok := v.ExtraArgsOf[accelerator]; ok {
		return own
	}
	return v.ExtraArgs
}

// before says whether a tag is a version of major 0 before a minor one, as v0.11.2 is
// before 16.
func before(tag string, minor int) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(tag, "v"), "0.")
	number, _, _ := strings.Cut(rest, ".")
	have, err := strconv.Atoi(number)
	return ok && err == nil && have < minor
}
