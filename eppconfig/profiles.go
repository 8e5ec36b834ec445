package eppconfig

import (
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/release"
)

// profile is a scheduling profile.
type profile struct {
	at   path
	name string
	refs []profileRef
}

type profileRef struct {
	at     path
	name   string
	weight any
}

// readProfiles checks the names of the profiles.
func (j *judge) readProfiles() {
	list, _ := j.config["schedulingProfiles"].([]any)
	seen := map[string]bool{}
	for i, entry := range list {
		m, ok := entry.(map[string]any)
		if entry != nil && !ok {
			continue
		}
		p := profile{at: path{"schedulingProfiles", i}}
		p.name, _ = m["name"].(string)
		switch {
		case p.name == "" && (m["name"] == nil || isText(m["name"])):
			j.add(p.at.key("name"), "a profile needs a name")
		case seen[p.name]:
			j.add(p.at.key("name"), "there is another profile named %s", p.name)
		}
		seen[p.name] = true
		j.readRefs(&p, m["plugins"])
		j.profiles = append(j.profiles, p)
	}
}

func (j *judge) readRefs(p *profile, v any) {
	list, _ := v.([]any)
	for i, entry := range list {
		m, ok := entry.(map[string]any)
		if entry != nil && !ok {
			continue
		}
		r := profileRef{at: p.at.key("plugins").index(i), weight: m["weight"]}
		r.name, _ = m["pluginRef"].(string)
		if r.name == "" {
			if ref := m["pluginRef"]; ref == nil || isText(ref) {
				j.add(r.at.key("pluginRef"), "a profile's plugin needs a pluginRef, the name of one of the plugins")
			}
			continue
		}
		p.refs = append(p.refs, r)
	}
}

// checkProfiles checks what the profiles refer to.
func (j *judge) checkProfiles() {
	for _, p := range j.profiles {
		var picker string
		for _, r := range p.refs {
			kinds, unknown := j.kinds(r)
			if kinds == nil {
				continue
			}
			if kinds.Is(release.KindPicker) {
				if picker != "" {
					j.add(r.at, "%s is a second picker beside %s in profile %s; keep one", r.name, picker, p.name)
				}
				picker = r.name
			}
			if !unknown {
				j.effect(kinds, r)
			}
		}
		j.weights(p)
		if pickers := j.ofKind(release.KindPicker); picker == "" && len(pickers) > 1 && !j.anyUnknown() {
			j.warn(p.at, "has no picker, and the EPP takes any of %s; name one", names(pickers))
		}
	}
	if len(j.profiles) == 0 {
		j.allInOne(j.ofKind(release.KindPicker), j.ofKind(release.KindScorer))
	}
}

// allInOne checks the profile that the EPP makes of all plugins, in no certain order. What it puts
// its own picker in the place of is among them.
func (j *judge) allInOne(pickers, scorers []*plugin) {
	for _, p := range j.replaced {
		if j.d.Plugin(p.name).Is(release.KindPicker) && (p.is(release.KindFilter) || p.is(release.KindScorer)) {
			pickers = append(pickers, p)
		}
	}
	switch {
	case len(pickers) > 1:
		j.add(pickers[1].at, "%s is a second picker beside %s in the profile that the EPP makes of all plugins; keep one", pickers[1], pickers[0])
	case len(pickers) > 0 && len(scorers) > 0 && j.d.Loader.WeightsUpToPicker:
		j.add(pickers[0].at, "%s ends %s by chance, which makes a profile of all plugins in no certain order and gives scorers behind the picker no weight; write schedulingProfiles", pickers[0], j.version())
	}
}

// weights checks scorers that follow a profile's picker, which some versions give no weight by themselves.
func (j *judge) weights(p profile) {
	picked := false
	for _, r := range p.refs {
		listed := j.byName[r.name]
		if picked && listed.is(release.KindScorer) && r.weight == nil && j.d.Loader.WeightsUpToPicker {
			j.add(r.at, "%s follows the picker and has no weight, which ends the EPP; give it one, or move the picker to the end", r.name)
		}
		picked = picked || listed.is(release.KindPicker) || listed == nil && j.added[r.name] && j.d.Plugin(r.name).Is(release.KindPicker)
	}
}

// kinds looks up what a profile refers to; unknown says that nothing is known of it.
func (j *judge) kinds(r profileRef) (p *release.Plugin, unknown bool) {
	if listed := j.byName[r.name]; listed != nil {
		return listed.known, listed.known == nil
	}
	if j.added[r.name] {
		return j.d.Plugin(r.name), false
	}
	var known []string
	for name := range j.byName {
		known = append(known, name)
	}
	j.add(r.at.key("pluginRef"), "no plugin named %s is declared in plugins", r.name).near(r.name, known)
	return nil, true
}

// effect warns of what does nothing in a profile.
func (j *judge) effect(p *release.Plugin, r profileRef) {
	scores := p.Is(release.KindScorer)
	switch {
	case !scores && !p.Is(release.KindFilter) && !p.Is(release.KindPicker):
		j.warn(r.at.key("pluginRef"), "%s is %s and does nothing in a profile", r.name, article(p.Kind())).Unused = true
	case scores && isZero(r.weight) && r.weight != nil && !p.Is(release.KindFilter):
		j.warn(r.at.key("weight"), "%s does nothing with a weight of 0", r.name)
	case !scores && r.weight != nil:
		j.warn(r.at.key("weight"), "%s is %s, and only scorers have a weight", r.name, article(p.Kind())).Unused = true
	}
}

func names(plugins []*plugin) string {
	return strings.Join(lists.Map(plugins, func(p *plugin) string { return p.name }), ", ")
}

// handler checks that one profile handler fits the profiles.
func (j *judge) handler() {
	handlers := j.ofKind(release.KindProfileHandler)
	if len(handlers) == 0 {
		if len(j.profiles) > 1 && !j.anyUnknown() {
			j.add(path{"plugins"}, "%d profiles need a profile handler that chooses between them", len(j.profiles))
		} else if !j.added["single-profile-handler"] && !j.anyUnknown() {
			j.add(path{"plugins"}, "there is no profile handler")
		}
		return
	}
	for _, other := range handlers[1:] {
		j.add(other.at, "%s is a second profile handler beside %s; keep one", other.typ, handlers[0].typ)
	}
	j.oneProfile(handlers[0])
	j.handlerProfiles(handlers[0])
}

// oneProfile checks that the handler for one profile has one.
func (j *judge) oneProfile(h *plugin) {
	if h.typ != "single-profile-handler" || len(j.profiles) < 2 {
		return
	}
	all := lists.Map(j.profiles, func(p profile) string { return p.name })
	j.add(h.at, "%s works with one profile, and there are %d: %s", h.typ, len(all), strings.Join(all, ", ")).Starts = j.d.Loader.AnyProfiles
}

// profileNamed reports whether there is a profile of that name.
func (j *judge) profileNamed(name string) bool {
	for _, p := range j.profiles {
		if p.name == name {
			return true
		}
	}
	return len(j.profiles) == 0 && name == "default"
}
