package generators

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// simulatorResources are enough for a few hundred simulated requests at a time.
var simulatorResources = corev1.ResourceRequirements{
	Requests: corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("100m"),
		corev1.ResourceMemory: resource.MustParse("256Mi"),
	},
	Limits: corev1.ResourceList{
		corev1.ResourceMemory: resource.MustParse("1Gi"),
	},
}

// simulatorArgs returns the generated arguments of the llm-d simulator.
func (s server) simulatorArgs() []string {
	sim, p := &s.Spec.Server.Simulator, &s.own.Parallelism
	a := &args{flags: s.Line.Simulator.Flags}
	a.add("port", s.serverPort())
	a.add("model", s.Spec.Model.Name)
	a.words("servedModelName", s.servedNames())
	a.add("mode", sim.Mode)
	s.addTime(a, "timeToFirstToken", sim.TimeToFirstToken)
	s.addTime(a, "interTokenLatency", sim.InterTokenLatency)
	s.addTime(a, "kvCacheTransferLatency", sim.KVCacheTransferLatency)
	s.simulatorCacheArgs(a)
	addIf(a, "maxNumSeqs", sim.MaxNumSeqs)
	addIf(a, "maxModelLen", sim.MaxModelLen)
	if p.LocalRanks() > 1 {
		a.add("dataParallelSize", p.LocalRanks())
	}
	s.tokenizerArgs(a)
	addIf(a, "verbosity", sim.Verbosity)
	return a.list
}

// simulatorCacheArgs simulates the KV cache when its size is given or its events are
// wanted.
func (s *Stack) simulatorCacheArgs(a *args) {
	size, events := s.Spec.Server.Simulator.KVCacheSize, s.kvEventsMode() != ""
	if size == nil && !events {
		return
	}
	a.add("enableKVCache", true)
	addIf(a, "kvCacheSize", size)
	if s.setsBlockSize() {
		a.add("blockSize", s.blockSize())
	}
	a.add("hashSeed", s.hashSeed())
	if events {
		a.add("zmqEndpoint", s.kvEventsEndpoint())
	}
}

// tokenizerArgs keeps the simulator from looking for a tokenizer that is not there: a
// name that looks like one of Hugging Face's makes it ask a render service
// (llm-d-inference-sim v0.9 and later). Precise prefix caching needs the same tokens as
// the EPP, so there the render service is asked, as where the user names one and wants it.
func (s *Stack) tokenizerArgs(a *args) {
	switch {
	case s.precisePrefix(), !s.Spec.Server.Simulator.DummyTokenizer && s.Spec.Scheduler.Tokenizer.URL != "":
		a.add("renderURL", s.tokenizerURL())
	case s.Spec.Server.Simulator.DummyTokenizer:
		a.add("dummyTokenizer", true)
	}
	a.add("tokenizersCacheDir", "/tmp/tokenizers")
}

// addTime writes a duration as the release line reads it.
func (s *Stack) addTime(a *args, what, value string) {
	if value == "" {
		return
	}
	if s.Line.Simulator.Times == "milliseconds" {
		d, _ := time.ParseDuration(value) // the schema has parsed it
		a.add(what, d.Milliseconds())
		return
	}
	a.add(what, value)
}

// simulatorEnv is what the simulator calls itself in headers, metrics and events.
func (s *Stack) simulatorEnv() []corev1.EnvVar {
	return []corev1.EnvVar{
		fieldEnv("POD_NAME", "metadata.name"),
		fieldEnv("POD_NAMESPACE", "metadata.namespace"),
		fieldEnv("POD_IP", "status.podIP"),
	}
}
