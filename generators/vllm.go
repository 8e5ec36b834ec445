package generators

// vllmArgs returns the generated arguments of vLLM. nodeRank tells the pods of one
// LeaderWorkerSet group apart.
func (s server) vllmArgs(worker bool) []string {
	a := &args{flags: s.Line.VLLM.Flags}
	a.list = s.modelArgs()
	a.add("port", s.serverPort())
	a.words("servedModelName", s.servedNames())
	s.parallelArgs(a, worker)
	s.cacheArgs(a)
	vllm := &s.Spec.Server.VLLM
	addIf(a, "maxModelLen", vllm.MaxModelLen)
	addIf(a, "gpuMemoryUtilization", vllm.GPUMemoryUtilization)
	addIf(a, "maxNumSeqs", vllm.MaxNumSeqs)
	a.onOff("prefixCaching", vllm.PrefixCaching)
	if m := s.Spec.Monitoring; m != nil && m.Tracing != nil {
		a.add("otlpTracesEndpoint", m.Tracing.Endpoint)
	}
	return append(a.list, s.Line.VLLM.ExtraArgsFor(s.AcceleratorOf(s.own).Type, s.serverImage())...)
}

// modelArgs says what to load: as the argument of `vllm serve`, or by flag to an image's
// own entrypoint, which may be the API server's module.
func (s *Stack) modelArgs() []string {
	if s.Spec.Server.Launch == "image" {
		return []string{"--model=" + s.modelToLoad()}
	}
	return []string{s.modelToLoad()}
}

// servedNames are the names by which clients ask for the model. They are always written:
// a model loaded from a path would else be known by the path.
func (s *Stack) servedNames() []string {
	if names := s.Spec.Model.ServedNames; len(names) > 0 {
		return names
	}
	return []string{s.Spec.Model.Name}
}

// parallelArgs spreads one server over accelerators and nodes.
func (s server) parallelArgs(a *args, worker bool) {
	p := &s.own.Parallelism
	if p.Tensor > 1 {
		a.add("tensorParallelSize", p.Tensor)
	}
	if p.Pipeline > 1 {
		a.add("pipelineParallelSize", p.Pipeline)
	}
	if p.SpansNodes() {
		a.add("nodes", p.Nodes)
		a.add("nodeRank", "$(LWS_WORKER_INDEX)")
		a.add("masterAddress", "$(LWS_LEADER_ADDRESS)")
		if worker {
			a.on("headless")
		}
	}
	if p.Data > 1 {
		s.dataParallelArgs(a)
	}
	if p.Expert {
		a.on("expertParallel")
	}
}

// dataParallelArgs spreads copies of the model. The rank of a node's first copy depends
// on the node's place in its group, which LeaderWorkerSet puts into the environment:
// with one rank a node it is that place (the kubelet expands it), with several it has to
// be computed (see serverCommand).
func (s server) dataParallelArgs(a *args) {
	p := &s.own.Parallelism
	a.add("dataParallelSize", p.Data)
	if s.supervised() {
		a.on("dataParallelExternalLB")
		a.add("dataParallelSupervisorPort", s.supervisorPort())
	}
	switch {
	case p.LocalRanks() > 1 && (p.Nodes > 1 || s.supervised()):
		a.add("dataParallelSizeLocal", p.LocalRanks())
		if p.Nodes > 1 && !s.supervised() {
			a.on("dataParallelHybridLB")
		}
	case p.Nodes > 1:
		a.add("dataParallelRank", "$(LWS_WORKER_INDEX)")
	}
	if p.Nodes > 1 {
		a.add("dataParallelAddress", "$(LWS_LEADER_ADDRESS)")
		a.add("dataParallelRPCPort", dataParallelRPCPort)
	}
}

// dataParallelRPCPort is where the first node coordinates the ranks of the others.
const dataParallelRPCPort = 5555

// computesRank says whether the container must work out its first rank at start.
func (s server) computesRank() bool {
	p := &s.own.Parallelism
	return !s.simulated() && p.Nodes > 1 && p.Data > 1 && p.LocalRanks() > 1
}

// cacheArgs sets the KV cache up: its blocks, its transfer, its events.
func (s *Stack) cacheArgs(a *args) {
	if s.setsBlockSize() {
		a.add("blockSize", s.blockSize())
	}
	if config := s.kvTransferConfig(); config != nil {
		a.add("kvTransferConfig", compactJSON(config))
	}
	if s.kvEventsMode() != "" {
		a.add("kvEventsConfig", compactJSON(kvEventsConfig{
			EnableKVCacheEvents: true,
			Publisher:           "zmq",
			Endpoint:            s.kvEventsEndpoint(),
			Topic:               s.kvEventsTopic(),
		}))
	}
}

// kvEventsConfig is vLLM's --kv-events-config (vllm config/kv_events.py).
type kvEventsConfig struct {
	EnableKVCacheEvents bool   `json:"enable_kv_cache_events"`
	Publisher           string `json:"publisher"`
	Endpoint            string `json:"endpoint"`
	Topic               string `json:"topic"`
}
