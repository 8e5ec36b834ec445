package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

const schedulerPath = "spec.scheduler"

// schedulerForms refuses two ways to configure the EPP at once.
func schedulerForms(s stack) []schema.Problem {
	sched := &s.Spec.Scheduler
	var out []schema.Problem
	if sched.Config != nil {
		for _, other := range []string{"preset", "scorers", "filters", "picker"} {
			if at := schedulerPath + "." + other; s.Has(at) {
				out = append(out, s.Problem(schema.Error, at, "is not used beside a whole config; keep one of the two"))
			}
		}
		return append(out, s.unusedDisaggregation()...)
	}
	if len(sched.Scorers) > 0 && sched.Preset != "" {
		out = append(out, s.Problem(schema.Error, schedulerPath+".scorers", "is not used beside a preset, which has scorers of its own; keep one of the two"))
	}
	for _, other := range []string{"filters", "picker"} {
		if at := schedulerPath + "." + other; len(sched.Scorers) == 0 && s.Has(at) {
			out = append(out, s.Problem(schema.Error, at, "needs scorers; a preset has its own"))
		}
	}
	return append(out, s.unusedDisaggregation()...)
}

// unusedDisaggregation checks the decider where there is one to decide.
func (s stack) unusedDisaggregation() []schema.Problem {
	at := schedulerPath + ".disaggregation"
	d := &s.Spec.Scheduler.Disaggregation
	switch {
	case s.Has(at) && s.Spec.Prefill == nil:
		return []schema.Problem{s.Problem(schema.Error, at, "needs a prefill section")}
	case s.Has(at) && s.Spec.Scheduler.Config != nil:
		return []schema.Problem{s.Problem(schema.Error, at, "is not used beside a whole config, which has a profile handler of its own")}
	case s.Spec.Server.Engine == "sglang" && d.Decider == "prefix-based":
		return []schema.Problem{s.Problem(schema.Error, at+".decider", "must be always with engine: sglang, whose decode servers take no request that a prefill server has not begun (got prefix-based)")}
	case s.Spec.Prefill != nil && s.Spec.Scheduler.Config == nil && s.Decider() == "prefix-based" && d.NonCachedTokens == 0:
		return []schema.Problem{s.Problem(schema.Error, at+".nonCachedTokens", "must be at least 1 with decider prefix-based (got 0); to use prefill servers for every request, set decider: always")}
	default:
		return nil
	}
}

// factFields names the fields behind the facts that presets are chosen by.
var factFields = map[string]string{
	"decider": "scheduler.disaggregation.decider",
	"events":  "kvCache.events.mode",
	"index":   "kvCache.redis.index",
	"ha":      "scheduler.highAvailability",
	"slo":     "scheduler.latencyPredictor.slo",
}

// presetFits checks that the release line has a form of the preset for this stack.
func presetFits(s stack) []schema.Problem {
	line := s.line()
	if line == nil || !s.Spec.Scheduler.Enabled || s.Preset() == "" {
		return nil
	}
	name, facts := s.Preset(), s.Facts(line)
	if line.EPP.Preset(name, facts, nil) != nil || name == schema.LatencyPreset && line.Images.LatencyTraining == "" || s.Spec.Encode != nil && !line.Encodes() { // which another rule says
		return nil
	}
	at := schedulerPath + ".preset"
	forms := lists.Where(line.EPP.PresetFits(name), func(form map[string]string) bool {
		return fits(form, facts, "prefill") && fits(form, facts, "encode")
	})
	switch {
	case len(forms) > 0:
		return []schema.Problem{s.Problem(schema.Error, at, "%s needs %s here, on release line %s", name, missing(forms[0], facts), line.Name)}
	case name == schema.EncodePreset && s.Spec.Encode == nil:
		return []schema.Problem{s.Problem(schema.Error, at, "%s needs an encode section", name)}
	case facts["encode"] == "true":
		return []schema.Problem{s.Problem(schema.Error, at, "%s has no profile for encode servers; with an encode section use %s, or list scorers",
			name, strings.Join(presetsFor(line, facts), " or "))}
	case facts["prefill"] == "true":
		return []schema.Problem{s.Problem(schema.Error, at, "%s has no profile for prefill servers; with a prefill section use %s, or list scorers",
			name, strings.Join(presetsFor(line, facts), " or "))}
	default:
		return []schema.Problem{s.Problem(schema.Error, at, "%s needs a prefill section", name)}
	}
}

// fits reports whether a form of a preset takes a fact as it is.
func fits(form map[string]string, facts release.Facts, fact string) bool {
	want, asked := form[fact]
	return !asked || want == facts[fact]
}

// missing says what a form of a preset asks for and the stack has otherwise.
func missing(form map[string]string, facts release.Facts) string {
	var words []string
	for _, fact := range slices.Sorted(maps.Keys(form)) {
		if facts[fact] != form[fact] {
			words = append(words, "spec."+factFields[fact]+": "+form[fact])
		}
	}
	return strings.Join(words, " and ")
}

func presetsFor(line *release.Line, facts release.Facts) []string {
	return lists.Where(line.EPP.PresetNames(), func(name string) bool { return line.EPP.Preset(name, facts, nil) != nil })
}

// statefulReplicas refuses replicas that are all active with a preset or scorers of which
// each replica remembers only its own requests. It warns of a whole configuration, which
// may say so on purpose: such replicas serve, and pick servers less well.
func statefulReplicas(s stack) []schema.Problem {
	sched, line := &s.Spec.Scheduler, s.line()
	if line == nil || !sched.Enabled || sched.Replicas < 2 || sched.HighAvailability != "active-active" {
		return nil
	}
	at := schedulerPath + ".highAvailability"
	stateful := line.EPP.Stateful(s.configOutline(line))
	severity := schema.Error
	if sched.Config != nil {
		severity = schema.Warning
	}
	if len(stateful) > 0 {
		return []schema.Problem{s.Problem(severity, at, "active-active cannot be combined with %s, of which each replica would know its own requests only; use leader-election",
			strings.Join(stateful, ", "))}
	}
	return nil
}

// configOutline is the configuration in force as far as it says which plugins there are.
func (s stack) configOutline(line *release.Line) map[string]any {
	sched := &s.Spec.Scheduler
	switch {
	case sched.Config != nil:
		return sched.Config
	case s.Preset() != "":
		return line.EPP.Preset(s.Preset(), s.Facts(line), nil)
	}
	var plugins []any
	for _, p := range s.ListedPlugins() {
		plugins = append(plugins, map[string]any{"type": p.Type, "name": p.Name, "parameters": p.Parameters})
	}
	return map[string]any{"plugins": plugins}
}
