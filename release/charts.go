package release

import (
	"sync"

	"github.com/inferstack/inferstack/internal/lazyjson"
)

// A ChartValue is a value of a Helm chart that not every release of it reads.
type ChartValue struct {
	// Path of the value, or of a section.
	Path string `json:"path"`
	// Span is the releases that read it. One that none reads has an end and no beginning.
	Span
}

// Never reports whether no release reads it.
func (v ChartValue) Never() bool { return v.Since == "" }

var charts = sync.OnceValue(func() map[string][]ChartValue {
	data, err := lines.ReadFile("compiled/charts.json")
	var all map[string][]ChartValue
	if err == nil {
		err = lazyjson.Unmarshal(data, &all)
	}
	if err != nil {
		panic(err) // the file is embedded, and compiled by releasegen
	}
	return all
})

// ChartValues are the values of a chart that only some of its releases read.
func ChartValues(chart string) []ChartValue { return charts()[chart] }
