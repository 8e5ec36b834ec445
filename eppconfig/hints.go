package eppconfig

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/inferstack/inferstack/release"
)

// hints are about what starts and does not do what it seems to be there for.
func (j *judge) hints() {
	j.unqueued()
	if j.anyUnknown() {
		return // a plugin of one's own may use the others
	}
	if !fails(j.findings) {
		j.unusedScorers()
	}
	j.events()
	j.roleFilters()
}

// unqueued warns of flow control that is described and off. The saturation detector is asked in any
// case.
func (j *judge) unqueued() {
	flow, _ := j.config["flowControl"].(map[string]any)
	gate := j.d.Loader.FlowControlGate
	if _, detector := flow["saturationDetector"]; gate == "" || j.gates[gate] || len(flow) == 0 || detector && len(flow) == 1 {
		return
	}
	j.warn(path{"flowControl"}, "has no effect without the feature gate: requests are not queued; add featureGates: [%s]", gate)
}

// conflicts reports plugins that do not go together.
func (j *judge) conflicts() {
	for _, p := range j.plugins {
		for _, other := range j.plugins {
			if p.known != nil && contains(p.known.Conflicts, other.typ) {
				j.add(p.at, "%s and %s do not go together: the EPP ends", p, other)
				break
			}
		}
	}
}

// handlerProfiles checks that the profiles that a handler runs are there.
func (j *judge) handlerProfiles(h *plugin) {
	for _, role := range h.known.Profiles {
		name, at := j.profileFor(h, role)
		if j.profileNamed(name) {
			continue
		}
		if decider := j.deciderFor(h, role); role != "decode" && len(h.known.Profiles) > 0 && decider == "" && h.decides() {
			continue
		}
		j.add(at, "%s runs the profile %s, which is not among the schedulingProfiles", h.typ, name).Starts = true
	}
	if h.decides() {
		j.deciders(h)
	}
	j.encoding(h)
	if j.deciderFor(h, "encode") != "" && j.ctx.Encode != nil && !*j.ctx.Encode {
		j.warn(h.at, "%s has a decider for encode, and there are no encode servers: the decode servers encode themselves", h.typ).Asked = true
	}
}

// encoding warns of encode servers that get nothing to do.
func (j *judge) encoding(h *plugin) {
	name, at := j.profileFor(h, "encode")
	switch decider := j.deciderFor(h, "encode"); {
	case decider != "" && !j.profileNamed(name):
		j.add(at, "%s runs the profile %s, which is not among the schedulingProfiles", h.typ, name).Starts = true
	case decider != "" && j.ctx.Encode != nil && *j.ctx.Encode:
		j.encodeFilter(name, at)
	case decider != "" || len(h.known.Profiles) == 0 || j.ctx.Encode == nil || !*j.ctx.Encode:
	case h.encodes():
		j.warn(h.at, "%s has no decider for encode, so no request reaches the encode servers; set deciders.encode", h.typ).Asked = true
	default:
		j.warn(h.at, "%s has no profile for encode, so no request reaches the encode servers; use disagg-profile-handler", h.typ).Asked = true
	}
}

// encodeFilter warns of a profile for encode that picks other servers: without a filter it takes all,
// and none are left by the filter of another role.
func (j *judge) encodeFilter(name string, at path) {
	filtered := false
	for _, p := range j.profiles {
		for _, r := range p.refs {
			listed := j.byName[r.name]
			if p.name != name || listed == nil || listed.known == nil {
				continue
			}
			if role := listed.known.Role; role != "" && role != "encode" {
				j.warn(r.at, "%s keeps %s servers, and %s is the profile for encode; use encode-filter", r.name, role, name).Asked = true
				return
			}
			filtered = filtered || contains(listed.known.Kinds, "filter")
		}
	}
	if !filtered && !j.anyUnknown() {
		j.warn(at, "the profile %s picks any server for encode, since it has no filter; add encode-filter", name).Asked = true
	}
}

// encodes reports whether the handler can run a profile for encode servers.
func (p *plugin) encodes() bool {
	if p.form == nil {
		return false
	}
	deciders := p.form.Fields.Get("deciders")
	return deciders != nil && deciders.Fields.Get("encode") != nil || p.form.Fields.Get("encodeDeciderPluginName") != nil
}

// profileFor is the profile that a handler runs for a role, under either form's parameter.
func (j *judge) profileFor(h *plugin, role string) (string, path) {
	if named, ok := h.parameters["profiles"].(map[string]any); ok {
		if name, _ := named[role].(string); name != "" {
			return name, h.at.key("parameters").key("profiles").key(role)
		}
	}
	if name := h.parameterText(role + "Profile"); name != "" {
		return name, h.at.key("parameters").key(role + "Profile")
	}
	return role, h.at
}

// decides reports whether deciders tell the handler when to split a request.
func (p *plugin) decides() bool {
	return p.form != nil && (p.form.Fields.Get("deciders") != nil || p.form.Fields.Get("deciderPluginName") != nil)
}

// deciderFor is the decider that a handler asks about a role.
func (j *judge) deciderFor(h *plugin, role string) string {
	if v, ok := h.parameter("deciders"); ok {
		m, _ := v.(map[string]any)
		name, _ := m[role].(string)
		return name
	}
	for _, field := range []string{role + "DeciderPluginName", "deciderPluginName"} {
		if v, _ := h.parameter(field); v != nil && v != "" && (role == "prefill" || field != "deciderPluginName") {
			name, _ := v.(string)
			return name
		}
	}
	return ""
}

// deciders warns of prefill servers that get nothing to do.
func (j *judge) deciders(h *plugin) {
	order := h.parameterText("stageOrder")
	name := j.deciderFor(h, "prefill")
	if name == "" {
		if folded(order, true) != "prefill-first" && folded(order, true) != "prefill" && j.profileNamed("prefill") && (j.ctx.Prefill == nil || *j.ctx.Prefill) {
			j.warn(h.at, "%s has no decider for prefill, so no request reaches the prefill servers; set deciders.prefill", h.typ)
		}
		return
	}
	decider := j.byName[name]
	if decider == nil || decider.form == nil || decider.form.Fields.Get("nonCachedTokens") == nil {
		return
	}
	if v, _ := decider.parameter("nonCachedTokens"); v == nil || v == 0.0 || isZero(v) || v == json.Number("0") {
		j.warn(decider.at, "%s without nonCachedTokens never asks for prefill, so no request reaches the prefill servers; set it to the number of new tokens from which on it pays", decider.typ)
	}
}

// unusedScorers warns of scorers that no profile uses.
func (j *judge) unusedScorers() {
	if len(j.profiles) == 0 {
		return // all are used
	}
	used := map[string]bool{}
	for _, p := range j.profiles {
		for _, r := range p.refs {
			used[r.name] = true
		}
	}
	for _, p := range j.plugins {
		if p.is(release.KindScorer) && !used[p.name] && p.known.Kind() == release.KindScorer && !p.is(release.KindProducer) && !j.referred(p.name) {
			j.warn(p.at, "%s is used by no profile", p).Unused = true
		}
	}
}

// referred reports whether a parameter names a plugin.
func (j *judge) referred(name string) bool {
	return slices.ContainsFunc(j.refs, func(r reference) bool { return r.name == name })
}

// events checks what precise prefix caching needs beside its plugin.
func (j *judge) events() {
	for _, p := range j.plugins {
		if p.known == nil || !p.known.FollowsEvents || !p.is(release.KindProducer) {
			continue
		}
		if p.is(release.KindScorer) {
			j.beside(p)
			continue
		}
		j.discovers(p)
		j.lookedAt(p)
	}
}

// beside reports a scorer with an index of its own beside a producer: the EPP makes the two
// in no certain order, and the scorer's parameters count only when it comes first.
func (j *judge) beside(scorer *plugin) {
	for _, p := range j.plugins {
		if p.known.FollowsEvents && !p.is(release.KindScorer) {
			j.add(scorer.at, "%s beside %s works or not by chance, since the EPP makes them in no certain order; use prefix-cache-scorer with prefixMatchInfoProducerName: %s", scorer, p, p.name)
			return
		}
	}
}

// discovers checks that a producer that dials the servers hears of them.
func (j *judge) discovers(p *plugin) {
	v, _ := p.parameter("kvEventsConfig")
	events, _ := v.(map[string]any)
	if on, ok := events["discoverPods"].(bool); ok && !on || j.listens(p) {
		return
	}
	if events["zmqEndpoint"] != nil && events["discoverPods"] == nil {
		j.warn(p.at, "%s dials the servers as well, since discoverPods is true by default, and hears of none without endpoint-notification-source; set discoverPods: false", p)
		return
	}
	j.add(p.at, "%s hears of no servers to dial; add the plugin endpoint-notification-source, and to dataLayer.sources one with %s as its extractor", p, p.name).Starts = true
}

// lookedAt warns of scorers that look at the default producer, which the EPP makes for them,
// beside a precise one (llm-d-router#2274).
func (j *judge) lookedAt(p *plugin) {
	for _, s := range j.plugins {
		for _, n := range s.needs() {
			if n.Data != "PrefixCacheMatchInfo" || n.From == "" || n.By == p.name || !s.is(release.KindScorer) || j.byName[n.By] != nil {
				continue
			}
			if name := s.parameterText(n.From); name == "" {
				j.warn(s.at, "%s looks at %s, which the EPP makes by itself, and not at %s; set %s: %s", s, n.By, p, n.From, p.name)
			}
		}
	}
}

// roleFilters warns of filters that leave no server.
func (j *judge) roleFilters() {
	there := map[string]*bool{"prefill": j.ctx.Prefill, "encode": j.ctx.Encode}
	for _, role := range slices.Sorted(maps.Keys(there)) {
		if there[role] == nil || *there[role] {
			continue
		}
		for _, p := range j.profiles {
			for _, r := range p.refs {
				listed := j.byName[r.name]
				if listed != nil && listed.known.Role == role && len(j.profiles) == 1 {
					f := j.add(r.at, "%s leaves no server, since there are no %s servers: every request fails", r.name, role)
					f.Starts, f.Warning = true, !j.ctx.Whole
				}
			}
		}
	}
}
