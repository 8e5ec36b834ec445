package schema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/release"
)

func indexed(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// listedPlugins checks the filters, scorers and the picker that a stack lists.
func listedPlugins(s *Stack) []Problem {
	line := s.line()
	if line == nil || len(s.Spec.Scheduler.Scorers) == 0 {
		return nil
	}
	var out []Problem
	names := map[string]string{}
	for _, p := range s.listed() {
		out = append(out, s.findings(line.CheckPlugin(p.path, p.kind, p.Type, p.Parameters))...)
		name := p.Name
		if name == "" {
			name = p.Type
		}
		if earlier, ok := names[name]; ok {
			out = append(out, s.Problem(Error, p.path, "%s is the name of %s too; give one of them a name of its own", name, earlier))
		}
		names[name] = p.path
		out = append(out, s.listedAlone(line, p)...)
	}
	for _, p := range s.listed() {
		out = append(out, s.neededPlugins(line, p, names)...)
	}
	return append(out, s.scorerWeights(line)...)
}

// listedAlone refuses plugins that need more around them than a list can say.
func (s *Stack) listedAlone(line *release.Line, p listedPlugin) []Problem {
	roles := line.EPP.RoleFilters
	switch plugin := line.EPP.Plugin(p.Type); {
	case s.Spec.Prefill != nil && (p.Type == roles.Decode || p.Type == roles.Prefill):
		return []Problem{s.Problem(Error, p.path, "%s is written into the profile of its role by the prefill section; leave it out", p.Type)}
	case plugin != nil && plugin.FollowsEvents:
		return []Problem{s.Problem(Error, p.path, "%s needs the servers' block size, hash seed and events; use preset: precise-prefix, or a whole config", p.Type)}
	default:
		return nil
	}
}

// neededPlugins refuses a parameter that names a plugin which a list cannot declare.
func (s *Stack) neededPlugins(line *release.Line, p listedPlugin, names map[string]string) []Problem {
	plugin := line.EPP.Plugin(p.Type)
	if plugin == nil {
		return nil
	}
	var out []Problem
	for parameter := range plugin.Needs {
		name, ok := p.Parameters[parameter].(string)
		if _, declared := names[name]; !ok || declared {
			continue
		}
		if other := line.EPP.Plugin(name); other == nil || !other.Automatic {
			out = append(out, s.Problem(Error, p.path+".parameters."+parameter, "no plugin named %s is listed; declare it in a whole config", name))
		}
	}
	return out
}

func (s *Stack) scorerWeights(line *release.Line) []Problem {
	var out []Problem
	for i, scorer := range s.Spec.Scheduler.Scorers {
		if line.EPP.IntegerWeights && scorer.Weight != math.Trunc(scorer.Weight) {
			out = append(out, s.Problem(Error, indexed(schedulerPath+".scorers", i)+".weight",
				"must be a whole number on release line %s (got %v)", line.Name, scorer.Weight))
		}
	}
	return out
}

// wholeConfig checks an EndpointPickerConfig that is given as a whole.
func wholeConfig(s *Stack) []Problem {
	sched, line := &s.Spec.Scheduler, s.line()
	if line == nil || sched.Config == nil {
		return nil
	}
	at := schedulerPath + ".config"
	findings := line.Check(sched.Config)
	for i := range findings {
		findings[i].Path = at + "." + findings[i].Path
	}
	out := s.findings(findings)
	if len(Problems(out).Errors()) > 0 {
		return out
	}
	return append(out, s.handlerForRoles(line, at)...)
}

// handlerForRoles checks that a whole configuration sends requests to prefill servers when
// there are some, and only then.
func (s *Stack) handlerForRoles(line *release.Line, at string) []Problem {
	i, handler := disaggregator(line, s.Spec.Scheduler.Config)
	switch {
	case s.Spec.Prefill != nil && handler == nil:
		return []Problem{s.Problem(Error, at+".plugins", "has no profile handler for the prefill section, so that no request reaches its servers; add %s with the profiles decode and prefill",
			strings.Join(handlersFor(line), " or "))}
	case s.Spec.Prefill == nil && handler != nil:
		return []Problem{s.Problem(Warning, indexed(at+".plugins", i), "%s asks for prefill servers, and the stack has no prefill section", handler.Type)}
	default:
		return nil
	}
}

func disaggregator(line *release.Line, config map[string]any) (int, *release.Plugin) {
	list, _ := config["plugins"].([]any)
	for i, entry := range list {
		m, _ := entry.(map[string]any)
		name, _ := m["type"].(string)
		if p := line.EPP.Plugin(name); p != nil && len(p.Profiles) > 0 {
			return i, p
		}
	}
	return 0, nil
}

func handlersFor(line *release.Line) []string {
	var types []string
	for _, p := range line.EPP.Plugins {
		if len(p.Profiles) > 0 {
			types = append(types, p.Type)
		}
	}
	return types
}

// findings are problems of the EPP's configuration. With an image of the user's own, an
// unknown plugin may well be known to it.
func (s *Stack) findings(findings []release.Finding) []Problem {
	var out []Problem
	for _, f := range findings {
		severity := Error
		if f.Warning || s.Spec.Scheduler.Image != "" && strings.HasSuffix(f.Path, ".type") && f.Value != "" {
			severity = Warning
		}
		message := f.Message
		if meant := Near(f.Value, f.Known); meant != "" && f.Value != "" {
			message += fmt.Sprintf("; did you mean %s?", meant)
		}
		out = append(out, s.Problem(severity, f.Path, "%s", message))
	}
	return out
}

// experimentalPlugins says that the EPP gets the flag for experimental plugins.
func experimentalPlugins(s *Stack) []Problem {
	line := s.line()
	if line == nil || !s.Spec.Scheduler.Enabled {
		return nil
	}
	alpha := line.EPP.Experimental(s.configOutline(line))
	flag := line.EPP.Flags["allowExperimentalPlugins"]
	if len(alpha) == 0 || flag == "" {
		return nil
	}
	slices.Sort(alpha)
	return []Problem{s.Problem(Info, schedulerPath, "%s is experimental on release line %s, so the EPP gets --%s",
		strings.Join(slices.Compact(alpha), ", "), line.Name, flag)}
}
