package wiring

import (
	"maps"
	"path"
	"slices"

	"github.com/inferstack/inferstack/release"
)

// endpointPickers are the components of the catalogue that pick endpoints.
func endpointPickers() []*release.Component {
	return slices.DeleteFunc(slices.Clone(release.Components()), func(c *release.Component) bool { return c.Kind != "endpoint-picker" })
}

// boolean reports whether the endpoint picker of the image, or where that is not known any,
// takes the flag as true or false.
func (e *epp) boolean(name string) bool {
	if e.known != nil {
		f, _, _ := e.known.Flag(name)
		return f.Boolean
	}
	return slices.ContainsFunc(endpointPickers(), func(c *release.Component) bool {
		return slices.ContainsFunc(c.Flags, func(f release.ComponentFlag) bool { return f.Name == name && f.Boolean })
	})
}

func findEPPFlags(g *G, r *report) {
	for _, e := range g.epps {
		for _, name := range slices.Sorted(maps.Keys(e.flags)) {
			switch {
			case e.known != nil:
				e.judgeFlag(r, name)
			case !g.ofOldDays(e):
				e.judgeOldFlag(r, name)
			}
		}
	}
}

// judgeFlag holds a flag against the version of the image.
func (e *epp) judgeFlag(r *report, name string) {
	f, has, known := e.known.Flag(name)
	if has || templated(name) {
		return
	}
	names, complete := e.known.FlagNames()
	if !known && !complete {
		return
	}
	found := r.add(e.pods.place(e.flags[name].at), Ref{}, "the endpoint picker of %s has no flag --%s%s", e.known.Version, name, e.known.Note())
	switch spelling := e.known.Spelling(name); {
	case spelling != "":
		found.fix("write --%s", spelling)
	case f.Advice != "":
		found.fix("%s", f.Advice)
	case known && f.Since != "" && !f.Holds(e.known.Nearest) && f.Until == "":
		found.fix("leave it out: it came with %s", f.Since)
	case Near(name, names) != "":
		found.fix("did you mean --%s?", Near(name, names))
	default:
		found.fix("leave it out")
	}
}

// judgeOldFlag reports a flag that only old versions took, of an image whose version is not
// known.
func (e *epp) judgeOldFlag(r *report, name string) {
	for _, c := range endpointPickers() {
		for _, f := range c.Flags {
			if f.Name == name && f.Instead != "" {
				r.add(e.pods.place(e.flags[name].at), Ref{}, "--%s is not a flag any more", name).fix("write --%s", f.Instead)
			}
		}
	}
}

// renamed reports an image whose tag is of the time of its other name.
func renamed(r *report, p *Pods, c *container) {
	known := c.known
	if known == nil {
		return
	}
	for _, i := range known.Images {
		if c.imageIs(i.Path+":") && !i.Holds(known.Minor()) {
			r.add(p.place(c.at("image")), Ref{}, "there is no %s of %s", path.Base(i.Path), known.Minor()).
				fix("the image of %s is %s", known.Minor(), path.Base(known.CurrentImage(known.Minor())))
		}
	}
}
