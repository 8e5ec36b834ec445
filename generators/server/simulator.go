package server

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
	"github.com/inferstack/inferstack/generators/render"
	"github.com/inferstack/inferstack/release"
)

// simulatorResources are enough for a few hundred simulated requests at a time.
var simulatorResources = base.Amounts("100m", "256Mi", "1Gi")

// simulatorArgs returns the generated arguments of the llm-d simulator.
func (s server) simulatorArgs() []string {
	sim, p := &s.Spec.Server.Simulator, &s.Own.Parallelism
	a := &args.List{Flags: s.Line.Simulator.Flags, Image: release.OfImage(s.image())}
	a.Add("port", s.ModelServerPort())
	a.Add("model", s.Spec.Model.Name)
	a.Words("servedModelName", s.Spec.Model.Served())
	a.Add("mode", sim.Mode)
	s.addTime(a, "timeToFirstToken", sim.TimeToFirstToken)
	s.addTime(a, "interTokenLatency", sim.InterTokenLatency)
	s.addTime(a, "kvCacheTransferLatency", sim.KVCacheTransferLatency)
	s.simulatorCacheArgs(a)
	args.AddIf(a, "maxNumSeqs", sim.MaxNumSeqs)
	args.AddIf(a, "maxModelLen", sim.MaxModelLen)
	s.simulatedAdapters(a)
	if p.LocalRanks() > 1 {
		a.Add("dataParallelSize", p.LocalRanks())
	}
	if s.Role == base.ComponentEncode {
		a.On("mmEncoderOnly")
	}
	s.tokenizerArgs(a)
	s.certArgs(a)
	args.AddIf(a, "verbosity", sim.Verbosity)
	return a.Items
}

// simulatorCacheArgs simulates the KV cache when its size is given or its events are
// wanted.
func (s server) simulatorCacheArgs(a *args.List) {
	size, events := s.Spec.Server.Simulator.KVCacheSize, s.eventsMode() != ""
	if size == nil && !events || s.Role == base.ComponentEncode {
		return
	}
	a.Add("enableKVCache", true)
	args.AddIf(a, "kvCacheSize", size)
	if kvevents.SetsBlockSize(s.Stack) {
		a.Add("blockSize", kvevents.BlockSize(s.Stack))
	}
	a.Add("hashSeed", kvevents.HashSeed(s.Stack))
	if events {
		a.Add("zmqEndpoint", kvevents.Endpoint(s.Stack))
	}
}

// tokenizerArgs keeps the simulator from looking for a tokenizer that is not there: a
// name that looks like one of Hugging Face's makes it ask a render service
// (llm-d-inference-sim v0.9 and later). Precise prefix caching needs the same tokens as
// the EPP, so there the render service is asked, as where the user names one and wants it.
func (s server) tokenizerArgs(a *args.List) {
	switch {
	case s.PrecisePrefix(), !s.Spec.Server.Simulator.DummyTokenizer && s.Spec.Scheduler.Tokenizer.URL != "":
		a.Add("renderURL", render.URL(s.Stack))
	case s.Spec.Server.Simulator.DummyTokenizer:
		a.Add("dummyTokenizer", true)
	}
	a.Add("tokenizersCacheDir", "/tmp/tokenizers")
}

// addTime writes a duration as the release line reads it.
func (s server) addTime(a *args.List, what, value string) {
	if value == "" {
		return
	}
	if s.Line.Simulator.Times == "milliseconds" {
		d, _ := time.ParseDuration(value) // the schema has parsed it
		a.Add(what, d.Milliseconds())
		return
	}
	a.Add(what, value)
}

// simulatorEnv is what the simulator calls itself in headers, metrics and events.
func (s server) simulatorEnv() []corev1.EnvVar {
	return []corev1.EnvVar{
		base.FieldEnv("POD_NAME", "metadata.name"),
		base.FieldEnv("POD_NAMESPACE", "metadata.namespace"),
		base.FieldEnv("POD_IP", "status.podIP"),
	}
}
