package rules

import (
	"github.com/inferstack/inferstack/schema"
)

// An unused names fields that have an effect only where something else is asked for.
type unused struct {
	fields []string
	used   func(stack) bool
	why    string
}

// unusedFields is the table of them. TestEveryFieldHasAnEffect finds what it misses.
var unusedFields = []unused{
	{[]string{"spec.server.sidecarTargetPort"},
		stack.Disaggregated,
		"without prefill or encode servers, which the routing sidecar asks"},
	{[]string{"spec.server.service.name", "spec.server.service.port", "spec.server.service.selector", "spec.server.service.type"},
		stack.HasPlainService,
		"because nothing asks for the plain Service; set server.service.enabled: true"},
	{[]string{"spec.scheduler.tokenizer.replicas", "spec.scheduler.tokenizer.resources"},
		stack.rendersHere,
		"because the stack has no render service"},
	{[]string{"spec.scheduler.highAvailability"},
		func(s stack) bool { return s.Spec.Scheduler.Replicas > 1 },
		"with one replica of the EPP"},
	{[]string{"spec.kvCache.events.mode", "spec.kvCache.events.port", "spec.kvCache.events.replayPort", "spec.kvCache.events.centralPort"},
		func(s stack) bool { return s.line() == nil || s.FollowsEvents(s.line()) },
		"because the EPP follows no KV-cache events; preset precise-prefix does"},
	{[]string{"spec.kvCache.blockSize"},
		func(s stack) bool {
			return !s.Simulated() || s.Spec.Server.Simulator.KVCacheSize != nil || s.line() == nil || s.FollowsEvents(s.line())
		},
		"with the simulator, unless server.simulator.kvCacheSize is set or the EPP follows KV-cache events"},
	{[]string{"spec.scheduler.connectionPool"},
		func(s stack) bool {
			return s.AnyGateway(func(g *schema.Gateway) bool { return g.Row().DestinationRule })
		},
		"because it is written into a DestinationRule, which only the proxies of Istio read"},
	{[]string{"spec.model.storage.size", "spec.model.storage.mountPath"},
		func(s stack) bool { return !s.Simulated() || s.Spec.Model.Storage.Type == "pvc" }, // which is reported
		"with the simulator, which loads no weights"},
	{[]string{"spec.server.sharedMemory", "spec.decode.parallelism.tensor", "spec.decode.parallelism.pipeline", "spec.decode.parallelism.expert",
		"spec.prefill.parallelism.tensor", "spec.prefill.parallelism.pipeline", "spec.prefill.parallelism.expert",
		"spec.encode.parallelism.tensor", "spec.encode.parallelism.pipeline", "spec.encode.parallelism.expert"},
		func(s stack) bool { return !s.Simulated() },
		"with the simulator, which computes nothing"},
	{[]string{"spec.ecTransfer.cpuMemory", "spec.ecTransfer.sideChannelPort"},
		func(s stack) bool { return s.Spec.Encode == nil || s.OwnECConnector(schema.ECNIXL) }, // without encode servers the section is reported
		"because nothing uses it: it is for vLLM with connector ec-nixl, without config"},
	{[]string{"spec.ecTransfer.claimName"},
		func(s stack) bool { return s.Spec.Encode == nil || s.OwnECConnector(schema.ECExample) },
		"because nothing uses it: it is for vLLM with connector ec-example, without config"},
	{[]string{"spec.ecTransfer.config", "spec.ecTransfer.consumerConfig"},
		func(s stack) bool { return s.Spec.Encode == nil || s.RunsVLLM() },
		"because it is vLLM's"},
	{[]string{"spec.route"},
		func(s stack) bool { return len(s.Gateways()) > 0 },
		"without a gateway"},
	{[]string{"spec.networkPolicy.gatewayNamespaces"},
		func(s stack) bool { return !s.AnyGateway(func(g *schema.Gateway) bool { return g.Row().Outside }) },
		"because the gateway's proxies are outside of the cluster, and every peer is admitted"},
}

// unusedSettings reports fields that are written and have no effect.
func unusedSettings(s stack) (out []schema.Problem) {
	for _, u := range unusedFields {
		for _, at := range u.fields {
			if s.Has(at) && !u.used(s) {
				out = append(out, s.Problem(schema.Info, at, "has no effect %s", u.why))
			}
		}
	}
	return out
}

// rendersHere reports whether the stack makes a render service.
func (s stack) rendersHere() bool {
	line := s.line()
	return line == nil || s.FollowsEvents(line) && line.EPP.Tokenizer == "render" && s.Spec.Scheduler.Tokenizer.URL == ""
}
