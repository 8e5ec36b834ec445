package simop

import (
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/schema/document"
)

// A shared field of the stack has a field in the SimulatorDeployment and one in the
// SchedulerInstall. What is written in either holds, before what either has by default.
type shared struct{ sim, install string }

// settled reports whether the SimulatorDeployment writes its field, which the install then
// leaves alone. Two that differ are one too many.
func (in *install) settled(field shared) bool {
	if in.sim == nil {
		return false
	}
	theirs, mine := written(in.simDoc, field.sim), written(in.Doc, field.install)
	if theirs == "" {
		return false
	}
	if mine != "" && meaning(mine) != meaning(theirs) {
		in.Lost(field.install, "the SimulatorDeployment's %s says %s, and it is the same object", field.sim, theirs)
	}
	return true
}

// meaning takes Istio's old name of an algorithm for the new one (istio.io/api
// networking/v1 LoadBalancerSettings).
func meaning(value string) string {
	if value == "LEAST_CONN" {
		return "LEAST_REQUEST"
	}
	return value
}

// written is the scalar at a field of a document, or "".
func written(doc document.Document, path string) string {
	n := doc.At(path)
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return ""
	}
	return n.Value
}

// rule is the DestinationRule, which has limits even when none are written.
func (in *install) rule() {
	const to, from, sim = "spec.loadBalancing", "spec.destinationRule", "spec.loadBalancing"
	lb := &in.spec.DestinationRule
	if !lb.Enabled {
		return
	}
	for _, field := range []struct{ name, fallback string }{
		{".algorithm", "ROUND_ROBIN"}, {".connectionPool.http1MaxPendingRequests", "1"}, {".connectionPool.maxRequestsPerConnection", "1"},
	} {
		at := shared{sim + field.name, from + field.name}
		if in.sim != nil && in.sim.LoadBalancing.Enabled && in.settled(at) || in.Copy(to+field.name, at.install) {
			continue
		}
		in.Set(to+field.name, serving.Scalar(field.fallback), at.install)
	}
	tight(in.Part, from)
}
