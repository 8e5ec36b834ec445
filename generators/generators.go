// Package generators turns a complete, valid InferenceStack into the Kubernetes
// objects of the stack. Every generator is a pure function: it reads the stack and
// the release line, touches neither files nor clock nor environment, changes nothing
// it is given and returns fresh objects. It cannot fail: what could go wrong is
// refused by package schema/rules before.
package generators

import (
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/envoyproxy"
	"github.com/inferstack/inferstack/generators/epp"
	"github.com/inferstack/inferstack/generators/gateway"
	"github.com/inferstack/inferstack/generators/istio"
	"github.com/inferstack/inferstack/generators/monitoring"
	"github.com/inferstack/inferstack/generators/network"
	"github.com/inferstack/inferstack/generators/pool"
	"github.com/inferstack/inferstack/generators/redis"
	"github.com/inferstack/inferstack/generators/render"
	"github.com/inferstack/inferstack/generators/scaling"
	"github.com/inferstack/inferstack/generators/server"
	"github.com/inferstack/inferstack/generators/smoketest"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// A generator makes the objects of one component. It returns nil when the spec does
// not ask for the component.
type generator func(s *base.Stack) []base.Object

// all lists the generators. The output is ordered by apply order afterwards, and by
// this list within a kind.
var all = []generator{
	epp.Objects,
	pool.Objects,
	pool.Objectives,
	pool.ModelRewrites,
	server.Storage,
	server.Options,
	server.Offloading,
	redis.Objects,
	render.Objects,
	server.Objects,
	server.Services,
	scaling.Autoscalers,
	scaling.DisruptionBudgets,
	gateway.Objects,
	envoyproxy.Objects,
	gateway.Route,
	gateway.ReferenceGrants,
	istio.EnvoyFilters,
	istio.DestinationRules,
	monitoring.Objects,
	network.Policies,
	smoketest.Objects,
}

// Generate returns the objects of the stack in the order in which they can be
// applied. The caller has parsed and checked the stack; line is the release line that
// spec.release names.
func Generate(spec *schema.Stack, line *release.Line) (objects []base.Object) {
	s := &base.Stack{Stack: spec, Line: line}
	for _, generate := range all {
		objects = append(objects, generate(s)...)
	}
	objects = append(objects, smoketest.Job(s, objects)...)
	deliver(s, objects)
	sortForApply(objects)
	return objects
}
