package release

import "slices"

// Configuration is what the EndpointPickerConfig of a line may hold, and ready-made ones.
type Configuration struct {
	// Dialect names what the EPP takes.
	Dialect string `json:"dialect"`
	// RoleFilters keep the servers of a role.
	RoleFilters RoleFilters `json:"roleFilters"`
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
	// Encode is empty where the line's EPP knows no encode servers.
	Encode string `json:"encode,omitempty"`
}

// Speaks returns the dialect. A test holds that it is there.
func (c *Configuration) Speaks() *Dialect {
	d, err := LoadDialect(c.Dialect)
	if err != nil {
		panic(err)
	}
	return d
}

// Plugin returns the plugin of that type, or nil.
func (c *Configuration) Plugin(name string) *Plugin { return c.Speaks().Plugin(name) }

// FollowsEvents reports whether a configuration has a plugin that takes in KV-cache events.
func (c *Configuration) FollowsEvents(config map[string]any) bool {
	return slices.ContainsFunc(pluginSpecs(config), func(s pluginSpec) bool {
		p := c.Plugin(s.Type)
		return p != nil && p.FollowsEvents
	})
}

// Experimental lists the types of a configuration's plugins that need the flag for
// experimental ones.
func (c *Configuration) Experimental(config map[string]any) (types []string) {
	for _, s := range pluginSpecs(config) {
		if p := c.Plugin(s.Type); p != nil && p.Alpha {
			types = append(types, s.Type)
		}
	}
	return types
}

// Stateful lists the types of a configuration's plugins that keep state in each replica,
// by themselves or through what they need.
func (c *Configuration) Stateful(config map[string]any) (types []string) {
	specs := pluginSpecs(config)
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
	if !p.Is(KindScorer) && !p.Is(KindFilter) {
		return false
	}
	for _, need := range p.Consumes {
		needed := need.By
		if name, ok := s.Parameters[need.From].(string); ok && name != "" {
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
