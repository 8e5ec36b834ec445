package release

import (
	"strings"
	"sync"

	"github.com/inferstack/inferstack/internal/lazyjson"
)

var defaults = sync.OnceValue(func() map[string]string {
	data, err := lines.ReadFile("compiled/defaults.json")
	var all map[string]string
	if err == nil {
		err = lazyjson.Unmarshal(data, &all)
	}
	if err != nil {
		panic(err) // the file is embedded, and compiled by releasegen
	}
	return all
})

// DefaultImage is the image that a part of another system, such as llmd-operator/vllm, runs
// where its user names none.
func DefaultImage(part string) string { return defaults()[part] }

// DefaultTag is the tag of that image.
func DefaultTag(part string) string {
	_, tag := SplitImage(DefaultImage(part))
	return strings.TrimSpace(tag)
}
