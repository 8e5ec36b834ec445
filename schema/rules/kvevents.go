package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// kvEvents checks the way that KV-cache events take, where the EPP follows them.
func kvEvents(s stack) []schema.Problem {
	line := s.line()
	if line == nil || !s.FollowsEvents(line) {
		return s.unusedIndex()
	}
	var out []schema.Problem
	at, mode := "spec.kvCache.events.mode", s.EventsMode(line)
	switch modes := line.EPP.KVEvents.Modes; {
	case !slices.Contains(modes, mode):
		out = append(out, s.Problem(schema.Error, at, "release line %s knows %s only (got %s)", line.Name, strings.Join(modes, " and "), mode))
	case s.Spec.Server.Engine == "simulator" && !slices.Contains(line.EPP.KVEvents.SimulatorModes, mode):
		out = append(out, s.Problem(schema.Error, at, "the simulator knows %s only (got %s)", strings.Join(line.EPP.KVEvents.SimulatorModes, " and "), mode))
	case mode == "centralized" && s.Spec.Scheduler.Replicas > 1:
		out = append(out, s.Problem(schema.Error, schedulerPath+".replicas", "must be 1 when KV-cache events are centralized, since a server sends its events to one replica (got %d)%s",
			s.Spec.Scheduler.Replicas, discoveryAdvice(line, s)))
	}
	if mode == "centralized" {
		out = append(out, s.centralPort()...)
	}
	out = append(out, s.replayFits(line)...)
	if s.Spec.Server.Engine == "trtllm" {
		out = append(out, s.Problem(schema.Error, "spec.server.engine", "must not be trtllm where the EPP follows KV-cache events, which TensorRT-LLM does not publish; use preset prefix-aware"))
	}
	out = append(out, s.simulatedEvents(line)...)
	out = append(out, s.tokenizerFits(line)...)
	out = append(out, s.indexFits()...)
	return append(out, s.configAgrees(line)...)
}

func discoveryAdvice(line *release.Line, s stack) string {
	if s.Spec.Server.Engine != "simulator" && slices.Contains(line.EPP.KVEvents.Modes, "discovery") {
		return "; or set kvCache.events.mode: discovery"
	}
	return ""
}

// replayFits refuses a port for events that nobody would ask for again.
func (s stack) replayFits(line *release.Line) []schema.Problem {
	const at = "spec.kvCache.events.replayPort"
	switch mode := s.EventsMode(line); {
	case s.Spec.KVCache.Events.ReplayPort == nil:
		return nil
	case !line.EPP.KVEvents.Replay:
		return []schema.Problem{s.Problem(schema.Error, at, "is not supported on release line %s, whose EPP asks for no event again", line.Name)}
	case mode != "discovery":
		return []schema.Problem{s.Problem(schema.Error, at, "needs %s: discovery, by which the EPP dials the servers (mode is %s)", schema.Path("spec.kvCache.events.mode"), mode)}
	}
	return nil
}

// centralPort refuses a port that the EPP has for something else.
func (s stack) centralPort() []schema.Problem {
	port := s.Spec.KVCache.Events.CentralPort
	for _, taken := range []struct {
		port int32
		what string
	}{{9002, "the EPP's ext_proc"}, {9003, "the EPP's health checks"}, {9090, "the EPP's metrics"}, {s.Spec.Scheduler.Port, schedulerPath + ".port"}} {
		if port == taken.port {
			return []schema.Problem{s.Problem(schema.Error, "spec.kvCache.events.centralPort", "%d is the port of %s", port, taken.what)}
		}
	}
	return nil
}

// simulatedEvents checks what the simulator needs to publish events that mean something.
func (s stack) simulatedEvents(line *release.Line) (out []schema.Problem) {
	if s.Spec.Server.Engine != "simulator" {
		return nil
	}
	if at := "spec.server.simulator.dummyTokenizer"; s.Has(at) && s.Spec.Server.Simulator.DummyTokenizer {
		out = append(out, s.Problem(schema.Error, at, "must be false for precise prefix caching, which compares real tokens"))
	}
	if e := &line.EPP.KVEvents; e.SimulatorTopic != "" && e.SimulatorTopic != e.Topic {
		out = append(out, s.Problem(schema.Warning, schedulerPath+".preset", "the simulator of release line %s publishes as %s and the EPP looks for %s: its events are not found, and only what the EPP itself routed counts for two seconds",
			line.Name, e.SimulatorTopic, e.Topic))
	}
	return out
}

func (s stack) tokenizerFits(line *release.Line) []schema.Problem {
	at := schedulerPath + ".tokenizer"
	if line.EPP.Tokenizer == "builtin" && s.Has(at) {
		return []schema.Problem{s.Problem(schema.Error, at, "is not used on release line %s, whose EPP reads the model's tokenizer itself", line.Name)}
	}
	if s.Spec.Scheduler.Tokenizer.URL != "" && s.Has(at+".image") {
		return []schema.Problem{s.Problem(schema.Error, at+".image", "is not used beside url, which names a render service that exists")}
	}
	return nil
}

func (s stack) indexFits() []schema.Problem {
	r := s.Spec.KVCache.Redis
	if r != nil && r.Index && r.PasswordSecret != nil {
		return []schema.Problem{s.Problem(schema.Error, "spec.kvCache.redis.passwordSecret", "cannot be combined with index: the EPP reads the address of its index from a ConfigMap, which is not a place for a password; guard that Redis by networkPolicy")}
	}
	return nil
}

func (s stack) unusedIndex() []schema.Problem {
	if r := s.Spec.KVCache.Redis; r != nil && r.Index {
		return []schema.Problem{s.Problem(schema.Error, "spec.kvCache.redis.index", "needs scheduler.preset: precise-prefix, which is what has a KV-block index")}
	}
	return nil
}

// redisForm refuses settings of a Redis that is not made.
func redisForm(s stack) (out []schema.Problem) {
	r := s.Spec.KVCache.Redis
	if r == nil || r.Address == "" {
		return nil
	}
	_, port, _ := strings.Cut(r.Address, ":")
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		out = append(out, s.Problem(schema.Error, "spec.kvCache.redis.address", "must have a port from 1 to 65535 (got %s)", port))
	}
	if host, _, _ := strings.Cut(r.Address, ":"); loopback(host) && len(s.Spec.Scheduler.Containers) == 0 {
		out = append(out, s.Problem(schema.Error, "spec.kvCache.redis.address", "is inside the pod of whoever asks: give a Service's name or another address (got %s)", r.Address))
	}
	for _, name := range []string{"name", "image", "persistence", "resources"} {
		if at := "spec.kvCache.redis." + name; s.Has(at) {
			out = append(out, s.Problem(schema.Error, at, "is not used beside address, which names a Redis that exists"))
		}
	}
	return out
}

// configAgrees compares a whole configuration with what the servers are told.
func (s stack) configAgrees(line *release.Line) (out []schema.Problem) {
	list, _ := s.Spec.Scheduler.Config["plugins"].([]any)
	for i, entry := range list {
		m, _ := entry.(map[string]any)
		name, _ := m["type"].(string)
		if p := line.EPP.Plugin(name); p == nil || !p.FollowsEvents {
			continue
		}
		at := finding.Indexed(schedulerPath+".config.plugins", i) + ".parameters"
		parameters, _ := m["parameters"].(map[string]any)
		indexer, _ := parameters["indexerConfig"].(map[string]any)
		out = append(out, s.replayAgrees(at, parameters["kvEventsConfig"])...)
		out = append(out, s.tokensAgree(at, parameters["tokenProcessorConfig"])...)
		out = append(out, s.tokensAgree(at+".indexerConfig", indexer["tokenProcessorConfig"])...)
	}
	return out
}

// replayAgrees wants the EPP to ask for events where the servers send them again.
func (s stack) replayAgrees(at string, v any) []schema.Problem {
	port := s.Spec.KVCache.Events.ReplayPort
	events, _ := v.(map[string]any)
	discovery, _ := events["podDiscoveryConfig"].(map[string]any)
	got, given := discovery["replaySocketPort"]
	switch at += ".kvEventsConfig.podDiscoveryConfig.replaySocketPort"; {
	case port == nil, given && fmt.Sprint(got) == fmt.Sprint(*port):
		return nil
	case given:
		return []schema.Problem{s.Problem(schema.Error, at, "must be %d, on which the servers send events again by %s (got %v)", *port, schema.Path("spec.kvCache.events.replayPort"), got)}
	}
	return []schema.Problem{s.Problem(schema.Error, at, "is required with %s: without it the EPP asks for no event again", schema.Path("spec.kvCache.events.replayPort"))}
}

func (s stack) tokensAgree(at string, v any) (out []schema.Problem) {
	tokens, _ := v.(map[string]any)
	for _, check := range []struct{ field, mine, want string }{
		{"blockSizeTokens", "kvCache.blockSize", fmt.Sprint(s.EventBlockSize())},
		{"blockSize", "kvCache.blockSize", fmt.Sprint(s.EventBlockSize())},
		{"hashSeed", "kvCache.hashSeed", s.Spec.KVCache.HashSeed},
	} {
		if got, ok := tokens[check.field]; ok && fmt.Sprint(got) != check.want {
			out = append(out, s.Problem(schema.Error, at+".tokenProcessorConfig."+check.field, "must be %s, which the servers are told by %s (got %v)", check.want, schema.Path("spec."+check.mine), got))
		}
	}
	return out
}
