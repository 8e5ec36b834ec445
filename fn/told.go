package fn

import (
	"errors"

	"github.com/inferstack/inferstack/internal/untrusted"
	"github.com/inferstack/inferstack/schema"
)

// told is an error as it is printed. Problems are one per line and escaped already; else a
// line break comes from the name of a file or an argument.
func told(err error) string {
	var problems schema.Problems
	if errors.As(err, &problems) {
		return err.Error()
	}
	return untrusted.Line(err.Error())
}
