package wiring

import (
	"strconv"
	"strings"
)

var eppResourceRules = []Rule{
	{
		ID: "epp-resources", Severity: Warning,
		Doc: "The endpoint picker asks for no CPU or no memory. It decides on each request, and on a full node it is starved and evicted " +
			"first. Its charts ask for 4 to 8 CPUs and 8Gi for production.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			requests := e.at("resources", "requests")
			for _, resource := range []string{"cpu", "memory"} {
				if !requests.at(resource).is() && !e.at("resources", "limits", resource).is() {
					r.add(e.pods.place(e.at("resources")), Ref{}, "container %s asks for no %s", e.name, resource).fix("set resources.requests.%s", resource)
				}
			}
		}},
	},
	{
		ID: "epp-resources-simulated", Severity: Warning,
		Doc: "The endpoint picker asks for 4 CPUs or more, as its charts do, and all servers of its pool are simulators, which run on a laptop " +
			"or in CI. The pod stays Pending there.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			if cpu := e.at("resources", "requests", "cpu"); cpus(cpu.text()) >= 4 && g.simulated(e) {
				r.add(e.pods.place(cpu), Ref{}, "container %s asks for %s CPUs to pick among simulators", e.name, cpu.text()).fix("100m is enough for a simulator")
			}
		}},
	},
}

// simulated reports whether the pool of an endpoint picker has simulators and nothing else.
func (g *G) simulated(e *epp) bool {
	pool := e.pool(g)
	if pool == nil {
		return false
	}
	servers := 0
	for _, p := range g.selected(pool, poolSelector(pool)) {
		switch s := p.server(); {
		case s == nil:
		case !s.isSimulator():
			return false
		default:
			servers++
		}
	}
	return servers > 0
}

// cpus reads 4 or 4000m; 0 for what is neither.
func cpus(quantity string) float64 {
	number, milli := strings.CutSuffix(quantity, "m")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0
	}
	if milli {
		n /= 1000
	}
	return n
}
