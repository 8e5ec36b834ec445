package release

// A ChartValue is a value of a Helm chart that not every release of it reads.
type ChartValue struct {
	// Path of the value, or of a section.
	Path string `json:"path"`
	// Span is the releases that read it. One that none reads has an end and no beginning.
	Span
}

// Never reports whether no release reads it.
func (v ChartValue) Never() bool { return v.Since == "" }

// ChartValues are the values of a chart that only some of its releases read.
func ChartValues(chart string) []ChartValue { return charts.Get(chart) }
