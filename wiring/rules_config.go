package wiring

import (
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/eppconfig"
	"github.com/inferstack/inferstack/release"
)

var configRules = []Rule{
	{
		ID: "epp-config-invalid", Severity: Error,
		Doc: "The EndpointPickerConfig has something that the endpoint picker of this image refuses or cannot use: a text that is not YAML, an " +
			"unknown field or plugin, a parameter of the wrong type or out of range, a reference to nothing or to a plugin of another kind, " +
			"two pickers or profile handlers, data that no plugin produces, a filter that leaves no server. It ends at start, or fails " +
			"every request. Where the image's version is not known only what no version takes is reported; an image of one's own may have " +
			"plugins of its own, and gets warnings.",
		find: func(g *G, r *report) { findConfig(g, r, Error, anyFinding) },
	},
	{
		ID: "epp-config-deprecated", Severity: Warning,
		Doc: "The EndpointPickerConfig has something that the endpoint picker of this image still takes but that is on its way out, that it " +
			"ignores, or that does not do what it seems to be there for: a decider that never decides, a weight of 0.",
		find: func(g *G, r *report) {
			findConfig(g, r, Warning, func(f eppconfig.Finding) bool { return !f.Asked })
		},
	},
	{
		ID: "epp-config-role", Severity: Warning,
		Doc: "The EndpointPickerConfig and the roles of the servers do not go together: there are encode servers, and no decider or no profile " +
			"sends them requests, or the profile picks other servers; or a decider asks for encode servers, and there are none.",
		find: func(g *G, r *report) {
			findConfig(g, r, Warning, func(f eppconfig.Finding) bool { return f.Asked })
		},
	},
	{
		ID: "epp-config-unused", Severity: Info,
		Doc: "The EndpointPickerConfig has something that does nothing: a scorer that no profile uses, a plugin in a profile that is not a filter, " +
			"scorer or picker, parameters of a plugin that reads none.",
		find: func(g *G, r *report) { findConfig(g, r, Info, anyFinding) },
	},
	{
		ID: "epp-alpha-plugin", Severity: Error,
		Doc: "The configuration names an experimental plugin, and the endpoint picker is not started with --allow-experimental-plugins=true. " +
			"It ends at start.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			config, _ := e.config.decoded().(map[string]any)
			if e.catalogue == nil || config == nil || e.on("allow-experimental-plugins", false) || e.catalogue.EPP.Flags["allowExperimentalPlugins"] == "" {
				return
			}
			if types := e.catalogue.EPP.Experimental(config); len(types) > 0 {
				r.add(place{e.configAt, e.plugin(types[0])}, e.pods.Ref, "%s is experimental, and %s is not allowed to use it", list(types), e.pods.Ref).
					fix("start it with --allow-experimental-plugins=true")
			}
		}},
	},
	{
		ID: "epp-filter-labels", Severity: Error,
		Doc: "A filter of the configuration keeps only servers with labels that no pod of the pool has. Every request fails with 503.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			pods := g.servers(e)
			for _, plugin := range e.plugins() {
				selector := plugin.at("parameters")
				if t := plugin.at("type").text(); t != "label-selector-filter" && t != "by-label-selector" || len(pods) == 0 {
					continue
				}
				if !slices.ContainsFunc(pods, func(p *Pods) bool { return selectsAll(selector, p.labels) }) {
					r.add(place{e.configAt, selector}, pods[0].Ref, "no pods of the pool have the labels that %s keeps", plugin.at("type").text()).fix("label the pods, or correct the filter")
				}
			}
		}},
	},
}

// findConfig has the configuration judged as the image's version reads it. Without one it
// keeps what every version finds at the same place. An image of somebody's own may have other
// plugins: what is found there is a warning.
func findConfig(g *G, r *report, severity Severity, of func(eppconfig.Finding) bool) {
	for _, e := range g.epps {
		if e.configAt == nil {
			continue
		}
		for _, f := range e.judged(g) {
			if e.severity(f) != severity || !of(f) || f.Value != "" && templated(f.Value) {
				continue
			}
			text := f.Message
			if path := f.Path(); path != "" {
				text = path + ": " + text
			}
			found := r.add(e.placeOf(f), e.pods.Ref, "%s", text)
			if meant := Near(f.Value, f.Known); meant != "" {
				found.fix("did you mean %s?", meant)
			}
		}
	}
}

func anyFinding(eppconfig.Finding) bool { return true }

func (e *epp) severity(f eppconfig.Finding) Severity {
	switch {
	case f.Unused:
		return Info
	case f.Warning || e.own():
		return Warning
	default:
		return Error
	}
}

// placeOf is where a finding is in the object that holds the configuration.
func (e *epp) placeOf(f eppconfig.Finding) place {
	if len(f.At) > 0 && f.Line == 0 {
		return place{e.configAt, e.config.at(f.At...)}
	}
	line := e.configText.line()
	if n := e.configText.node; n != nil && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		line += f.Line
	}
	return place{e.configAt, field{parent: line}}
}

// own reports whether the image is none that the catalogue knows, such as a build of one's own.
func (e *epp) own() bool { return !release.Runs(e.image, "endpoint-picker") }

// judged is what the versions that the image may be find in the configuration.
func (e *epp) judged(g *G) []eppconfig.Finding {
	if e.judgement == nil {
		e.judgement = new(e.judge(g))
	}
	return *e.judgement
}

func (e *epp) judge(g *G) []eppconfig.Finding {
	text := e.configText.text()
	if !e.configText.is() || e.config.node == nil && templated(text) {
		return nil
	}
	dialects, as := e.dialects()
	found := agreed(dialects, text, e.configContext(g))
	switch {
	case len(as) > 0 && as[0] != e.known.Minor():
		e.hedge(found, as)
	case dialects[0].Provisional && len(dialects) == 1:
		for i := range found {
			found[i].Warning = true
		}
	}
	return found
}

// hedge says of findings that they are other versions'. What is not there in those may be there in
// this one, and nothing is certain of a version before or after all that are known.
func (e *epp) hedge(found []eppconfig.Finding, as []string) {
	for i := range found {
		found[i].Message += " (judged as " + strings.Join(as, " and ") + ": " + e.known.Minor() + " is not known)"
		found[i].Warning = found[i].Warning || found[i].Unknown || len(as) == 1
	}
}

// agreed is what the dialects find that take the configuration best, as far as they agree. Where
// none takes it that is what the newest of those finds.
func agreed(dialects []*release.Dialect, text string, ctx eppconfig.Context) []eppconfig.Finding {
	var best [][]eppconfig.Finding
	fewest := math.MaxInt
	for _, d := range dialects {
		found := eppconfig.CheckText(d, text, ctx)
		n := 0
		for _, f := range found {
			if !f.Warning {
				n++
			}
		}
		if n < fewest {
			best, fewest = nil, n
		}
		if n == fewest {
			best = append(best, found)
		}
	}
	newest := best[len(best)-1]
	if fewest > 0 {
		return newest
	}
	for _, others := range best[:len(best)-1] {
		newest = slices.DeleteFunc(newest, func(f eppconfig.Finding) bool {
			return !slices.ContainsFunc(others, func(o eppconfig.Finding) bool { return o.Path() == f.Path() && o.Warning == f.Warning })
		})
	}
	return newest
}

// dialects are those of the image's version, or all where it is not known.
func (e *epp) dialects() (list []*release.Dialect, as []string) {
	if list, as = e.known.Dialects(); len(list) > 0 {
		return list, as
	}
	for _, name := range release.DialectNames() {
		d, err := release.LoadDialect(name)
		if err != nil {
			panic(err) // the dialects are embedded
		}
		if !d.Provisional {
			list = append(list, d)
		}
	}
	return list, nil
}

// configContext is what the objects tell of the surroundings of the configuration.
func (e *epp) configContext(g *G) (ctx eppconfig.Context) {
	if e.catalogue != nil {
		ctx = eppconfig.ForLine(e.catalogue)
	} else if e.known != nil {
		ctx.Version = "version " + e.known.Minor()
	}
	if pods := g.servers(e); len(pods) > 0 {
		prefill := slices.ContainsFunc(pods, (*Pods).prefills)
		encode := slices.ContainsFunc(pods, (*Pods).encodes)
		ctx.Prefill, ctx.Encode = &prefill, &encode
	}
	return ctx
}

// plugin is the first of the configuration's plugins of that type.
func (e *epp) plugin(types ...string) field {
	for _, p := range e.plugins() {
		if slices.Contains(types, p.at("type").text()) {
			return p
		}
	}
	return field{parent: e.config.line()}
}

// servers are the pods that the EPP chooses among.
func (g *G) servers(e *epp) []*Pods {
	if pool := e.pool(g); pool != nil {
		return g.selected(pool, poolSelector(pool))
	}
	selector := parseSelector(e.flag("endpoint-selector"))
	return first(g, g.pods.take(e.pods.Namespace, matchingPairs(selector)))
}
