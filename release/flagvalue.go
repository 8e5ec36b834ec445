package release

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inferstack/inferstack/internal/pattern"
)

// humanCount is a number of tokens as vLLM reads it: 32768, 32k, 1.5M, or auto and -1 for
// what fits (vllm engine/arg_utils.py, human_readable_int_or_auto).
var humanCount = pattern.Lazy(`^(-1|auto|\d+|\d+(\.\d+)?[kKmMgGtT])$`)

// Flaw says what a program that reads the flag finds wrong with its value, or "" for
// nothing. Values with variables of the container are not judged.
func (f ComponentFlag) Flaw(value string) string {
	if strings.Contains(value, "$(") || strings.Contains(value, "{{") {
		return ""
	}
	switch {
	case len(f.OneOf) > 0 && !slices.Contains(f.OneOf, value):
		return "must be one of " + f.allowed()
	case f.Switch:
		return "takes no value; write --no-" + f.Name + " for its opposite"
	case f.Boolean:
		if _, err := strconv.ParseBool(value); err != nil {
			return "must be true or false"
		}
	}
	switch f.Type {
	case "integer":
		n, err := strconv.ParseInt(value, 0, 64)
		if err != nil {
			return "must be an integer" + f.bounds()
		}
		return f.outside(float64(n), "an integer")
	case "number":
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return "must be a number" + f.bounds()
		}
		return f.outside(n, "a number")
	case "tokens":
		if !humanCount().MatchString(value) {
			return "must be a number of tokens, such as 32768 or 32k"
		}
	case "duration":
		if _, err := time.ParseDuration(value); err != nil {
			return "must be a duration with its unit, such as 30s"
		}
	case "json":
		if !json.Valid([]byte(value)) {
			return "must be JSON; quotes are part of an argument here, since no shell takes them off"
		}
	}
	return ""
}

// allowed lists the values that the flag takes, with quotes around one that cannot be seen.
func (f ComponentFlag) allowed() string {
	values := slices.Clone(f.OneOf)
	for i, value := range values {
		if value == "" {
			values[i] = `""`
		}
	}
	return strings.Join(values, ", ")
}

func (f ComponentFlag) outside(n float64, what string) string {
	if f.Min != nil && n < *f.Min || f.Max != nil && n > *f.Max {
		return "must be " + what + f.bounds()
	}
	return ""
}

func (f ComponentFlag) bounds() string {
	switch {
	case f.Min != nil && f.Max != nil:
		return fmt.Sprintf(" from %v to %v", *f.Min, *f.Max)
	case f.Min != nil:
		return fmt.Sprintf(" of at least %v", *f.Min)
	case f.Max != nil:
		return fmt.Sprintf(" of at most %v", *f.Max)
	}
	return ""
}
