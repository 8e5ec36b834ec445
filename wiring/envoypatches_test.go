package wiring

import (
	"strings"
	"testing"
)

// TestOtherClusters: a route that does not pass the endpoint picker may go to a cluster of any kind.
func TestOtherClusters(t *testing.T) {
	text := read(t, "envoyfilter")
	text = strings.Replace(text, "type: ORIGINAL_DST", "type: STATIC", 1)
	text = strings.Replace(text, "          inferstack.llm-d.llama:\n", "          somebody.elses.filter:\n", 1)
	for _, f := range checked(t, text, nil) {
		if f.Rule == "envoyfilter-original-dst" {
			t.Error(f)
		}
	}
}
