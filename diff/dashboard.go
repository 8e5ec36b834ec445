package diff

import (
	"fmt"
	"strings"
)

// shown are changes as a person reads them: those in each of Grafana's dashboards that a ConfigMap
// holds are counted instead of listed, since they draw, and decide nothing.
func shown(changes []Change) (out []Change) {
	counts, at := map[string]int{}, map[string]int{}
	for _, c := range changes {
		key := c.dashboard
		if key == "" {
			out = append(out, c)
			continue
		}
		if counts[key]++; counts[key] == 1 {
			at[key] = len(out)
			out = append(out, Change{Path: c.path[:2].String(), Old: "dashboard"})
		}
		out[at[key]].New = fmt.Sprintf("dashboard with %d other fields", counts[key])
	}
	return out
}

// dashboardOf is the key of the dashboard that a change is in, or "".
func dashboardOf(c Change, old, now Object) string {
	if len(c.path) < 3 || c.path[0].key != "data" {
		return ""
	}
	key := c.path[1].key
	for _, o := range []Object{old, now} {
		if !strings.Contains(str(mapping(o["data"])[key]), `"panels"`) {
			return ""
		}
	}
	return key
}
