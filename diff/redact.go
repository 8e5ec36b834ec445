package diff

import (
	"reflect"

	"github.com/inferstack/inferstack/internal/untrusted"
)

// redact takes tokens that stand in clear out of a change, which ends up in logs and
// comments on pull requests.
func (c *Change) redact() {
	old, now := redacted(c.Old), redacted(c.New)
	if reflect.DeepEqual(old, now) {
		now = []any{now, "(another)"}
	}
	c.Old, c.New, c.Path = old, now, untrusted.Redact(c.Path)
}

// redacted is a value without the tokens in it.
func redacted(v any) any {
	switch v := v.(type) {
	case string:
		return untrusted.Redact(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = redacted(item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[untrusted.Redact(key)] = redacted(item)
		}
		return out
	}
	return v
}
