package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// A rule checks what no single field can say: fields that need, exclude or
// contradict each other. It is given a complete stack and must not change it.
type rule func(s stack) []schema.Problem

// A Rule is a rule that people know by its ID.
type Rule struct {
	// ID is stable: people silence rules by it.
	ID string
	// Severity is the highest of its findings.
	Severity schema.Severity
	// Doc says what goes wrong.
	Doc string

	find rule
}

// rules are run in this order on every stack.
var rules = []Rule{
	{"stack-release", schema.Error, "spec.release names a line that the catalogue does not have, or a line whose EPP is no longer maintained.", releaseLine},
	{"stack-model-source", schema.Error, "The source of the weights has a form or place that the servers cannot load from.", modelSource},
	{"stack-model-storage", schema.Error, "The volume of weights that come from Hugging Face is missing a field, or has one that does not go with the others.", modelStorage},
	{"stack-engine", schema.Error, "A section belongs to the engine that spec.server.engine does not select.", engineSections},
	{"stack-engine-support", schema.Error, "The engine does not support a setting on the release line.", engineFits},
	{"stack-vllm-setting", schema.Error, "A setting of vLLM is one that the engine, the release line or the accelerator does not have.", vllmSettings},
	{"stack-simulator-tokenizer", schema.Error, "The simulator would ask a render service for tokens, and there is none.", simulatorTokenizer},
	{"stack-launch", schema.Error, "A command is missing where spec.server.launch needs one, or is there where the program starts the server itself.", launchFits},
	{"stack-parallelism", schema.Error, "The ranks of a role cannot be spread over nodes, pods and ports as asked.", parallelismFits},
	{"stack-role-selector", schema.Error, "The labels by which a workload of the user's own selects its pods do not tell them from the others, or are missing where the pool selects.", selectorsFit},
	{"stack-accelerator", schema.Error, "The accelerators of a role do not suffice for its parallelism, are more than it uses, or are of a kind that the engine does not have.", acceleratorFits},
	{"stack-rdma", schema.Error, "Network adapters or the exchange of experts' tokens do not go with the engine or the security of the pods.", rdmaFits},
	{"stack-server-ports", schema.Error, "Two listeners of one pod would share a port.", serverPorts},
	{"stack-service-name", schema.Error, "A Service has the name of another one of the stack, or of the headless Service of a LeaderWorkerSet, or a LeaderWorkerSet that of another's workers.", serviceNames},
	{"stack-name-length", schema.Error, "Names that follow from the stack's are too long for the pods or labels that carry them.", longNames},
	{"stack-resources", schema.Error, "The resources of a container are such that the API server refuses them, or contradict the accelerators of the role.", resourcesFit},
	{"stack-amount", schema.Error, "A size is one that nothing can have, or a directory one that the container needs for itself.", amounts},
	{"stack-secret-in-clear", schema.Error, "An argument or a variable holds a key, token or password in clear. Name a Secret instead.", secretsInClear},
	{"stack-server-flag", schema.Error, "An argument of a model server keeps it from serving, or from starting.", serverFlags},
	{"stack-generated-arg", schema.Error, "An argument is generated too, and the values that follow from the field would not follow.", repeatedArgs},
	{"stack-generated-env", schema.Error, "A variable by which the generated parts find each other is set.", repeatedEnv},
	{"stack-multimodal", schema.Error, "Servers that take a part in requests with images are told to refuse images, or to do the part of encode servers.", readsImages},
	{"stack-visible-devices", schema.Error, "A variable hides devices of a pod that its ranks need.", devicesSeen},
	{"stack-offline", schema.Error, "Servers are kept from Hugging Face, and nothing else has their model.", offline},
	{"stack-server-tls", schema.Error, "The servers cannot speak TLS, or something that asks them cannot.", serverTLSFits},
	{"stack-server-pod", schema.Error, "Labels, volumes, ports or containers that are added to the servers' pods take the place of generated ones or refer to something that does not exist.", serverPods},
	{"stack-workload-metadata", schema.Error, "A label or annotation of a workload is generated, or stands where nothing reads it.", workloadMetadata},
	{"stack-pod-standard", schema.Warning, "A namespace that enforces the restricted Pod Security Standard, which the other pods meet, refuses these.", podStandard},
	{"stack-server-patch", schema.Error, "A podTemplatePatch of the servers cannot be merged, or does not fit a pod template.", serverPatches},
	{"stack-kv-transfer", schema.Error, "The transfer of KV cache does not go with the engine, the accelerator or the release line.", kvTransferFits},
	{"stack-variants", schema.Error, "The variants of a role have one name, serve other models, or cannot work together.", variantsFit},
	{"stack-offload", schema.Error, "KV blocks cannot be kept outside of the accelerators' memory as asked, or a tier does not fit its volume.", offloadFits},
	{"stack-host-memory", schema.Error, "Shared memory and offloaded KV cache do not fit the memory limit of their container.", hostMemoryFits},
	{"stack-server-image", schema.Error, "The image of a role is known to lack something that the stack asks of it.", imageFits},
	{"stack-image-tag", schema.Warning, "The content of an image may change under its tag, so that two pods of a rollout may differ.", imageTags},
	{"stack-shutdown", schema.Error, "The grace period of a server ends before its preStop hook or its running requests do.", shutdownFits},
	{"stack-rollout", schema.Error, "The rollout of a role does not go with its kind of workload.", rolloutsFit},
	{"stack-disaggregated-set", schema.Error, "The roles cannot be one DisaggregatedSet, or one of them has a setting that its roles do not have.", disaggregatedSetFits},
	{"stack-no-servers", schema.Warning, "There are no servers or no EPP until somebody scales them up, and requests fail until then.", noServers},
	{"stack-platform-ids", schema.Error, "The user or group IDs are set and left to the platform at the same time.", platformIDsFit},
	{"stack-autoscaling", schema.Error, "The autoscaling of a role has bounds, metrics or triggers that contradict each other or the rest of the stack.", autoscalingFits},
	{"stack-disruption-budget", schema.Error, "A disruption budget says nothing, two things, or never lets a pod be evicted.", disruptionBudgets},
	{"stack-gateway-class", schema.Error, "A field belongs to another class of gateway.", gatewayClass},
	{"stack-gateway-name", schema.Error, "The objects of two gateways would have one name in one namespace.", gatewayNames},
	{"stack-gateway-namespace", schema.Error, "The namespaces whose routes a gateway admits, or that its objects must name, are not known.", gatewayNamespaces},
	{"stack-listener", schema.Error, "The listeners of a gateway conflict, or lack a certificate, port or name.", listenersFit},
	{"stack-hostname", schema.Error, "A host name is an IP address, or no listener that the route attaches to serves it.", hostnames},
	{"stack-ext-proc", schema.Error, "The gateway cannot be told to ask the EPP in the way that the stack selects.", extProcFits},
	{"stack-epp-bypass", schema.Error, "Requests bypass the EPP, or the route leads to a pool that is not made.", bypass},
	{"stack-split", schema.Error, "The pools that share the traffic of a route receive none of it, or in a way that the gateway does not support.", splitFits},
	{"stack-standalone-route", schema.Error, "The standalone proxy does not support a field of the route.", standaloneRoute},
	{"stack-standalone-proxy", schema.Error, "The settings of the standalone proxy contradict each other or those of its pod.", standaloneProxy},
	{"stack-route-timeout", schema.Error, "The timeouts of the route contradict each other, or the gateway does not support them.", routeTimeouts},
	{"stack-route-rule", schema.Error, "The API server refuses the rule of the HTTPRoute, or the gateway does not support it.", routeRules},
	{"stack-route-rules", schema.Error, "The rules of a route contradict its other fields or each other, or a backend of one is incomplete.", severalRules},
	{"stack-load-balancing", schema.Error, "Nothing would carry out the load balancing that is asked for.", loadBalancingFits},
	{"stack-connection-times", schema.Error, "Istio refuses times of less than a millisecond.", connectionTimes},
	{"stack-delivery-key", schema.Error, "A label or annotation of the emitted objects is generated, or has a form that is refused.", deliveryKeys},
	{"stack-smoke-test", schema.Error, "The smoke test does not know the way to the servers, or carries a credential.", smokeTestFits},
	{"stack-monitoring", schema.Error, "Monitoring is asked for in a way that scrapes nothing or never alerts.", monitoringSense},
	{"stack-network-policy", schema.Error, "The network policies would cut off traffic that the rest of the stack needs.", networkPolicySense},
	{"stack-scheduler-form", schema.Error, "The EPP is configured in two ways at once.", schedulerForms},
	{"stack-preset", schema.Error, "The release line has no form of the preset for this stack.", presetFits},
	{"stack-epp-replicas", schema.Error, "Several active replicas of the EPP would each know only their own requests, which the preset or its scorers depend on.", statefulReplicas},
	{"stack-plugins", schema.Error, "The filters, scorers or the picker that are listed do not exist on the release line, or do not go together.", listedPlugins},
	{"stack-epp-config", schema.Error, "The EndpointPickerConfig in spec.scheduler.config is one that the EPP does not start with, or that does not go with the stack.", wholeConfig},
	{"stack-latency-predictor", schema.Error, "Plugins need predicted latencies and nobody predicts them, or latencies are predicted and no plugin reads them.", latencyPredictorFits},
	{"stack-experimental-plugins", schema.Info, "A plugin is experimental on the release line, so the EPP gets the flag that allows it.", experimentalPlugins},
	{"stack-kv-events", schema.Error, "KV-cache events do not reach the EPP, or it cannot read them.", kvEvents},
	{"stack-redis", schema.Error, "A setting of Redis has no Redis to set.", redisForm},
	{"stack-epp-flag", schema.Error, "A flag of the EPP is generated, or keeps it from starting.", eppFlags},
	{"stack-flag-value", schema.Error, "The program that reads a flag does not have it, or does not accept its value.", flagValues},
	{"stack-kubelet", schema.Error, "The API server accepts the pod, and the kubelet does not start it.", kubeletTakes},
	{"stack-startup-probe", schema.Warning, "The startup probe restarts servers before they can have loaded a model.", startupBudget},
	{"stack-transfer-config", schema.Error, "A --kv-transfer-config names a role or connector that does not exist.", transferConfigs},
	{"stack-encode", schema.Error, "The encode servers, or the transfer of what they make, do not go with the engine, the accelerator or the release line.", encodeFits},
	{"stack-unlike-roles", schema.Warning, "Prefill and decode servers differ in a setting in which they must be alike, since one reads the KV cache of the other.", unlikeRoles},
	{"stack-epp-serving", schema.Error, "The certificate or the ports of the EPP contradict each other.", eppServing},
	{"stack-no-effect", schema.Warning, "A field is written and has no effect.", unusedSettings},
	{"stack-epp-pod", schema.Error, "Something that is added to the EPP's pod takes a generated name, or changes a label by which the pod is found.", eppPod},
	{"stack-epp-patch", schema.Error, "The podTemplatePatch of the EPP cannot be merged, or does not fit a pod template.", eppPatch},
	{"stack-epp-image", schema.Warning, "The image of the EPP belongs to another release line, whose flags and configuration differ.", eppImage},
	{"stack-epp-namespace", schema.Error, "The EPP is in another namespace than the servers, and something does not reach across.", eppNamespace},
	{"stack-pool-selector", schema.Error, "The selector of the pool finds other pods than the servers, or not all of them.", poolSelector},
	{"stack-pool-port", schema.Error, "The servers do not listen on a port of the pool.", poolPorts},
	{"stack-without-pool", schema.Error, "A section needs the InferencePool, which is not made.", withoutPool},
	{"stack-objective-name", schema.Error, "Two objectives have the same name, and so would their objects.", objectiveNames},
	{"stack-adapters", schema.Error, "An adapter has a name, source or size that the servers cannot load.", adaptersFit},
	{"stack-model-rewrite", schema.Error, "An alias or rollout of a model matches nothing, or leads to a model that nobody serves.", modelRewritesFit},
}

// All lists the rules between fields, after what the walk itself reports.
func All() []Rule { return slices.Concat(walkRules, rules) }

// The IDs of what is reported beside the rules and the walk.
const (
	ruleFailed = "stack-rule-failed"
	ruleIgnore = "stack-ignore-incomplete"
)

var walkRules = []Rule{
	{document.RuleUnknown, schema.Error, "A document has a field that its kind does not have. A near name is proposed where there is one.", nil},
	{document.RuleMissing, schema.Error, "A document lacks a field that is required.", nil},
	{document.RuleValue, schema.Error, "A value is of another type than its field, out of its bounds, does not match its pattern, is written twice, or cannot be read.", nil},
	{ruleFailed, schema.Error, "A rule itself failed on a document that has other errors. Please report it together with the document.", nil},
	{ruleIgnore, schema.Warning, "The annotation that silences rules names one of a stack that does not exist, or gives no reason.", nil},
}

// judge runs the rules and keeps what they say about sound parts: what follows
// from a field that is wrong anyway would only be noise.
func judge(s stack, rules []Rule, structural schema.Problems) (out schema.Problems) {
	bad := structural.Errors()
	for i := range rules {
		for _, p := range rules[i].ask(s, len(bad) > 0) {
			if tainted(p, bad) {
				continue
			}
			p.Rule = cmp.Or(p.Rule, rules[i].ID)
			moved := s.written(p)
			if moved.Path == p.Path || !slices.ContainsFunc(out, moved.Same) {
				out = append(out, moved)
			}
		}
	}
	return out
}

// ask runs a rule. In a stack with errors a required value may be missing: a rule that did not
// reckon with that is reported, and the other findings with it.
func (r *Rule) ask(s stack, broken bool) (out []schema.Problem) {
	if broken {
		defer func() {
			if p := recover(); p != nil {
				failed := s.Problem(schema.Error, "", "the rule %s failed: %v", r.ID, p)
				failed.Rule = ruleFailed
				out = append(out, failed)
			}
		}()
	}
	return r.find(s)
}

// tainted reports whether a finding is about something wrong, or names it: the rule read a
// default in its place.
func tainted(p schema.Problem, bad schema.Problems) bool {
	for _, b := range bad {
		top := suspect(b)
		for _, path := range append([]string{p.Path}, p.Related...) {
			if finding.Within(path, b.Path) || path != "" && finding.Within(b.Path, path) || top != "" && finding.Within(path, top) {
				return true
			}
		}
	}
	return false
}

// suspect is the section in which nothing is certain: the one that lacks a field, or has one
// under another name, and a list of which a wrong item is left out.
func suspect(bad schema.Problem) string {
	i := strings.LastIndexAny(bad.Path, ".[")
	if i <= 0 || bad.Rule == document.RuleValue && bad.Path[i] == '.' || !strings.ContainsAny(bad.Path[:i], ".[") {
		return ""
	}
	return bad.Path[:i]
}
