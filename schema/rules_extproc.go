package schema

// istioDuplexMinor is the first minor version of Istio 1 whose proxy (Envoy 1.33) has
// ext_proc's body mode FULL_DUPLEX_STREAMED, which the EPP needs (envoyproxy/envoy 34942).
const istioDuplexMinor = 25

// extProcFits checks that the gateway can be told to ask the EPP in the way the spec says.
func extProcFits(s *Stack) []Problem {
	var out []Problem
	for _, g := range s.gatewaysAt() {
		at := g.path + ".extProc"
		switch {
		case g.ExtProc == "envoyFilter" && g.Class != "istio" && g.Class != "envoy":
			out = append(out, s.Problem(Error, at, "an EnvoyFilter works with class istio only; leave it out for class %s, which understands InferencePool", g.Class))
		case g.ExtProc == "native" && g.Class == "istio" && !g.Istio.understandsPools():
			out = append(out, s.Problem(Error, at, "native needs Istio 1.28 or later with ENABLE_GATEWAY_API_INFERENCE_EXTENSION=true; "+
				"use envoyFilter, or correct istio (version %s, inferenceExtension %t)", g.Istio.Version, g.Istio.InferenceExtension))
		case g.Class == "kgateway" && s.routed() && s.scored() && minor(g.KGateway.Version) > 1:
			out = append(out, s.Problem(Error, g.path+".kgateway.version", "kgateway %s leaves InferencePool to agentgateway; use class agentgateway, or class envoy", g.KGateway.Version))
		case g.Class == "istio" && !g.UsesEnvoyFilter() && s.Has(g.path+".envoyFilter"):
			out = append(out, s.Problem(Error, g.path+".envoyFilter", "is not used, for this Istio understands InferencePool; remove it, or set extProc: envoyFilter"))
		}
		if s.routed() && s.scored() && !s.Spec.Scheduler.SecureServing {
			out = append(out, s.plainPicker(g)...)
		}
		if g.UsesEnvoyFilter() && s.routed() && s.scored() {
			out = append(out, s.envoyFilterFits(g)...)
		}
	}
	return out
}

// plainPicker reports an EPP without TLS behind gateways that speak TLS to it: agentgateway
// always does (controller/pkg/agentgateway/plugins/inference_plugin.go), and so do all of
// kgateway's own examples.
func (s *Stack) plainPicker(g gatewayAt) []Problem {
	const at = schedulerPath + ".secureServing"
	switch g.Class {
	case "agentgateway":
		return []Problem{s.Problem(Error, at, "must be true with gateway class agentgateway, which always speaks TLS to the EPP: every request would fail")}
	case "kgateway":
		return []Problem{s.Problem(Warning, at, "kgateway is known to speak TLS to the EPP only; leave it true")}
	}
	return nil
}

// routed says whether the gateways get a route.
func (s *Stack) routed() bool { return s.Spec.Route.Enabled }

// envoyFilterFits says what an EnvoyFilter cannot do.
func (s *Stack) envoyFilterFits(g gatewayAt) []Problem {
	var out []Problem
	if s.Metadata.Namespace == "" {
		out = append(out, s.Problem(Error, "metadata.namespace", "is required because %s is wired by an EnvoyFilter, which names the EPP with its namespace", g.path))
	}
	if len(s.Spec.Route.Split) > 0 {
		out = append(out, s.Problem(Error, "spec.route.split", "does not work with an EnvoyFilter, which sends all of the route's requests to one pool; tell the pools apart by route.matches, a stack for each"))
	}
	if minor(g.Istio.Version) < istioDuplexMinor {
		out = append(out, s.Problem(Error, g.path+".istio.version", "must be 1.25 or later: the proxy of Istio %s does not know ext_proc's body mode FULL_DUPLEX_STREAMED, which the EPP needs", g.Istio.Version))
	}
	if s.Spec.Scheduler.FailureMode == "FailOpen" {
		out = append(out, s.Problem(Warning, "spec.scheduler.failureMode", "FailOpen has no effect with an EnvoyFilter: without the EPP's choice there is no server to go to, and the gateway answers 503"))
	}
	return out
}

// splitFits looks at pools that share the traffic of a route.
func splitFits(s *Stack) []Problem {
	route := &s.Spec.Route
	total := route.Weight
	for _, other := range route.Split {
		total += other.Weight
	}
	if total == 0 && len(s.gatewaysAt()) > 0 {
		return []Problem{s.Problem(Error, "spec.route.weight", "is 0, and so is every other weight: no request would be answered")}
	}
	for _, g := range s.gatewaysAt() {
		if len(route.Split) > 0 && route.Backend == "pool" && g.Class == "istio" && !g.UsesEnvoyFilter() {
			// istio pilot/pkg/config/kube/gateway/conversion.go keeps one
			// inferencePoolConfig for a rule.
			return []Problem{s.Problem(Error, "spec.route.split", "is wrong on Istio, which asks the EPP of the last pool for all of them; tell the pools apart by route.matches, a stack for each")}
		}
	}
	return nil
}
