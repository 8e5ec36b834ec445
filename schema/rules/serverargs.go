package rules

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/schema"
)

// A generated flag or variable, and the field that sets it.
type generated struct{ name, field string }

// repeatedArgs refuses arguments that are generated too: the later one wins, and the
// ports, counts and peers that were derived from the field would not follow.
func repeatedArgs(s stack) []schema.Problem {
	if s.Spec.Server.Launch == "custom" || s.line() == nil {
		return nil
	}
	var all []generated // the role that is named is the first of those that have the field
	for _, r := range s.Workloads() {
		all = append(all, s.generatedFlags(r)...)
	}
	out := s.repeated("spec.server.args", s.Spec.Server.Args, all)
	for _, r := range s.Workloads() {
		out = append(out, s.repeated(r.Path+".args", r.Args, s.generatedFlags(r))...)
	}
	return out
}

func (s stack) repeated(at string, args []string, flags []generated) (out []schema.Problem) {
	for i, arg := range args {
		name, found := s.flagName(arg)
		for _, flag := range flags {
			if found && flag.name == name {
				out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "--%s is generated from %s; set that instead", name, flag.field))
				break
			}
		}
	}
	return out
}

// shortFlags are vLLM's short names of flags that are generated (vllm
// engine/arg_utils.py).
var shortFlags = map[string]string{
	"tp": "tensor-parallel-size", "pp": "pipeline-parallel-size", "ep": "enable-expert-parallel",
	"dp": "data-parallel-size", "dpl": "data-parallel-size-local", "dpn": "data-parallel-rank",
	"dpr": "data-parallel-start-rank", "dpa": "data-parallel-address", "dpp": "data-parallel-rpc-port",
}

// flagName returns the flag of an argument in the spelling of the release lines: vLLM
// takes underscores and negations too.
func flagName(arg string) (string, bool) {
	name, isFlag := strings.CutPrefix(arg, "-")
	if !isFlag {
		return "", false
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	name, _, _ = strings.Cut(name, " ")
	name = strings.TrimPrefix(argv.Hyphened(name), "no-")
	return name, true
}

// flagName is flagName with the engine's further spellings of one flag made the same.
func (s stack) flagName(arg string) (string, bool) {
	name, found := flagName(arg)
	aliases := shortFlags
	if line := s.line(); line != nil {
		if e, other := s.EngineOf(line); other {
			aliases = e.Aliases
		}
	}
	return cmp.Or(aliases[name], name), found
}

// generatedFlags lists the flags of the role's servers that have a field which is in use.
func (s stack) generatedFlags(r schema.Workload) []generated {
	switch {
	case s.Simulated():
		return s.simulatorFlags(r)
	case s.RunsVLLM():
		return s.vllmFlags(r)
	default:
		return s.engineFlags(r)
	}
}

func (s stack) vllmFlags(r schema.Workload) []generated {
	names, parallelism := s.line().VLLM.Flags, r.Path+".parallelism."
	flags := []generated{
		{"model", "spec.model.name"},
		{names["port"], "spec.server.port"},
		{names["servedModelName"], "spec.model.servedNames"},
		{names["tensorParallelSize"], parallelism + "tensor"},
		{names["pipelineParallelSize"], parallelism + "pipeline"},
		{names["expertParallel"], parallelism + "expert"},
		{names["nodes"], parallelism + "nodes"},
	}
	for _, name := range []string{"dataParallelSize", "dataParallelSizeLocal", "dataParallelRank", "dataParallelStartRank",
		"dataParallelAddress", "dataParallelRPCPort", "dataParallelExternalLB", "dataParallelSupervisorPort", "dataParallelHybridLB"} {
		flags = append(flags, generated{names[name], parallelism + "data"})
	}
	if r.Parallelism.All2allBackend != "" {
		flags = append(flags, generated{names["all2allBackend"], parallelism + "all2allBackend"})
	}
	add := func(set bool, name, field string) {
		if set {
			flags = append(flags, generated{names[name], field})
		}
	}
	add(s.Spec.KVCache.BlockSize != nil || s.precisePrefix(), "blockSize", "spec.kvCache.blockSize")
	add(s.Spec.Prefill != nil || s.OffloadOf(r.Role) != nil || s.Spec.KVTransfer.Config != nil, "kvTransferConfig", "spec.kvTransfer.config")
	add(s.Spec.Encode != nil, "ecTransferConfig", "spec.ecTransfer.config")
	add(r.RoleName == schema.RoleEncode, "mmEncoderOnly", "spec.encode")
	add(s.precisePrefix(), "kvEventsConfig", "spec.kvCache.events")
	add(s.Spec.Monitoring != nil && s.Spec.Monitoring.Tracing != nil, "otlpTracesEndpoint", "spec.monitoring.tracing.endpoint")
	for _, setting := range settings(s.VLLMOf(r.Role)) {
		add(vllmVariables[setting] == "", setting, s.settingPath(r, setting))
		add(setting == "toolCallParser", "autoToolChoice", s.settingPath(r, setting))
	}
	return flags
}

func (s stack) simulatorFlags(r schema.Workload) []generated {
	const at = "spec.server.simulator."
	names, sim := s.line().Simulator.Flags, &s.Spec.Server.Simulator
	flags := []generated{
		{names["port"], "spec.server.port"},
		{names["model"], "spec.model.name"},
		{names["servedModelName"], "spec.model.servedNames"},
		{names["mode"], at + "mode"},
		{names["dataParallelSize"], r.Path + ".parallelism.data"},
		{names["dummyTokenizer"], at + "dummyTokenizer"},
		{names["renderURL"], "spec.scheduler.tokenizer.url"},
	}
	add := func(set bool, name, field string) {
		if set {
			flags = append(flags, generated{names[name], field})
		}
	}
	add(sim.TimeToFirstToken != "", "timeToFirstToken", at+"timeToFirstToken")
	add(sim.InterTokenLatency != "", "interTokenLatency", at+"interTokenLatency")
	add(sim.KVCacheTransferLatency != "", "kvCacheTransferLatency", at+"kvCacheTransferLatency")
	add(sim.KVCacheSize != nil || s.precisePrefix(), "enableKVCache", at+"kvCacheSize")
	add(sim.KVCacheSize != nil, "kvCacheSize", at+"kvCacheSize")
	add(sim.KVCacheSize != nil || s.precisePrefix(), "hashSeed", "spec.kvCache.hashSeed")
	add(s.Spec.KVCache.BlockSize != nil || s.precisePrefix(), "blockSize", "spec.kvCache.blockSize")
	add(s.precisePrefix(), "zmqEndpoint", "spec.kvCache.events")
	add(sim.MaxNumSeqs != nil, "maxNumSeqs", at+"maxNumSeqs")
	add(sim.MaxModelLen != nil, "maxModelLen", at+"maxModelLen")
	add(sim.Verbosity != nil, "verbosity", at+"verbosity")
	add(r.RoleName == schema.RoleEncode, "mmEncoderOnly", "spec.encode")
	return flags
}

// repeatedEnv refuses environment variables by which the generated parts find each other.
func repeatedEnv(s stack) []schema.Problem {
	all := s.generatedEnv()
	out := s.envRepeated("spec.server.env", s.Spec.Server.Env, all)
	for _, r := range s.Workloads() {
		out = append(out, s.envRepeated(r.Path+".env", r.Env, all)...)
	}
	for i, v := range s.Spec.Scheduler.Env {
		if s.Spec.Scheduler.LatencyPredictor != nil && (v.Name == "PREDICTION_SERVER_URL" || v.Name == "TRAINING_SERVER_URL") {
			out = append(out, s.Problem(schema.Error, finding.Indexed(schedulerPath+".env", i), "%s is generated from %s; leave one of them out", v.Name, schema.Path(latencyPath)))
		}
	}
	return out
}

func (s stack) envRepeated(at string, vars []corev1.EnvVar, all []generated) (out []schema.Problem) {
	for i, v := range vars {
		for _, g := range all {
			if v.Name == g.name {
				out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "%s is generated from %s; set that instead", v.Name, g.field))
			}
		}
	}
	return out
}

func (s stack) generatedEnv() (vars []generated) {
	add := func(set bool, name, field string) {
		if set {
			vars = append(vars, generated{name, field})
		}
	}
	nixl := s.Spec.Prefill != nil && s.RunsVLLM() && s.Connector() == "nixlv2"
	ecNIXL := s.Spec.Encode != nil && s.RunsVLLM() && s.Spec.ECTransfer.Connector == schema.ECNIXL
	scheme := s.Spec.Model.ParsedSource().Scheme
	add(nixl, "VLLM_NIXL_SIDE_CHANNEL_HOST", "the pod's address")
	add(nixl, "VLLM_NIXL_SIDE_CHANNEL_PORT", "spec.kvTransfer.sideChannelPort")
	add(s.Spec.Model.TokenSecret != nil, "HF_TOKEN", "spec.model.tokenSecret")
	add(s.Spec.Prefill != nil && s.RunsVLLM() && s.Connector() == "mooncake", "VLLM_MOONCAKE_BOOTSTRAP_PORT", "spec.kvTransfer.bootstrapPort")
	add(ecNIXL, "VLLM_EC_SIDE_CHANNEL_HOST", "the pod's address")
	add(ecNIXL, "VLLM_EC_SIDE_CHANNEL_PORT", "spec.ecTransfer.sideChannelPort")
	add(ecNIXL, "VLLM_USE_V2_MODEL_RUNNER", "spec.ecTransfer.connector")
	add(s.precisePrefix() && s.RunsVLLM() || s.anyOffload(stack.SharesHashes), "PYTHONHASHSEED", "spec.kvCache.hashSeed")
	add(s.anyOffload(stack.usesLMCache), "LMCACHE_MAX_LOCAL_CPU_SIZE", "kvCache.offload.cpuMemory")
	add(s.anyOffload(stack.usesLMCache), "LMCACHE_CACHE_POLICY", "kvCache.offload.evictionPolicy")
	add(s.anyOffload(stack.usesLMCache), "LMCACHE_LOCAL_DISK", "kvCache.offload.secondaryTiers")
	add(s.anyOffload(stack.usesLMCache), "LMCACHE_MAX_LOCAL_DISK_SIZE", "kvCache.offload.secondaryTiers")
	add(s.anyOffload(stack.usesMooncake), "MOONCAKE_CONFIG_PATH", "kvCache.offload.mooncake")
	for setting, name := range vllmVariables {
		for _, r := range s.Workloads() {
			add(s.RunsVLLM() && slices.Contains(settings(s.VLLMOf(r.Role)), setting), name, s.settingPath(r, setting))
		}
	}
	add(s.precisePrefix() || s.Simulated(), "POD_IP", "the pod's address")
	add(s.Simulated(), "POD_NAME", "the pod's name")
	add(s.Simulated(), "POD_NAMESPACE", "the pod's namespace")
	add(scheme == "hf" && !s.Simulated(), "HF_HOME", "spec.model.storage.mountPath")
	add(scheme != "oci" && scheme != "pvc" && !s.Simulated(), "HF_HUB_CACHE", "spec.model.source and storage.mountPath")
	return vars
}
