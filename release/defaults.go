package release

import "strings"

// DefaultImage is the image that a part of another system, such as llmd-operator/vllm, runs
// where its user names none.
func DefaultImage(part string) string { return defaults.Get(part) }

// DefaultTag is the tag of that image.
func DefaultTag(part string) string {
	_, tag := SplitImage(DefaultImage(part))
	return strings.TrimSpace(tag)
}
