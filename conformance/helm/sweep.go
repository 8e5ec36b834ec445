package helm

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// A Try is a change of values, what the chart makes of it and what convert helm says of it.
type Try struct {
	Chart   *Chart
	Change  Change
	Under   []Change // what is changed already
	Differs string   // how what the chart renders differs, if it does
	Fails   bool     // the chart refuses it, and there is no verdict
	Verdict Verdict
}

// wide are values on which those of other sections depend. On any other, those beside it and below depend; with
// CHANGES=all nothing is taken for granted.
var wide = []string{"provider.name", "inferenceExtension.endpointsServer.createInferencePool", "router.inferencePool.create", "router.proxy.enabled", "multinode"}

// depends reports whether what a value does may depend on another.
func depends(path, on string) bool {
	parent := on[:max(0, strings.LastIndex(on, "."))]
	return path != on && (parent == "" || below(path, parent) || slices.Contains(wide, on) || os.Getenv("CHANGES") == "all")
}

// sweep makes each change of a chart's values over what the chart requires alone, and over each switch besides.
func sweep(t testing.TB, c *Chart, visit func(Try)) {
	t.Helper()
	base := kinds[c.Name].required
	plain, err := c.Render(base)
	if err != nil {
		t.Fatal(err)
	}
	changes := c.changes()
	for _, under := range append([][]Change{nil}, switches(changes)...) {
		values := with(base, under...)
		rendered, err := c.Render(values)
		if err != nil || under != nil && rendered == plain {
			continue
		}
		before := c.convert(t, values)
		for _, change := range changes {
			if under != nil && !depends(at(change.Path), at(under[0].Path)) {
				continue
			}
			next := with(values, change)
			changed, err := c.Render(next)
			try := Try{Chart: c, Change: change, Under: under, Differs: difference(rendered, changed), Fails: err != nil}
			if err == nil {
				try.Verdict = judge(before, c.convert(t, next), at(change.Path))
			}
			visit(try)
		}
	}
}

// switches are the changes on which others may depend: whether something is on, or which of a few.
func switches(changes []Change) [][]Change {
	var out [][]Change
	for _, c := range changes {
		if _, is := c.Value.(bool); is || chosen(at(c.Path)) != nil {
			out = append(out, []Change{c})
		}
	}
	return out
}

// difference shows where two renderings differ first.
func difference(a, b string) string {
	if a == b {
		return ""
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	around := func(s string) string { return s[max(0, min(i, len(s))-60):min(i+60, len(s))] }
	return around(a) + " ... " + around(b)
}
