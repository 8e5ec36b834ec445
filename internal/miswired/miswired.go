// Package miswired shows the rules of check what a stack makes, before it is written.
package miswired

import (
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/wiring"
)

// Look holds the objects of a stack against the rules of check, as generators.Look.
func Look(made []manifest.Manifest) (out finding.List) {
	var objects []*wiring.Object
	for _, m := range made {
		objects = append(objects, wiring.Of(m.Node())...)
	}
	for _, f := range wiring.Check(objects, wiring.Options{Admitted: true}) {
		if f.Severity != wiring.Error || ofOthers(f, objects) {
			continue
		}
		message := f.Message
		if f.Remedy != "" {
			message += "; " + f.Remedy
		}
		out = append(out, finding.Finding{
			Object:  f.Object,
			Message: message + " [" + f.Rule + "]",
		})
	}
	return out
}

// ofOthers reports whether a finding is about an object that somebody else may make, such as
// the pool of another stack that shares the traffic of a route: pools and Services have names
// that are alike on purpose. Of the rest, a name that is nearly one of the stack's own is a
// mistake.
func ofOthers(f finding.Finding, objects []*wiring.Object) bool {
	if f.Rule != "dangling-reference" {
		return false
	}
	if f.Other.Kind == "InferencePool" || f.Other.Kind == "Service" {
		return true
	}
	var names []string
	for _, o := range objects {
		if o.Kind == f.Other.Kind {
			names = append(names, o.Name)
		}
	}
	return wiring.Near(f.Other.Name, names) == ""
}
