package schema

import "strings"

// A rule checks what no single field can say: fields that need, exclude or
// contradict each other. It is given a complete stack and must not change it.
type rule func(s *Stack) []Problem

// rules are run in this order on every stack.
var rules = []rule{
	releaseLine,
	modelSource,
	modelStorage,
	engineSections,
	engineFits,
	simulatorTokenizer,
	launchFits,
	parallelismFits,
	acceleratorFits,
	serverPorts,
	serviceNames,
	longNames,
	resourcesFit,
	amounts,
	secretsInClear,
	serverFlags,
	repeatedArgs,
	repeatedEnv,
	serverPods,
	podStandard,
	serverPatches,
	kvTransferFits,
	hostMemoryFits,
	imageFits,
	imageTags,
	shutdownFits,
	rolloutsFit,
	noServers,
	platformIDsFit,
	autoscalingFits,
	disruptionBudgets,
	gatewayClass,
	gatewayNames,
	gatewayNamespaces,
	listenersFit,
	hostnamesAreServed,
	extProcFits,
	bypass,
	splitFits,
	standaloneRoute,
	standaloneProxy,
	routeTimeouts,
	routeRules,
	loadBalancingFits,
	deliveryKeys,
	monitoringSense,
	networkPolicySense,
	schedulerForms,
	presetFits,
	statefulReplicas,
	listedPlugins,
	wholeConfig,
	experimentalPlugins,
	kvEvents,
	redisForm,
	eppFlags,
	flagValues,
	kubeletTakes,
	startupBudget,
	transferConfigs,
	unlikeRoles,
	eppServing,
	unusedSettings,
	eppPod,
	eppPatch,
	eppImage,
	eppNamespace,
	poolSelector,
	poolPorts,
	withoutPool,
	objectiveNames,
	adaptersFit,
	modelRewritesFit,
}

// judge runs the rules and keeps what they say about sound parts: what follows
// from a field that is wrong anyway would only be noise.
func judge(s *Stack, rules []rule, structural Problems) Problems {
	var out Problems
	for _, r := range rules {
		for _, p := range ask(r, s, len(structural.Errors()) > 0) {
			if !tainted(p.Path, structural) {
				out = append(out, p)
			}
		}
	}
	return out
}

// ask runs a rule. In a stack with errors a required value may be missing, which
// a rule need not reckon with: the errors are reported anyway.
func ask(r rule, s *Stack, broken bool) (out []Problem) {
	if broken {
		defer func() { _ = recover() }()
	}
	return r(s)
}

// tainted reports whether a path lies at, below or above a bad field, or beside one
// in the same section.
func tainted(path string, bad Problems) bool {
	for _, b := range bad {
		if b.Severity != Error {
			continue
		}
		if within(path, b.Path) || within(b.Path, path) {
			return true
		}
		i := strings.LastIndexAny(b.Path, ".[")
		if i > 0 && strings.ContainsAny(b.Path[:i], ".[") && within(path, b.Path[:i]) {
			return true
		}
	}
	return false
}

// within reports whether path is top or below it.
func within(path, top string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (rest == "" || top == "" || rest[0] == '.' || rest[0] == '[')
}
