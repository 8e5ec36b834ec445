package schema

import (
	"cmp"
	"strconv"

	"github.com/inferstack/inferstack/eppconfig"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/release"
)

// How the EPP is configured, as rules and generators both see it.

// Preset returns the EPP preset in force, or "" when scorers or a whole configuration
// take its place.
func (s *Stack) Preset() string {
	switch sched := &s.Spec.Scheduler; {
	case sched.Config != nil, len(sched.Scorers) > 0:
		return ""
	case sched.Preset != "":
		return sched.Preset
	case s.Spec.Encode != nil:
		return EncodePreset
	case sched.LatencyPredictor != nil:
		return LatencyPreset
	case s.Spec.Prefill != nil:
		return "pd-disaggregation"
	default:
		return "default"
	}
}

// FollowsEvents reports whether the EPP takes in the servers' KV-cache events.
func (s *Stack) FollowsEvents(line *release.Line) bool {
	switch sched := &s.Spec.Scheduler; {
	case !sched.Enabled:
		return false
	case sched.Config != nil:
		return line.EPP.FollowsEvents(sched.Config)
	case len(sched.Scorers) > 0:
		return line.EPP.FollowsEvents(map[string]any{"plugins": pluginList(sched.Scorers)})
	default:
		return s.Preset() == "precise-prefix"
	}
}

func pluginList(scorers []Scorer) (list []any) {
	for _, s := range scorers {
		list = append(list, map[string]any{"type": s.Type})
	}
	return list
}

// EventsMode returns the way KV-cache events take if there are any.
func (s *Stack) EventsMode(line *release.Line) string {
	switch {
	case s.Spec.KVCache.Events.Mode != "":
		return s.Spec.KVCache.Events.Mode
	case s.Spec.Server.Engine == "simulator":
		return line.EPP.KVEvents.SimulatorModes[0]
	default:
		return line.EPP.KVEvents.Modes[0]
	}
}

// Decider says when prefill is done by a prefill server.
func (s *Stack) Decider() string {
	fallback := "prefix-based"
	if s.Spec.Server.Engine == "sglang" {
		fallback = "always"
	}
	return cmp.Or(s.Spec.Scheduler.Disaggregation.Decider, fallback)
}

// Facts are what the release line's presets are chosen by.
func (s *Stack) Facts(line *release.Line) release.Facts {
	facts := release.Facts{
		"engine":  s.Spec.Server.Engine,
		"prefill": "false",
		"encode":  "false",
		"decider": s.Decider(),
		"events":  s.EventsMode(line),
		"replay":  strconv.FormatBool(s.Spec.KVCache.Events.ReplayPort != nil),
		"index":   "memory",
		"ha":      "leader-election",
		"slo":     "false",
	}
	if p := s.Spec.Scheduler.LatencyPredictor; p != nil && p.SLO {
		facts["slo"] = "true"
	}
	if s.Spec.Prefill != nil {
		facts["prefill"] = "true"
	}
	if s.Spec.Encode != nil {
		facts["encode"] = "true"
	}
	if redis := s.Spec.KVCache.Redis; redis != nil && redis.Index {
		facts["index"] = "redis"
	}
	if s.Spec.Scheduler.Replicas > 1 {
		facts["ha"] = s.Spec.Scheduler.HighAvailability
	}
	for _, scorer := range s.Spec.Scheduler.Scorers {
		facts["scorer/"+scorer.Type] = "true"
	}
	if len(s.Spec.Scheduler.Scorers) > 0 {
		for _, producer := range eppconfig.MissingProducers(line.EPP.Speaks(), s.ListedConfig()) {
			facts["producer/"+producer] = "true"
		}
	}
	return facts
}

// StreamedLatency reports whether latencies are learned from streamed answers.
func (s *Stack) StreamedLatency() bool {
	p := s.Spec.Scheduler.LatencyPredictor
	if p == nil || p.Streaming == nil {
		return s.Spec.Prefill != nil || p != nil && p.SLO
	}
	return *p.Streaming
}

// LeaderElection reports whether the EPP's replicas elect the one that works.
func (s *Scheduler) LeaderElection() bool {
	return s.Replicas > 1 && s.HighAvailability == "leader-election"
}

// preciseBlockSize is the default block size of precise prefix caching, as in llm-d's
// guide precise-prefix-cache-routing: fewer blocks, fewer events.
const preciseBlockSize = 64

// EventBlockSize returns the tokens in a KV-cache block of servers whose events the EPP
// follows.
func (s *Stack) EventBlockSize() int32 {
	if size := s.Spec.KVCache.BlockSize; size != nil {
		return *size
	}
	return preciseBlockSize
}

// Scored reports whether requests are meant to be scored by the EPP.
func (s *Stack) Scored() bool { return s.Spec.Scheduler.Enabled && s.Leads(BackendPool) }

// A ListedPlugin is a filter, scorer or picker of the stack.
type ListedPlugin struct {
	Plugin
	// Kind is that of the release catalogue, Path where it is written.
	Kind, Path string
	// Weight is a scorer's.
	Weight *float64
}

// ListedPlugins returns the plugins that the stack lists.
func (s *Stack) ListedPlugins() (out []ListedPlugin) {
	const path = "spec.scheduler"
	sched := &s.Spec.Scheduler
	for i, p := range sched.Filters {
		out = append(out, ListedPlugin{p, release.KindFilter, finding.Indexed(path+".filters", i), nil})
	}
	for i, p := range sched.Scorers {
		plugin := Plugin{Type: p.Type, Name: p.Name, Parameters: p.Parameters}
		out = append(out, ListedPlugin{plugin, release.KindScorer, finding.Indexed(path+".scorers", i), &p.Weight})
	}
	if sched.Picker != nil {
		out = append(out, ListedPlugin{*sched.Picker, release.KindPicker, path + ".picker", nil})
	}
	return out
}

// ListedConfig is the configuration of the listed plugins, with one profile of all of them.
func (s *Stack) ListedConfig() map[string]any {
	plugins, refs := []any{}, []any{}
	for _, p := range s.ListedPlugins() {
		plugin := map[string]any{"type": p.Type}
		ref := map[string]any{"pluginRef": p.Type}
		if p.Name != "" {
			plugin["name"], ref["pluginRef"] = p.Name, p.Name
		}
		if p.Parameters != nil {
			plugin["parameters"] = p.Parameters
		}
		if p.Weight != nil {
			ref["weight"] = *p.Weight
		}
		plugins, refs = append(plugins, plugin), append(refs, ref)
	}
	return map[string]any{"plugins": plugins, "schedulingProfiles": []any{map[string]any{"name": "default", "plugins": refs}}}
}
