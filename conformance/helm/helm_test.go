package helm

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/release"
)

// A reason says why a change that the chart makes something of has no effect all the same. Match is a regular
// expression of all of chart, release and change.
type reason struct {
	Match string `json:"match"`
	Why   string `json:"why"`

	pattern *regexp.Regexp
	used    bool
}

func reasons(t *testing.T) []*reason {
	t.Helper()
	data, err := os.ReadFile("testdata/reasons.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out []*reason
	if err := yaml.UnmarshalStrict(data, &out); err != nil {
		t.Fatal(err)
	}
	for _, r := range out {
		r.pattern = regexp.MustCompile("^(?s:" + r.Match + ")$")
	}
	return out
}

// TestEffects changes every value of every chart, alone and beside what turns something on or off, with the chart's
// release known to convert helm. Where the chart renders something else with the value than without it, convert helm
// takes the value over, says something of it or refuses it; what it says to have no effect has none in the chart
// either; and what it takes over silently has one. The catalogue leaves out no value that the release reads.
func TestEffects(t *testing.T) {
	why := reasons(t)
	tried := map[string]bool{}
	for _, c := range Charts(t) {
		t.Run(c.Name+" "+c.Version, func(t *testing.T) {
			tried[c.Name] = true
			effects(t, &c, why)
		})
	}
	for _, r := range why {
		if chart, _, _ := strings.Cut(r.Match, " "); !r.used && tried[chart] {
			t.Errorf("reasons.yaml: nothing is like %q any more", r.Match)
		}
	}
}

func effects(t *testing.T, c *Chart, why []*reason) {
	tries, different := 0, 0
	reads, said, taken := map[string]bool{}, map[string]bool{}, map[string]string{}
	sweep(t, c, func(try Try) {
		path := at(try.Change.Path)
		tries++
		if try.Differs != "" || try.Fails {
			different++
			reads[path] = true
		}
		what := fmt.Sprint(try.Change, " under ", try.Under)
		if try.Verdict == Taken {
			taken[path] = what
		}
		if try.Differs == "" || try.Verdict != NoEffect && try.Verdict != Silent || explained(why, &try) {
			return
		}
		if once := path + string(try.Verdict); !said[once] {
			said[once] = true
			t.Errorf("%s: %s: the chart renders %s", try.Verdict, what, try.Differs)
		}
	})
	for _, path := range slices.Sorted(maps.Keys(taken)) {
		if !readAround(reads, path) {
			t.Errorf("taken over silently, and the chart does not read it: %s", taken[path])
		}
	}
	for _, v := range release.ChartValues(c.Name) {
		for path := range reads {
			if below(path, v.Path) && !c.readBy(v) {
				t.Errorf("release/charts.yaml says that the chart does not read %s", path)
			}
		}
	}
	t.Logf("%d changes, %d of them with an effect", tries, different)
}

// readAround reports whether a chart reads a value, something in it or all of what it is in.
func readAround(reads map[string]bool, path string) bool {
	for other := range reads {
		if below(other, path) || below(path, other) {
			return true
		}
	}
	return false
}

// readBy reports whether the chart's release is one that reads a value. All do where nobody says which it is.
func (c *Chart) readBy(v release.ChartValue) bool {
	version, known := c.released()
	return !known || !v.Never() && v.Holds(version)
}

func explained(why []*reason, try *Try) bool {
	text := fmt.Sprint(try.Chart.Name, " ", try.Chart.Version, " ", try.Change)
	for _, r := range why {
		if r.pattern.MatchString(text) {
			r.used = true
			return true
		}
	}
	return false
}
