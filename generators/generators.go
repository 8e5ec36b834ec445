// Package generators turns a complete, valid InferenceStack into the Kubernetes
// objects of the stack. Every generator is a pure function: it reads the stack and
// the release line, touches neither files nor clock nor environment, changes nothing
// it is given and returns fresh objects. It cannot fail: what could go wrong is
// refused by package schema before.
package generators

import (
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// Object is a typed Kubernetes object with its apiVersion and kind set.
type Object = manifest.Object

// Stack is what every generator is handed: the spec and the release line it names.
type Stack struct {
	*schema.Stack
	Line *release.Line
}

// A generator makes the objects of one component. It returns nil when the spec does
// not ask for the component.
type generator func(s *Stack) []Object

// all lists the generators. The output is ordered by apply order afterwards, and by
// this list within a kind.
var all = []generator{
	epp,
	pool,
	objectives,
	storage,
	redis,
	render,
	servers,
	serverService,
	autoscaling,
	disruptionBudgets,
	gateway,
	envoyProxy,
	route,
	referenceGrants,
	envoyFilter,
	destinationRules,
	monitoring,
	networkPolicies,
}

// Generate returns the objects of the stack in the order in which they can be
// applied. The caller has parsed and checked the stack; line is the release line that
// spec.release names.
func Generate(spec *schema.Stack, line *release.Line) []Object {
	s := &Stack{Stack: spec, Line: line}
	var objects []Object
	for _, generate := range all {
		objects = append(objects, generate(s)...)
	}
	deliver(s, objects)
	sortForApply(objects)
	return objects
}
