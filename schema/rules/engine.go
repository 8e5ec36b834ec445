package rules

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

const (
	enginePath  = "spec.server.engine"
	optionsPath = "spec.server.trtllm.extraLlmApiOptions"
)

// engineFits checks what the engine can do on the release line, for those beside vLLM and the
// simulator.
func engineFits(s stack) []schema.Problem {
	line := s.line()
	if line == nil || s.Simulated() {
		return nil
	}
	out := s.imageOfEngine(line)
	if s.RunsVLLM() {
		return append(out, s.engineLabelled(line)...)
	}
	engine, found := s.EngineOf(line)
	if !found {
		return []schema.Problem{s.Problem(schema.Error, enginePath, "must not be %s on release line %s, whose EPP reads no metrics but vLLM's; use release %s", s.Spec.Server.Engine, line.Name, linesThat(func(l *release.Line) bool { return l.Engines[s.Spec.Server.Engine].Type != "" }))}
	}
	out = append(out, s.engineImages(engine)...)
	if len(s.Spec.Model.ServedNames) > 1 {
		out = append(out, s.Problem(schema.Error, "spec.model.servedNames", "must be one name with %s, which serves a model under one (got %d)", engine.Title, len(s.Spec.Model.ServedNames)))
	}
	if s.Spec.Server.Launch == "custom" {
		return out
	}
	if s.Spec.Server.Engine == "sglang" {
		return append(out, s.sglangFits()...)
	}
	return append(out, s.trtllmFits()...)
}

// linesThat lists the release lines that can do something, as messages name them.
func linesThat(can func(*release.Line) bool) string {
	return strings.Join(slices.DeleteFunc(release.Names(), func(name string) bool {
		line, err := release.Load(name)
		return err != nil || !can(line)
	}), " or ")
}

// engineImages wants an image where none is published for the accelerator.
func (s stack) engineImages(engine release.Engine) []schema.Problem {
	if !s.Spec.Server.Create {
		return nil
	}
	for _, r := range s.Workloads() {
		vendor := s.AcceleratorOf(r.Role).Type
		if r.Image == "" && s.Spec.Server.Image == "" && engine.Images[vendor] == "" {
			return []schema.Problem{s.Problem(schema.Error, "spec.server.image", "is required: release %s names no image of %s for %s, which %s runs on", s.Spec.Release, engine.Title, vendor, schema.Path(r.Path))}
		}
	}
	return nil
}

// sglangFits refuses what SGLang cannot do, or does otherwise than vLLM.
func (s stack) sglangFits() (out []schema.Problem) {
	for _, r := range s.Workloads() {
		if p := &r.Parallelism; p.Data > 1 && p.Nodes > 1 {
			out = append(out, s.Problem(schema.Error, r.Path+".parallelism.data", "must be 1 with SGLang on several nodes, where ranks share the attention only: write --enable-dp-attention and --data-parallel-size into args, with tensor for all accelerators (got %d)", p.Data))
		}
	}
	for _, field := range []string{"resolveFrom", "runtimeUpdating"} {
		if at := loraPath + "." + field; s.Has(at) {
			out = append(out, s.Problem(schema.Error, at, "is vLLM's way to load adapters at run time; list adapters for SGLang"))
		}
	}
	return out
}

// trtllmSpreads refuses parallelism that trtllm-serve does not have.
func (s stack) trtllmSpreads(r schema.Workload) (out []schema.Problem) {
	p, at := &r.Parallelism, r.Path+".parallelism."
	if p.Data > 1 {
		out = append(out, s.Problem(schema.Error, at+"data", "must be 1 with TensorRT-LLM; set %s, or enable_attention_dp in %s (got %d)", schema.Path(r.Path+".replicas"), schema.Path(optionsPath), p.Data))
	}
	if p.Nodes > 1 {
		out = append(out, s.Problem(schema.Error, at+"nodes", "must be 1 with TensorRT-LLM, which spreads over nodes by MPI; start it by %s: custom (got %d)", schema.Path("spec.server.launch"), p.Nodes))
	}
	return out
}

// trtllmFits refuses what TensorRT-LLM cannot do behind llm-d's EPP and routing sidecar.
func (s stack) trtllmFits() (out []schema.Problem) {
	if s.Spec.Prefill != nil {
		out = append(out, s.Problem(schema.Error, "spec.prefill", "cannot be used with engine: trtllm: the routing sidecar has no connector for TensorRT-LLM"))
	}
	for _, r := range s.decodes() {
		out = append(out, s.trtllmSpreads(r)...)
	}
	if s.Spec.Model.LoRA != nil {
		out = append(out, s.Problem(schema.Error, loraPath, "has no flags in trtllm-serve; write lora_config into %s", schema.Path(optionsPath)))
	}
	if at := "spec.kvCache.blockSize"; s.Has(at) {
		out = append(out, s.Problem(schema.Error, at, "has no flag in trtllm-serve; write kv_cache_config.tokens_per_block into %s", schema.Path(optionsPath)))
	}
	for _, key := range schema.TRTLLMOptions {
		if own, written := s.Spec.Server.TRTLLM.ExtraLLMAPIOptions[key]; written && own != true {
			out = append(out, s.Problem(schema.Error, optionsPath+"."+key, "must be true: without it the EPP finds no metrics to score by (got %v)", own))
		}
	}
	return out
}

// engineLabelled warns of a server of the user's own whose engine nothing tells the EPP: it
// looks for vLLM's metrics then, and scores by nothing where there are none.
func (s stack) engineLabelled(line *release.Line) []schema.Problem {
	if line.EPP.EngineLabel == "" || s.Spec.Server.Launch != "custom" || s.Has(enginePath) || !s.Spec.Scheduler.Enabled {
		return nil
	}
	for _, r := range s.Workloads() {
		_, shared := s.Spec.Server.PodLabels[line.EPP.EngineLabel]
		_, own := r.PodLabels[line.EPP.EngineLabel]
		words := strings.Join(slices.Concat(s.Spec.Server.Command, s.Spec.Server.Args, r.Command, r.Args, []string{s.ServerImage(r.Role, line)}, values(s.Spec.Server.Env), values(r.Env)), " ")
		if shared || own || strings.Contains(words, "vllm") {
			continue
		}
		return []schema.Problem{s.Problem(schema.Warning, enginePath, "is not written, so the EPP looks for vLLM's metrics on the %s servers, whose command says nothing of vLLM; set it to what they run, or podLabels %s to the name of the engine", r.Path[len("spec."):], line.EPP.EngineLabel)}
	}
	return nil
}

func values(vars []corev1.EnvVar) (out []string) {
	for _, v := range vars {
		out = append(out, v.Value)
	}
	return out
}

// imageOfEngine refuses an image that is known to be of another engine.
func (s stack) imageOfEngine(line *release.Line) (out []schema.Problem) {
	if s.Spec.Server.Launch == "custom" {
		return nil
	}
	check := func(at, image string) {
		for _, name := range slices.Sorted(maps.Keys(line.Engines)) {
			if name != s.Spec.Server.Engine && image != "" && release.Runs(image, name) {
				out = append(out, s.Problem(schema.Error, at, "is an image of %s; set %s: %s", line.EngineTitle(name), schema.Path(enginePath), name))
			}
		}
		if !s.RunsVLLM() && image != "" && release.Runs(image, "model-server") {
			out = append(out, s.Problem(schema.Error, at, "is an image of vLLM, and %s is %s", schema.Path(enginePath), s.Spec.Server.Engine))
		}
	}
	check("spec.server.image", s.Spec.Server.Image)
	for _, r := range s.Workloads() {
		check(r.Path+".image", r.Image)
	}
	return out
}

// engineFlags lists the flags that are generated for the engine.
func (s stack) engineFlags(r schema.Workload) (flags []generated) {
	engine, _ := s.EngineOf(s.line())
	parallelism, own := r.Path+".parallelism.", "spec.server."+s.Spec.Server.Engine+"."
	add := func(set bool, name, field string) {
		if flag := engine.Flags[name]; set && flag != "" {
			flags = append(flags, generated{argv.Hyphened(flag), field})
		}
	}
	for _, f := range []generated{
		{"model", "spec.model.name"}, {"port", "spec.server.port"}, {"servedModelName", "spec.model.servedNames"},
		{"tensorParallelSize", parallelism + "tensor"}, {"pipelineParallelSize", parallelism + "pipeline"},
		{"expertParallelSize", parallelism + "expert"}, {"nodes", parallelism + "nodes"}, {"nodeRank", parallelism + "nodes"},
		{"masterAddress", parallelism + "nodes"}, {"options", own + "extraLlmApiOptions"},
	} {
		add(true, f.name, f.field)
	}
	sglang, trtllm, disaggregated := &s.Spec.Server.SGLang, &s.Spec.Server.TRTLLM, s.Spec.Prefill != nil
	add(r.Parallelism.Data > 1, "dataParallelSize", parallelism+"data")
	add(sglang.ContextLength != nil, "contextLength", own+"contextLength")
	add(sglang.MemFractionStatic != nil, "memFractionStatic", own+"memFractionStatic")
	add(sglang.MaxRunningRequests != nil, "maxRunningRequests", own+"maxRunningRequests")
	add(trtllm.MaxSeqLen != nil, "maxSeqLen", own+"maxSeqLen")
	add(trtllm.MaxBatchSize != nil, "maxBatchSize", own+"maxBatchSize")
	add(trtllm.FreeGPUMemoryFraction != nil, "freeGpuMemoryFraction", own+"freeGpuMemoryFraction")
	add(s.Spec.KVCache.BlockSize != nil || s.precisePrefix(), "blockSize", "spec.kvCache.blockSize")
	add(s.precisePrefix(), "kvEventsConfig", "spec.kvCache.events")
	add(disaggregated, "disaggregationMode", "the role")
	add(disaggregated, "transferBackend", "spec.kvTransfer.transferBackend")
	add(disaggregated, "bootstrapPort", "spec.kvTransfer.bootstrapPort")
	add(s.Spec.Monitoring != nil && s.Spec.Monitoring.Tracing != nil, "otlpTracesEndpoint", "spec.monitoring.tracing.endpoint")
	return flags
}
