package schedop

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/inferstack/inferstack/convert/serving"
)

func (s *scheduler) picker() {
	ep := &s.spec.EndpointPicker
	const to, from = "spec.scheduler", "spec.endpointPicker"
	s.Set("spec.pool.name", s.Doc.Name+"-pool", "")
	s.Set(to+".failureMode", "FailOpen", "")
	s.Copy(to+".replicas", from+".replicas")
	s.Copy(to+".port", from+".grpcPort")
	serving.EPPImage(s.Part, ep.Image, from+".image")
	serving.Resources(s.Part, to+".resources", from+".resources", ep.Resources)
	s.scorers(ep.Plugins)
	s.On("spec.pool", from).Note("made in the form that InferencePool v1 has: the operator writes endpointPickerRef.port as a number, which the API server refuses")
}

// scorers lists the scorers that are on, in the operator's order.
func (s *scheduler) scorers(plugins *Plugins) {
	const from = "spec.endpointPicker.plugins"
	if plugins == nil {
		s.On("spec.scheduler", "spec.endpointPicker").Replaced().Note("no scorer is configured: the operator's EPP gets a configuration without a profile; the default one takes its place")
		return
	}
	var scorers []any
	for _, e := range []struct {
		field, plugin string
		scorer        *Scorer
	}{
		{"loadAwareScorer", "load-aware-scorer", plugins.LoadAwareScorer},
		{"prefixCacheScorer", "prefix-cache-scorer", plugins.PrefixCacheScorer},
		{"kvCacheUtilizationScorer", "kv-cache-utilization-scorer", plugins.KVCacheUtilizationScorer},
	} {
		if e.scorer == nil || e.scorer.Enabled != nil && !*e.scorer.Enabled {
			continue
		}
		scorer := map[string]any{"type": e.plugin}
		if e.scorer.Weight != nil {
			scorer["weight"] = *e.scorer.Weight
		}
		if parameters := s.parameters(from+"."+e.field+".parameters", e.scorer.Parameters); len(parameters) > 0 {
			scorer["parameters"] = parameters
		}
		s.From(fmt.Sprintf("spec.scheduler.scorers[%d]", len(scorers)), from+"."+e.field)
		scorers = append(scorers, scorer)
	}
	if len(scorers) == 0 {
		s.Set("spec.scheduler.preset", "random", from)
		s.On("spec.scheduler.preset", from).Note("every scorer is off; the EPP picks at random")
		return
	}
	s.Set("spec.scheduler.scorers", scorers, from)
	s.On("spec.scheduler.scorers", from).Note("the weights are in effect now: the operator writes them beside the plugin, where the EPP refuses them, and makes no profile")
}

// parameters gives the operator's parameters the names and types that the plugins
// have (llm-d-router pkg/epp/framework/plugins/scheduling/scorer).
func (s *scheduler) parameters(from string, in map[string]string) map[string]any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(in)) {
		switch name {
		case "queueThreshold":
			threshold, err := strconv.ParseUint(in[name], 10, 31)
			if err != nil {
				s.On("", from+"."+name).Fail("must be a whole number of requests (got %q)", in[name])
			}
			out["threshold"] = threshold
			s.On("spec.scheduler.scorers", from+"."+name).Note("load-aware-scorer calls queueThreshold threshold")
		case "cacheHitBonus":
			s.On("spec.scheduler.scorers", from+"."+name).Dropped().Warn("cacheHitBonus is left out: prefix-cache-scorer has no such parameter and would not start; its weight says how much a hit counts")
		default:
			out[name] = serving.Scalar(in[name])
		}
	}
	return out
}
