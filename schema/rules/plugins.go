package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/eppconfig"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// listedPlugins judges the filters, scorers and the picker that a stack lists, as the
// configuration that is written with them.
func listedPlugins(s stack) []schema.Problem {
	line := s.line()
	if line == nil || len(s.Spec.Scheduler.Scorers) == 0 {
		return nil
	}
	var alone, out []schema.Problem
	listed := s.ListedPlugins()
	for _, p := range listed {
		alone = append(alone, s.listedAlone(line, p)...)
	}
	config, own := s.ListedConfig(), s.ownPlugins(line)
	config["plugins"] = slices.Concat(own, config["plugins"].([]any))
	for _, f := range eppconfig.Check(line.EPP.Speaks(), config, s.eppContext(line)) {
		if at, ok := listedAt(f.At, len(own), listed); ok && !reported(alone, at) {
			out = append(out, s.judged(f, at))
		}
	}
	return append(alone, out...)
}

// ownPlugins are those that are written around the listed ones, by their types: their
// names are taken.
func (s stack) ownPlugins(line *release.Line) (own []any) {
	add := func(kind string) { own = append(own, map[string]any{"type": kind}) }
	none := map[string]any{}
	for _, list := range []string{"filterPlugins", "filterRefs", "scorerPlugins", "scorerRefs", "pickerPlugins", "pickerRefs"} {
		none[list] = []any{}
	}
	plugins, _ := line.EPP.Around(s.Facts(line), none)["plugins"].([]any)
	for _, entry := range plugins {
		// A handler for two profiles would look for them here.
		if m, _ := entry.(map[string]any); line.EPP.Plugin(fmt.Sprint(m["type"])) != nil && !line.EPP.Plugin(fmt.Sprint(m["type"])).Is(release.KindProfileHandler) {
			add(fmt.Sprint(m["type"]))
		}
	}
	if s.Spec.Scheduler.Filters == nil && !s.Disaggregated() {
		add(line.EPP.RoleFilters.Decode)
	}
	if s.Spec.Scheduler.Picker == nil {
		add("max-score-picker")
	}
	return own
}

// listedAt is the field of a stack that a place in the configuration was made of, in which
// the listed plugins come after own ones.
func listedAt(at []any, own int, listed []schema.ListedPlugin) (string, bool) {
	if len(at) > 3 && at[0] == "schedulingProfiles" {
		at, own = append([]any{"plugins"}, at[3:]...), 0
	}
	if len(at) < 2 || at[0] != "plugins" {
		return "", false
	}
	i, ok := at[1].(int)
	if i -= own; !ok || i < 0 || i >= len(listed) {
		return "", false
	}
	rest := eppconfig.Finding{At: at[2:]}.Path()
	if rest == "" || rest == "pluginRef" {
		return listed[i].Path, true
	}
	return listed[i].Path + "." + rest, true
}

// reported reports whether something is wrong with a plugin as a whole already.
func reported(problems []schema.Problem, at string) bool {
	return slices.ContainsFunc(problems, func(p schema.Problem) bool {
		plugin := strings.TrimSuffix(p.Path, ".type")
		return at == plugin || strings.HasPrefix(at, plugin+".")
	})
}

// listedAlone refuses plugins of another kind, and those that need more around them than a
// list can say.
func (s stack) listedAlone(line *release.Line, p schema.ListedPlugin) []schema.Problem {
	roles := line.EPP.RoleFilters
	switch plugin := line.EPP.Plugin(p.Type); {
	case plugin == nil:
		return nil
	case !plugin.Is(p.Kind):
		return []schema.Problem{s.Problem(schema.Error, p.Path+".type", "%s is a %s, not a %s", p.Type, strings.ReplaceAll(plugin.Kind(), "-", " "), p.Kind)}
	case s.Disaggregated() && slices.Contains([]string{roles.Decode, roles.Prefill, roles.Encode}, p.Type):
		return []schema.Problem{s.Problem(schema.Error, p.Path, "%s is written into the profile of its role by the %s section; leave it out", p.Type, s.helpers())}
	case plugin.FollowsEvents:
		return []schema.Problem{s.Problem(schema.Error, p.Path, "%s needs the servers' block size, hash seed and events; use preset: precise-prefix, or a whole config", p.Type)}
	default:
		return nil
	}
}

// wholeConfig judges an EndpointPickerConfig that is given as a whole.
func wholeConfig(s stack) []schema.Problem {
	sched, line := &s.Spec.Scheduler, s.line()
	if line == nil || sched.Config == nil {
		return nil
	}
	at := schedulerPath + ".config"
	var out []schema.Problem
	for _, f := range eppconfig.Check(line.EPP.Speaks(), sched.Config, s.eppContext(line)) {
		where := at
		if path := f.Path(); path != "" {
			where += "." + path
		}
		out = append(out, s.judged(f, where))
	}
	if len(schema.Problems(out).Errors()) > 0 {
		return out
	}
	return append(out, s.handlerForRoles(line, at)...)
}

// eppContext is what the stack tells of the surroundings of its EPP.
func (s stack) eppContext(line *release.Line) eppconfig.Context {
	ctx := eppconfig.ForLine(line)
	prefill, encode := s.Spec.Prefill != nil, s.Spec.Encode != nil
	ctx.Prefill, ctx.Encode, ctx.Whole = &prefill, &encode, true
	return ctx
}

// judged is a finding as a problem. With an image of the user's own, what is wrong with the
// plugins of the release line may be right with those of the image.
func (s stack) judged(f eppconfig.Finding, at string) schema.Problem {
	severity := schema.Error
	if f.Warning || s.ownEPP() {
		severity = schema.Warning
	}
	if f.Unused {
		severity = schema.Info
	}
	message := f.Message
	if meant := near.Of(f.Value, f.Known); meant != "" && f.Value != "" {
		message += fmt.Sprintf("; did you mean %s?", meant)
	}
	return s.Problem(severity, at, "%s", message)
}

// ownEPP reports whether the EPP's image is none that the catalogue knows.
func (s stack) ownEPP() bool {
	image := s.Spec.Scheduler.Image
	return image != "" && !release.Runs(image, "endpoint-picker")
}

// handlerForRoles checks that a whole configuration sends requests to prefill and encode
// servers when there are some, and only then.
func (s stack) handlerForRoles(line *release.Line, at string) []schema.Problem {
	i, handler := disaggregator(line, s.Spec.Scheduler.Config)
	switch {
	case s.Disaggregated() && handler == nil:
		return []schema.Problem{s.Problem(schema.Error, at+".plugins", "has no profile handler for the %s section, so that no request reaches its servers; add %s with the profiles decode and %[1]s",
			s.helpers(), strings.Join(handlersFor(line), " or "))}
	case !s.Disaggregated() && handler != nil && s.Spec.Server.Create:
		return []schema.Problem{s.Problem(schema.Warning, finding.Indexed(at+".plugins", i), "%s asks for prefill servers, and the stack has no prefill section", handler.Type)}
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

func handlersFor(line *release.Line) (types []string) {
	for _, p := range line.EPP.Speaks().Plugins {
		if len(p.Profiles) > 0 && p.Replacement == "" {
			types = append(types, p.Type)
		}
	}
	return types
}

// helpers is the section of the servers to which decode servers leave a part of the work.
func (s stack) helpers() string {
	if s.Spec.Prefill == nil {
		return schema.RoleEncode
	}
	return schema.RolePrefill
}

// experimentalPlugins says that the EPP gets the flag for experimental plugins.
func experimentalPlugins(s stack) []schema.Problem {
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
	return []schema.Problem{s.Problem(schema.Info, schedulerPath, "%s is experimental on release line %s, so the EPP gets --%s",
		strings.Join(slices.Compact(alpha), ", "), line.Name, flag)}
}
