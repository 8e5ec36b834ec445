package envoy

import (
	"strconv"
	"strings"
	"time"
)

// Seconds writes a duration as protobuf's JSON has it, such as 300s for 5m. The schema
// has let only durations through.
func Seconds(duration string) string {
	d, err := time.ParseDuration(duration)
	if err != nil {
		return duration
	}
	text := strconv.FormatFloat(d.Seconds(), 'f', 9, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + "s"
}
