package monitoring

import (
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/series"
)

// Matchers of what the reader of the dashboard chose.
const (
	inNamespace = `namespace=~"$namespace"`
	ofPod       = `pod=~"$pod"`
)

// Units of Grafana.
const (
	unitShort   = "short"
	unitSeconds = "s"
	unitPercent = "percentunit"
	unitPerSec  = "reqps"
)

type (
	panel struct {
		ID          int         `json:"id"`
		Type        string      `json:"type"`
		Title       string      `json:"title"`
		Description string      `json:"description,omitempty"`
		Datasource  datasource  `json:"datasource"`
		GridPos     gridPos     `json:"gridPos"`
		FieldConfig fieldConfig `json:"fieldConfig"`
		Targets     []target    `json:"targets"`
	}
	gridPos struct {
		H int `json:"h"`
		W int `json:"w"`
		X int `json:"x"`
		Y int `json:"y"`
	}
	fieldConfig struct {
		Defaults  fieldDefaults `json:"defaults"`
		Overrides []struct{}    `json:"overrides"`
	}
	fieldDefaults struct {
		Unit string `json:"unit"`
		Min  *int   `json:"min,omitempty"`
		Max  *int   `json:"max,omitempty"`
	}
	target struct {
		RefID        string     `json:"refId"`
		Datasource   datasource `json:"datasource"`
		Expr         string     `json:"expr"`
		LegendFormat string     `json:"legendFormat"`
	}
)

// A query is a line of a panel. An empty metric stands for one that this release line or
// engine does not have; its line is left out.
type query struct{ metric, expr, legend string }

// graph is a panel of lines over time; without any line there is none.
func graph(title, unit, description string, queries ...query) []panel {
	p := panel{
		Type: "timeseries", Title: title, Description: description, Datasource: prometheusSource,
		FieldConfig: fieldConfig{Defaults: fieldDefaults{Unit: unit, Min: new(0)}, Overrides: []struct{}{}},
	}
	if unit == unitPercent {
		p.FieldConfig.Defaults.Max = new(1)
	}
	for _, q := range queries {
		if q.metric != "" {
			p.Targets = append(p.Targets, target{
				RefID:        string(rune('A' + len(p.Targets))),
				Datasource:   prometheusSource,
				Expr:         q.expr,
				LegendFormat: q.legend,
			})
		}
	}
	if len(p.Targets) == 0 {
		return nil
	}
	return []panel{p}
}

// arrange numbers the panels and lays them out three in a row of Grafana's 24 columns.
func arrange(panels []panel) []panel {
	const width, height = 8, 8
	for i := range panels {
		panels[i].ID = i + 1
		panels[i].GridPos = gridPos{H: height, W: width, X: i % 3 * width, Y: i / 3 * height}
	}
	return panels
}

// quantiles are the median and the tail of a histogram, for each value of a label or, if
// by is empty, over all.
func quantiles(metric, matchers, by string) (out []query) {
	if metric == "" {
		return nil
	}
	legend := ""
	if by != "" {
		by, legend = ", "+by, "{{"+by+"}} "
	}
	for _, q := range []struct{ value, name string }{{"0.5", "p50"}, {"0.95", "p95"}, {"0.99", "p99"}} {
		expr := "histogram_quantile(" + q.value + ", sum by (le" + by + ") (rate(" + metric + "_bucket" + matchers + "[$__rate_interval])))"
		out = append(out, query{metric, expr, legend + q.name})
	}
	return out
}

// matching is the braces of a query for this stack.
func matching(s *base.Stack, matchers ...string) string { return series.Of(s, "", matchers...) }

// rate is the rate of a counter, summed by what by says.
func rate(by, metric, matchers string) string {
	return "sum" + by + " (rate(" + metric + matchers + "[$__rate_interval]))"
}
