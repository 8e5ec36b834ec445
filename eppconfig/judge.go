package eppconfig

import (
	"github.com/inferstack/inferstack/release"
)

// Context is what is known of the surroundings of a configuration. Its zero value knows
// nothing, and nothing is then found that depends on it.
type Context struct {
	// APIVersion that the version reads, and Old ones that it still does.
	APIVersion string
	Old        []string
	// Version names the EPP in messages, such as "release line 0.10".
	Version string
	// Prefill and Encode report whether there are servers of the role.
	Prefill, Encode *bool
	// Whole says that there are no servers but those that are known.
	Whole bool
}

// ForLine is the context of a release line.
func ForLine(line *release.Line) Context {
	return Context{APIVersion: line.APIs.EndpointPickerConfig, Old: line.APIs.EndpointPickerConfigOld, Version: "release line " + line.Name}
}

// Check judges a configuration that was decoded.
func Check(d *release.Dialect, config map[string]any, ctx Context) []Finding {
	j := &judge{d: d, ctx: ctx, config: plain(config)}
	j.run()
	return j.findings
}

// CheckText judges the text of a configuration.
func CheckText(d *release.Dialect, text string, ctx Context) []Finding {
	config, findings := read(text)
	if config == nil {
		return findings
	}
	j := &judge{d: d, ctx: ctx, config: config, findings: findings}
	j.run()
	return j.findings
}

// A judge goes through one configuration.
type judge struct {
	d        *release.Dialect
	ctx      Context
	config   map[string]any
	findings []Finding

	gates    map[string]bool
	plugins  []*plugin
	byName   map[string]*plugin
	added    map[string]bool // names of plugins that the loader adds
	replaced []*plugin       // plugins that the loader's own take the place of
	speaker  map[string]int  // plugins whose parameters are read as those of another type
	profiles []profile
	refs     []reference
}

func (j *judge) run() {
	j.identity()
	j.readGates()
	j.value(j.d.Config, j.config, nil, mode{exact: true, strict: true, top: true})
	j.readPlugins()
	j.readProfiles()
	j.addDefaults()
	j.handler()
	j.checkProfiles()
	j.dataLayer()
	j.references()
	j.data()
	j.conflicts()
	j.hints()
}

// identity checks apiVersion and kind, which may be left out.
func (j *judge) identity() {
	if got, ok := j.config["apiVersion"]; ok && got != nil && j.ctx.APIVersion != "" && got != j.ctx.APIVersion {
		if name, _ := got.(string); contains(j.ctx.Old, name) {
			j.warn(path{"apiVersion"}, "%s is deprecated on %s: write %s, or leave the field out", name, j.ctx.Version, j.ctx.APIVersion)
		} else if name != "" || !isText(got) {
			j.add(path{"apiVersion"}, "must be %s on %s, or be left out (got %v)", j.ctx.APIVersion, j.ctx.Version, got)
		}
	}
	if got, ok := j.config["kind"]; ok && got != nil && got != "" && got != "EndpointPickerConfig" {
		j.add(path{"kind"}, "must be EndpointPickerConfig, or be left out (got %v)", got)
	}
}

func isText(v any) bool { _, ok := v.(string); return ok }
