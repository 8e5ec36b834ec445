package schema

// An unused names fields that have an effect only where something else is asked for.
type unused struct {
	fields []string
	used   func(*Stack) bool
	why    string
}

// unusedFields is the table of them. TestEveryFieldHasAnEffect finds what it misses.
var unusedFields = []unused{
	{[]string{"spec.server.sidecarTargetPort"},
		(*Stack).Disaggregated,
		"without prefill or encode servers, which the routing sidecar asks"},
	{[]string{"spec.server.service.name", "spec.server.service.port", "spec.server.service.selector", "spec.server.service.type"},
		(*Stack).HasPlainService,
		"because nothing asks for the plain Service; set server.service.enabled: true"},
	{[]string{"spec.scheduler.tokenizer.replicas", "spec.scheduler.tokenizer.resources"},
		(*Stack).rendersHere,
		"because the stack has no render service"},
	{[]string{"spec.scheduler.highAvailability"},
		func(s *Stack) bool { return s.Spec.Scheduler.Replicas > 1 },
		"with one replica of the EPP"},
	{[]string{"spec.kvCache.events.mode", "spec.kvCache.events.port", "spec.kvCache.events.replayPort", "spec.kvCache.events.centralPort"},
		func(s *Stack) bool { return s.line() == nil || s.FollowsEvents(s.line()) },
		"because the EPP follows no KV-cache events; preset precise-prefix does"},
	{[]string{"spec.kvCache.blockSize"},
		func(s *Stack) bool {
			return !s.Simulated() || s.Spec.Server.Simulator.KVCacheSize != nil || s.line() == nil || s.FollowsEvents(s.line())
		},
		"with the simulator, unless server.simulator.kvCacheSize is set or the EPP follows KV-cache events"},
	{[]string{"spec.scheduler.connectionPool"},
		func(s *Stack) bool { return s.anyGateway(func(g *Gateway) bool { return g.Row().DestinationRule }) },
		"because it is written into a DestinationRule, which only the proxies of Istio read"},
	{[]string{"spec.model.storage.size", "spec.model.storage.mountPath"},
		func(s *Stack) bool { return !s.Simulated() || s.Spec.Model.Storage.Type == "pvc" }, // which is reported
		"with the simulator, which loads no weights"},
	{[]string{"spec.server.sharedMemory", "spec.decode.parallelism.tensor", "spec.decode.parallelism.pipeline", "spec.decode.parallelism.expert",
		"spec.prefill.parallelism.tensor", "spec.prefill.parallelism.pipeline", "spec.prefill.parallelism.expert",
		"spec.encode.parallelism.tensor", "spec.encode.parallelism.pipeline", "spec.encode.parallelism.expert"},
		func(s *Stack) bool { return !s.Simulated() },
		"with the simulator, which computes nothing"},
	{[]string{"spec.ecTransfer.cpuMemory", "spec.ecTransfer.sideChannelPort"},
		func(s *Stack) bool { return s.Spec.Encode == nil || s.ownECConnector(ECNIXL) }, // without encode servers the section is reported
		"because nothing uses it: it is for vLLM with connector ec-nixl, without config"},
	{[]string{"spec.ecTransfer.claimName"},
		func(s *Stack) bool { return s.Spec.Encode == nil || s.ownECConnector(ECExample) },
		"because nothing uses it: it is for vLLM with connector ec-example, without config"},
	{[]string{"spec.ecTransfer.config", "spec.ecTransfer.consumerConfig"},
		func(s *Stack) bool { return s.Spec.Encode == nil || s.RunsVLLM() },
		"because it is vLLM's"},
	{[]string{"spec.route"},
		func(s *Stack) bool { return len(s.gateways()) > 0 },
		"without a gateway"},
	{[]string{"spec.networkPolicy.gatewayNamespaces"},
		func(s *Stack) bool { return !s.anyGateway(func(g *Gateway) bool { return g.Row().Outside }) },
		"because the gateway's proxies are outside of the cluster, and every peer is admitted"},
}

// unusedSettings reports fields that are written and have no effect.
func unusedSettings(s *Stack) []Problem {
	var out []Problem
	for _, u := range unusedFields {
		for _, at := range u.fields {
			if s.Has(at) && !u.used(s) {
				out = append(out, s.Problem(Info, at, "has no effect %s", u.why))
			}
		}
	}
	return out
}

func (s *Stack) anyGateway(is func(*Gateway) bool) bool {
	for _, g := range s.gateways() {
		if is(g) {
			return true
		}
	}
	return false
}

// rendersHere reports whether the stack makes a render service.
func (s *Stack) rendersHere() bool {
	line := s.line()
	return line == nil || s.FollowsEvents(line) && line.EPP.Tokenizer == "render" && s.Spec.Scheduler.Tokenizer.URL == ""
}

// HasPlainService reports whether the plain Service over the servers is made: because it
// was asked for, because a route or a rule needs it, or because without an EPP there is no
// other way to the servers.
func (s *Stack) HasPlainService() bool {
	return s.Spec.Server.Service.Enabled || s.Spec.LoadBalancing != nil || !s.Spec.Scheduler.Enabled || s.anyGateway(s.ToService)
}

// ToService reports whether requests of the gateway go to the plain Service: as a bypass,
// because an Istio that does not know pools accepts no other backend (pilot
// pkg/config/kube/gateway, InferencePool is not enabled), or as the standalone proxy's way
// past an EPP that is down.
func (s *Stack) ToService(g *Gateway) bool {
	if g.Standalone() {
		return !s.Scored() || s.Spec.Scheduler.FailureMode == "FailOpen"
	}
	return s.routed() && (s.leads(backendService) || s.leads(backendPool) && g.UsesEnvoyFilter())
}
