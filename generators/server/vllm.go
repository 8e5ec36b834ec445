package server

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/release"
)

// vllmArgs returns the generated arguments of vLLM. nodeRank tells the pods of one
// LeaderWorkerSet group apart.
func (s server) vllmArgs(worker bool) []string {
	a := &args.List{Flags: s.Line.VLLM.Flags, Image: release.ModelServer(s.image())}
	a.Items = s.modelArgs()
	a.Add("port", s.ModelServerPort())
	// Always written: a model loaded from a path would else be known by the path.
	a.Words("servedModelName", s.Spec.Model.Served())
	s.parallelArgs(a, worker)
	s.cacheArgs(a)
	s.adapterArgs(a, "loraModules")
	s.settingArgs(a)
	s.encodeArgs(a)
	if m := s.Spec.Monitoring; m != nil && m.Tracing != nil {
		a.Add("otlpTracesEndpoint", m.Tracing.Endpoint)
	}
	s.certArgs(a)
	s.optionalArgs(a, worker)
	return a.Items
}

// settingArgs are those that a user asks for by name.
func (s server) settingArgs(a *args.List) {
	vllm := s.VLLMOf(s.Own)
	args.AddIf(a, "maxModelLen", vllm.MaxModelLen)
	args.AddIf(a, "gpuMemoryUtilization", vllm.GPUMemoryUtilization)
	args.AddIf(a, "maxNumSeqs", vllm.MaxNumSeqs)
	args.AddIf(a, "maxNumBatchedTokens", vllm.MaxNumBatchedTokens)
	a.OnOff("prefixCaching", s.prefixCaching())
	for _, setting := range []struct {
		name  string
		value *bool
	}{
		{"enforceEager", vllm.EnforceEager}, {"asyncScheduling", vllm.AsyncScheduling}, {"trustRemoteCode", vllm.TrustRemoteCode},
		{"enableEplb", vllm.EnableEplb}, {"enableDbo", vllm.EnableDbo}, {"disableHybridKvCacheManager", vllm.DisableHybridKVCacheManager},
	} {
		a.OnOff(setting.name, setting.value)
	}
	for _, setting := range []struct{ name, value string }{
		{"dtype", vllm.Dtype}, {"quantization", vllm.Quantization}, {"kvCacheDtype", vllm.KVCacheDtype}, {"moeBackend", vllm.MoeBackend},
		{"prefixCachingHashAlgo", vllm.PrefixCachingHashAlgo}, {"reasoningParser", vllm.ReasoningParser}, {"toolCallParser", vllm.ToolCallParser},
	} {
		if setting.value != "" {
			a.Add(setting.name, setting.value)
		}
	}
	if vllm.ToolCallParser != "" {
		a.On("autoToolChoice")
	}
	if len(vllm.LimitMmPerPrompt) > 0 {
		a.Add("limitMmPerPrompt", compactJSON(vllm.LimitMmPerPrompt))
	}
	for _, setting := range []struct {
		name  string
		value map[string]any
	}{{"hfOverrides", vllm.HfOverrides}, {"speculativeConfig", vllm.SpeculativeConfig}, {"compilationConfig", vllm.CompilationConfig}} {
		if setting.value != nil {
			a.Add(setting.name, compactJSON(setting.value))
		}
	}
}

// optionalArgs are those that help and that nobody asked for.
func (s server) optionalArgs(a *args.List, worker bool) {
	flags := slices.Clone(s.Line.VLLM.OptionalArgs)
	if seconds := s.shutdownSeconds(); seconds > 0 && !worker {
		flags = append(flags, release.Flag{Name: shutdownFlag, Value: args.Text(seconds)})
	}
	own := slices.Concat(s.Spec.Server.Args, s.Own.Args)
	a.Optional(slices.DeleteFunc(flags, func(f release.Flag) bool {
		return slices.ContainsFunc(own, func(arg string) bool {
			name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			return argv.Hyphened(name) == f.Name
		})
	}))
}

// modelArgs says what to load: as the argument of `vllm serve`, or by flag to an image's
// own entrypoint, which may be the API server's module.
func (s server) modelArgs() []string {
	if s.Spec.Server.Launch == "image" {
		return []string{"--model=" + s.modelToLoad()}
	}
	return []string{s.modelToLoad()}
}

// parallelArgs spreads one server over accelerators and nodes.
func (s server) parallelArgs(a *args.List, worker bool) {
	p := &s.Own.Parallelism
	if p.Tensor > 1 {
		a.Add("tensorParallelSize", p.Tensor)
	}
	if p.Pipeline > 1 {
		a.Add("pipelineParallelSize", p.Pipeline)
	}
	if p.SpansNodes() {
		a.Add("nodes", p.Nodes)
		a.Add("nodeRank", "$(LWS_WORKER_INDEX)")
		a.Add("masterAddress", "$(LWS_LEADER_ADDRESS)")
		if worker {
			a.On("headless")
		}
	}
	if p.Data > 1 {
		s.dataParallelArgs(a)
	}
	if p.Expert {
		a.On("expertParallel")
		if p.All2allBackend != "" {
			a.Add("all2allBackend", p.All2allBackend)
		}
	}
}

// dataParallelArgs spreads copies of the model. The rank of a node's first copy depends
// on the node's place in its group, which LeaderWorkerSet puts into the environment:
// with one rank a node it is that place (the kubelet expands it), with several it has to
// be computed (see command).
func (s server) dataParallelArgs(a *args.List) {
	p := &s.Own.Parallelism
	a.Add("dataParallelSize", p.Data)
	if s.Supervised() {
		a.On("dataParallelExternalLB")
		a.Add("dataParallelSupervisorPort", s.SupervisorPort())
	}
	switch {
	case p.LocalRanks() > 1 && (p.Nodes > 1 || s.Supervised()):
		a.Add("dataParallelSizeLocal", p.LocalRanks())
		if p.Nodes > 1 && !s.Supervised() {
			a.On("dataParallelHybridLB")
		}
	case p.Nodes > 1:
		a.Add("dataParallelRank", "$(LWS_WORKER_INDEX)")
	}
	if p.Nodes > 1 {
		a.Add("dataParallelAddress", "$(LWS_LEADER_ADDRESS)")
		a.Add("dataParallelRPCPort", dataParallelRPCPort)
	}
}

// dataParallelRPCPort is where the first node coordinates the ranks of the others.
const dataParallelRPCPort = 5555

// computesRank reports whether the container must work out its first rank at start.
func (s server) computesRank() bool {
	p := &s.Own.Parallelism
	return !s.Simulated() && p.Nodes > 1 && p.Data > 1 && p.LocalRanks() > 1
}

// cacheArgs sets the KV cache up: its blocks, its transfer, its events.
func (s server) cacheArgs(a *args.List) {
	if kvevents.SetsBlockSize(s.Stack) && s.Role != base.ComponentEncode {
		a.Add("blockSize", kvevents.BlockSize(s.Stack))
	}
	if config := s.kvTransferConfig(); config != nil {
		a.Add("kvTransferConfig", compactJSON(config))
	}
	if s.eventsMode() != "" {
		a.Add("kvEventsConfig", compactJSON(kvEventsConfig{
			EnableKVCacheEvents: true,
			Publisher:           "zmq",
			Endpoint:            kvevents.Endpoint(s.Stack),
			ReplayEndpoint:      kvevents.ReplayEndpoint(s.Stack),
			Topic:               kvevents.Topic(s.Stack),
		}))
	}
}

// kvEventsConfig is vLLM's --kv-events-config (vllm config/kv_events.py).
type kvEventsConfig struct {
	EnableKVCacheEvents bool   `json:"enable_kv_cache_events"`
	Publisher           string `json:"publisher"`
	Endpoint            string `json:"endpoint"`
	ReplayEndpoint      string `json:"replay_endpoint,omitempty"`
	Topic               string `json:"topic"`
}
