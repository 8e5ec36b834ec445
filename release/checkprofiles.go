package release

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// profiles checks the scheduling profiles and returns their names.
func (c *checker) profiles(v any) []string {
	list, ok := v.([]any)
	if !ok && v != nil {
		c.add("schedulingProfiles", "must be a list of profiles, each with a name and plugins")
	}
	var names []string
	for i, entry := range list {
		path := fmt.Sprintf("schedulingProfiles[%d]", i)
		m, ok := entry.(map[string]any)
		if !ok {
			c.add(path, "must be a profile with a name and plugins")
			continue
		}
		c.fields(path, m, []string{"name", "plugins"})
		name, _ := m["name"].(string)
		switch {
		case name == "":
			c.add(path+".name", "a profile needs a name")
		case slices.Contains(names, name):
			c.add(path+".name", "there is another profile named %s", name)
		}
		names = append(names, name)
		c.profilePlugins(path+".plugins", m["plugins"])
	}
	return names
}

func (c *checker) profilePlugins(path string, v any) {
	list, _ := v.([]any)
	for i, entry := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		m, ok := entry.(map[string]any)
		if !ok {
			c.add(at, "must be a pluginRef, for a scorer with a weight")
			continue
		}
		c.fields(at, m, []string{"pluginRef", "weight"})
		if ref, _ := m["pluginRef"].(string); ref == "" {
			c.add(at+".pluginRef", "a profile's plugin needs a pluginRef, the name of one of the plugins")
		}
		if weight, ok := m["weight"]; ok {
			c.weight(at+".weight", weight)
		}
	}
}

func (c *checker) weight(path string, v any) {
	number, ok := number(v)
	switch {
	case !ok:
		c.add(path, "must be a number (got %v)", v)
	case c.conf.IntegerWeights && number != math.Trunc(number):
		c.add(path, "must be a whole number on release line %s (got %v)", c.line.Name, v)
	}
}

// number reads what YAML and JSON make of a number.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	default:
		return 0, false
	}
}

// handler checks that one profile handler fits the profiles. With one profile and no
// handler the EPP takes single-profile-handler (pkg/epp/config/loader of either line).
func (c *checker) handler(profiles []string) {
	var first *Plugin
	for i, s := range c.specs {
		p := c.conf.Plugin(s.Type)
		if p == nil || p.Kind != KindProfileHandler {
			continue
		}
		path := fmt.Sprintf("plugins[%d]", i)
		if first != nil {
			c.add(path, "%s is a second profile handler beside %s; keep one", s.Type, first.Type)
			continue
		}
		first = p
		if p.Type == "single-profile-handler" && len(profiles) > 1 {
			c.add(path, "%s works with one profile, and there are %d: %s", s.Type, len(profiles), strings.Join(profiles, ", "))
		}
		c.handlerProfiles(path, s, profiles)
	}
	if first == nil && len(profiles) > 1 {
		c.add("plugins", "%d profiles need a profile handler that chooses between them", len(profiles))
	}
}

// handlerProfiles checks that the profiles a handler runs are there. Parameters of either
// line may give them other names.
func (c *checker) handlerProfiles(path string, s pluginSpec, profiles []string) {
	named, _ := s.Parameters["profiles"].(map[string]any)
	for _, role := range c.conf.Plugin(s.Type).Profiles {
		name := role
		if other, ok := named[role].(string); ok {
			name = other
		}
		if other, ok := s.Parameters[role+"Profile"].(string); ok {
			name = other
		}
		if !slices.Contains(profiles, name) {
			c.add(path, "%s runs the profile %s, which is not among the schedulingProfiles", s.Type, name)
		}
	}
}

// references checks that what is named as a plugin is one.
func (c *checker) references(config map[string]any) {
	for i, s := range c.specs {
		path := fmt.Sprintf("plugins[%d].parameters", i)
		deciders, _ := s.Parameters["deciders"].(map[string]any)
		for _, stage := range slices.Sorted(maps.Keys(deciders)) {
			c.reference(path+".deciders."+stage, deciders[stage])
		}
		if name, ok := s.Parameters["deciderPluginName"]; ok {
			c.reference(path+".deciderPluginName", name)
		}
		c.needed(path, s)
	}
	for _, field := range slices.Sorted(maps.Keys(config)) {
		if field != "plugins" {
			c.walk(field, config[field])
		}
	}
}

// needed checks the parameters that name a plugin, which may also be one that the EPP
// makes by itself.
func (c *checker) needed(path string, s pluginSpec) {
	p := c.conf.Plugin(s.Type)
	if p == nil {
		return
	}
	for _, parameter := range slices.Sorted(maps.Keys(p.Needs)) {
		name, ok := s.Parameters[parameter].(string)
		if n := c.conf.Plugin(name); ok && (n == nil || !n.Automatic) {
			c.reference(path+"."+parameter, name)
		}
	}
}

// walk finds pluginRef, …PluginRef and …PolicyRef at any depth.
func (c *checker) walk(path string, v any) {
	switch v := v.(type) {
	case []any:
		for i := range v {
			c.walk(fmt.Sprintf("%s[%d]", path, i), v[i])
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := path + "." + name
			if name == "pluginRef" || strings.HasSuffix(name, "PluginRef") || strings.HasSuffix(name, "PolicyRef") {
				c.reference(at, v[name])
			} else {
				c.walk(at, v[name])
			}
		}
	}
}

func (c *checker) reference(path string, v any) {
	name, _ := v.(string)
	if name == "" {
		return // reported where it is required
	}
	if _, ok := c.names[name]; !ok {
		c.unknown(path, name, fmt.Sprintf("no plugin named %s is declared in plugins", name), slices.Sorted(maps.Keys(c.names)))
	}
}
