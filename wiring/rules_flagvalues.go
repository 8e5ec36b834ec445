package wiring

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/release"
)

// shellVariable is one that a script sets itself; what the manifest says has been put in.
var shellVariable = pattern.Lazy(`\$[A-Za-z_]`)

var flagRules = []Rule{
	{
		ID: "flag-value", Severity: Error,
		Doc: "A flag has a value that the program cannot read: a duration without its unit, JSON that is not, a number out of range. It exits " +
			"at startup.",
		each: visit3[*Pods, *container, *release.Known]{eachProgram, func(g *G, r *report, p *Pods, c *container, known *release.Known) {
			findConnector(r, p, c, known)
			for _, name := range slices.Sorted(maps.Keys(c.flags)) {
				given := c.flags[name]
				flag, has, _ := known.Flag(c.spelled(name))
				if !has || given.bare || given.detached && flag.Boolean || flag.Type == "json" && !strings.HasPrefix(given.at.text(), "-") || templated(given.value) || shellVariable().MatchString(given.value) {
					continue
				}
				if why := flag.Flaw(given.value); why != "" {
					r.add(p.place(given.at), Ref{}, "--%s of %s is %q", name, c.name, given.value).fix("it %s", why)
				}
			}
		}},
	},
	{
		ID: "simulator-flag", Severity: Error,
		Doc: "The simulator is started with a flag that its version does not have. It exits at startup.",
		each: visit3[*Pods, *container, *release.Known]{eachProgram, func(g *G, r *report, p *Pods, c *container, known *release.Known) {
			if known.Kind == "simulator" {
				p.unknownFlags(r, c)
			}
		}},
	},
}

// findConnector reports a connector of the routing sidecar whose name is nearly that of one that it has.
func findConnector(r *report, p *Pods, c *container, known *release.Known) {
	given, ok := c.given("kv-connector", "connector")
	if !ok || known.Kind != "sidecar" {
		return
	}
	names := strings.Split(known.Value("connectors"), ",")
	if meant := Near(given.value, names); meant != "" && meant != given.value {
		r.add(p.place(given.at), Ref{}, "the sidecar of %s has no connector %s", known.Version, given.value).fix("did you mean %s?", meant)
	}
}

// unknownFlags reports the flags that the version of a container's image does not have.
func (p *Pods) unknownFlags(r *report, c *container) {
	known := c.known
	for _, name := range slices.Sorted(maps.Keys(c.flags)) {
		f, has, taken := known.Flag(name)
		if has {
			continue
		}
		names, complete := known.FlagNames()
		if !taken && (!complete || templated(name) || name == "help" || name == "h") {
			continue
		}
		found := r.add(p.place(c.flags[name].at), Ref{}, "the %s of %s has no flag --%s%s", known.Kind, known.Version, name, known.Note())
		if close := Near(name, names); !taken && close != "" {
			found.fix("did you mean --%s?", close)
		} else {
			found.fix("%s", advice(known, f))
		}
	}
}

// eachProgram calls do for the containers whose flags the catalogue knows.
func eachProgram(g *G, do func(*Pods, *container, *release.Known)) {
	eachContainer(g, func(p *Pods, c *container) {
		known := c.known
		if known == nil && c.isVLLM() {
			known = release.ComponentNamed("vllm").Newest()
		}
		if known != nil && (known.Kind != "model-server" || c.isVLLM()) {
			do(p, c, known)
		}
	})
}

// spelled is the name of a flag with hyphens, which vLLM's argument parser takes for
// underscores.
func (c *container) spelled(name string) string {
	if c.isVLLM() {
		return argv.Hyphened(name)
	}
	return name
}
