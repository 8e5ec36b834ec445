package release

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/sorted"
)

// A Dialect is what one version of the EPP takes as an EndpointPickerConfig: the fields, the
// plugins with their parameters, and what the loader adds by itself.
type Dialect struct {
	// Name of the dialect, such as "llm-d-0.10".
	Name string `json:"-"`
	// Provisional says that the version is not released, so that it may turn out otherwise.
	Provisional bool `json:"provisional,omitempty"`
	// Config is the configuration without apiVersion and kind.
	Config *Schema `json:"config"`
	// Gates there are, with what they are by default.
	Gates sorted.Map[bool] `json:"gates,omitempty"`
	// RemovedGates were gates of earlier versions; the value says what became of them.
	RemovedGates sorted.Map[string] `json:"removedGates,omitempty"`
	// Loader is how the configuration is read.
	Loader Loader `json:"loader"`
	// Plugins there are.
	Plugins []Plugin `json:"plugins"`
	// Renamed maps names in circulation that are no plugins to the right one.
	Renamed sorted.Map[string] `json:"renamed,omitempty"`
	// MovedParameters maps plugin.parameter to what takes the parameter's place.
	MovedParameters sorted.Map[string] `json:"movedParameters,omitempty"`
}

// Loader says how an EPP reads its configuration and completes it.
type Loader struct {
	// StrictParameters says that an unknown parameter ends the start; else it is ignored.
	StrictParameters bool `json:"strictParameters,omitempty"`
	// GateValues says that a gate may be written as name=false.
	GateValues bool `json:"gateValues,omitempty"`
	// Defaults are the plugins that are added under the name of their type.
	Defaults []DefaultPlugin `json:"defaults,omitempty"`
	// References says that plugins are made in the order of their references to each other.
	References bool `json:"references,omitempty"`
	// DefaultSource is the data source that is added unless a source is called so.
	DefaultSource string `json:"defaultSource,omitempty"`
	// DefaultSourceOnly says that it is added only where there is no dataLayer at all.
	DefaultSourceOnly bool `json:"defaultSourceOnly,omitempty"`
	// DataSection is the section of the data layer, "dataLayer" where it is empty. DataGate is the gate
	// with which it must be there, and without which it must not where DataNeedsGate is set.
	DataSection   string `json:"dataSection,omitempty"`
	DataGate      string `json:"dataGate,omitempty"`
	DataNeedsGate bool   `json:"dataNeedsGate,omitempty"`
	// WeightsUpToPicker says that scorers listed after a profile's picker have no default weight, and
	// without one end the EPP.
	WeightsUpToPicker bool `json:"weightsUpToPicker,omitempty"`
	// AnyProfiles says that the handler for one profile is taken with several, and fails later.
	AnyProfiles bool `json:"anyProfiles,omitempty"`
	// DefaultParsers are those of a configuration that names none.
	DefaultParsers []string `json:"defaultParsers,omitempty"`
	// FlowControlGate is the gate without which flowControl is decoded and not used.
	FlowControlGate string `json:"flowControlGate,omitempty"`
}

// DefaultPlugin is a plugin that the loader adds.
type DefaultPlugin struct {
	Type string `json:"type"`
	// Unless a plugin of this category is listed.
	Unless string `json:"unless,omitempty"`
	// OneProfile says that it is added where there is one profile at most.
	OneProfile bool `json:"oneProfile,omitempty"`
	// Used says when a plugin that has its name must be of its category: "always", or the
	// name of a gate. Else one of another type just takes its place.
	Used string `json:"used,omitempty"`
}

// Plugin returns the plugin of that type, or nil.
func (d *Dialect) Plugin(name string) *Plugin {
	for i := range d.Plugins {
		if d.Plugins[i].Type == name {
			return &d.Plugins[i]
		}
	}
	return nil
}

// PluginTypes lists the types of a category, or all for "". Deprecated ones are left out:
// the list is for advice.
func (d *Dialect) PluginTypes(category string) (types []string) {
	for i := range d.Plugins {
		p := &d.Plugins[i]
		if (category == "" || p.Is(category)) && p.Replacement == "" {
			types = append(types, p.Type)
		}
	}
	return types
}

// GateNames lists the gates in order.
func (d *Dialect) GateNames() []string { return d.Gates.Keys() }

// Present is the plugin that a name in circulation stands for today, or "" where the name is a
// plugin's or nothing is known of it: the one that does what was meant, or the new name of a
// deprecated one that takes the same parameters.
func (d *Dialect) Present(name string) string {
	if to := d.Plugin(d.Renamed.Get(name)); to != nil {
		return to.Type
	}
	p := d.Plugin(name)
	if p == nil {
		return ""
	}
	if to := d.Plugin(p.Replacement); to != nil && p.Parameters != nil && reflect.DeepEqual(p.Parameters, to.Parameters) {
		return to.Type
	}
	return ""
}

// DataSection is the name of the data layer's section.
func (d *Dialect) DataSection() string { return cmp.Or(d.Loader.DataSection, "dataLayer") }

// Producer is the plugin that is made when nobody produces a kind of data, or "".
func (d *Dialect) Producer(data string) string {
	for i := range d.Plugins {
		if p := &d.Plugins[i]; p.DefaultFor == data && data != "" {
			return p.Type
		}
	}
	return ""
}

// Dialects are how the version reads the EPP's configuration: its own dialect or, where that
// is not known, those of the versions next to it. The versions are in as.
func (k *Known) Dialects() (list []*Dialect, as []string) {
	if k == nil || len(k.Component.Dialects) == 0 {
		return nil, nil
	}
	for _, version := range around(k.Minor(), slices.SortedFunc(slices.Values(k.Component.Dialects.Keys()), compareVersions)) {
		d, err := LoadDialect(k.Component.Dialects.Get(version))
		if err != nil {
			panic(err) // a test holds that it is there
		}
		list = append(list, d)
		as = append(as, version)
	}
	return list, as
}

// around is a version itself, or those on both sides of it.
func around(version string, known []string) []string {
	i, found := slices.BinarySearchFunc(known, version, compareVersions)
	if found {
		return known[i : i+1]
	}
	return known[max(i-1, 0):min(i+1, len(known))]
}

// LoadDialect returns the dialect of that name. It is shared and must not be changed.
func LoadDialect(name string) (*Dialect, error) {
	if d, found := dialects.Find(name); found {
		return d, nil
	}
	return nil, fmt.Errorf("no dialect %q of the EPP's configuration; there are %v", name, DialectNames())
}

// DialectNames lists the dialects, each component's from its oldest to its newest.
func DialectNames() []string {
	return slices.SortedFunc(slices.Values(dialects.Keys()), func(a, b string) int {
		i, k := strings.LastIndexByte(a, '-'), strings.LastIndexByte(b, '-')
		return cmp.Or(strings.Compare(a[:i], b[:k]), compareVersions(a[i+1:], b[k+1:]))
	})
}
