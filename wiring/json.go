package wiring

import (
	"encoding/json"
	"io"
)

// writeJSON writes the findings as an array, also when there are none.
func writeJSON(w io.Writer, findings []Finding) error {
	if findings == nil {
		findings = []Finding{}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(findings)
}
