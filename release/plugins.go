package release

import (
	"path"
	"slices"
)

// Configuration is what the EndpointPickerConfig of a line may hold, and ready-made ones.
type Configuration struct {
	// ConfigFields are the fields of the configuration, beside apiVersion and kind.
	ConfigFields []string `json:"configFields"`
	// FeatureGates there are.
	FeatureGates []string `json:"featureGates"`
	// IntegerWeights says that a weight cannot be a fraction.
	IntegerWeights bool `json:"integerWeights,omitempty"`
	// StrictParameters says that an unknown parameter is an error to the EPP, not ignored.
	StrictParameters bool `json:"strictParameters,omitempty"`
	// RoleFilters keep the servers of a role.
	RoleFilters RoleFilters `json:"roleFilters"`
	// Plugins there are.
	Plugins []Plugin `json:"plugins"`
	// Renamed maps names in circulation that are no plugins of the line to the right one.
	Renamed map[string]string `json:"renamed,omitempty"`
	// MovedParameters maps plugin.parameter to what takes the parameter's place.
	MovedParameters map[string]string `json:"movedParameters,omitempty"`
	// Pieces are parts that presets share.
	Pieces map[string][]Variant `json:"pieces,omitempty"`
	// Listed is the configuration around the plugins that a stack lists.
	Listed []Variant `json:"listed"`
	// Presets are whole configurations.
	Presets map[string][]Variant `json:"presets"`
}

// RoleFilters names the filters that keep the servers of a role.
type RoleFilters struct {
	Decode  string `json:"decode"`
	Prefill string `json:"prefill"`
}

// Kinds of plugins that a stack can list.
const (
	KindFilter         = "filter"
	KindScorer         = "scorer"
	KindPicker         = "picker"
	KindProfileHandler = "profile-handler"
)

// Plugin is a type of plugin.
type Plugin struct {
	// Type of the plugin; a * stands for anything.
	Type string `json:"type"`
	// Kind is the extension point it serves.
	Kind string `json:"kind"`
	// Alpha plugins need the flag that allows experimental ones.
	Alpha bool `json:"alpha,omitempty"`
	// Replacement says what to use instead of a deprecated plugin.
	Replacement string `json:"replacement,omitempty"`
	// Parameters are the names of the parameters: nil when they are not known.
	Parameters []string `json:"parameters,omitempty"`
	// Needs maps a parameter that names another plugin to the type it names by default.
	Needs map[string]string `json:"needs,omitempty"`
	// Profiles are those that a profile handler runs unless its parameters name others.
	Profiles []string `json:"profiles,omitempty"`
	// Stateful plugins remember requests in memory, each replica its own.
	Stateful bool `json:"stateful,omitempty"`
	// Automatic plugins are made by the EPP where another one needs them.
	Automatic bool `json:"automatic,omitempty"`
	// FollowsEvents says that the plugin takes in the servers' KV-cache events.
	FollowsEvents bool `json:"followsEvents,omitempty"`
}

// Plugin returns the plugin of that type, or nil.
func (c *Configuration) Plugin(name string) *Plugin {
	for i := range c.Plugins {
		if ok, _ := path.Match(c.Plugins[i].Type, name); ok {
			return &c.Plugins[i]
		}
	}
	return nil
}

// PluginTypes lists the types of a kind, or of all kinds for "". Deprecated ones are left
// out: the list is for advice.
func (c *Configuration) PluginTypes(kind string) []string {
	var types []string
	for _, p := range c.Plugins {
		if (kind == "" || p.Kind == kind) && p.Replacement == "" {
			types = append(types, p.Type)
		}
	}
	return types
}

// FollowsEvents says whether a configuration has a plugin that takes in KV-cache events.
func (c *Configuration) FollowsEvents(config map[string]any) bool {
	return slices.ContainsFunc(pluginSpecs(config), func(s pluginSpec) bool {
		p := c.Plugin(s.Type)
		return p != nil && p.FollowsEvents
	})
}

// Experimental lists the types of a configuration's plugins that need the flag for
// experimental ones.
func (c *Configuration) Experimental(config map[string]any) []string {
	var types []string
	for _, s := range pluginSpecs(config) {
		if p := c.Plugin(s.Type); p != nil && p.Alpha {
			types = append(types, s.Type)
		}
	}
	return types
}

// Stateful lists the types of a configuration's plugins that keep state in each replica,
// by themselves or through what they need.
func (c *Configuration) Stateful(config map[string]any) []string {
	specs := pluginSpecs(config)
	var types []string
	for _, s := range specs {
		if c.stateful(s, specs) {
			types = append(types, s.Type)
		}
	}
	return types
}

func (c *Configuration) stateful(s pluginSpec, all []pluginSpec) bool {
	p := c.Plugin(s.Type)
	if p == nil {
		return false
	}
	if p.Stateful {
		return true
	}
	for parameter, needed := range p.Needs {
		if name, ok := s.Parameters[parameter].(string); ok {
			needed = typeOf(name, all)
		}
		if n := c.Plugin(needed); n != nil && n.Stateful {
			return true
		}
	}
	return false
}

// typeOf returns the type of the plugin with that name; a name may be a type.
func typeOf(name string, all []pluginSpec) string {
	for _, s := range all {
		if s.Name == name {
			return s.Type
		}
	}
	return name
}

// pluginSpec is an entry of a configuration's plugins, as far as it makes sense.
type pluginSpec struct {
	Type, Name string
	Parameters map[string]any
}

func pluginSpecs(config map[string]any) []pluginSpec {
	list, _ := config["plugins"].([]any)
	specs := make([]pluginSpec, 0, len(list))
	for _, entry := range list {
		m, _ := entry.(map[string]any)
		s := pluginSpec{}
		s.Type, _ = m["type"].(string)
		s.Name, _ = m["name"].(string)
		s.Parameters, _ = m["parameters"].(map[string]any)
		if s.Name == "" {
			s.Name = s.Type
		}
		specs = append(specs, s)
	}
	return specs
}
