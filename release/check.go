package release

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Finding is something wrong with an EndpointPickerConfig.
type Finding struct {
	// Path in the configuration, such as plugins[0].type.
	Path    string
	Message string
	// Warning says that the EPP starts all the same.
	Warning bool
	// Value is what was found, where a near one of Known may have been meant.
	Value string
	Known []string
}

// Check finds what the line's EPP would refuse, or would not do, in a configuration.
func (l *Line) Check(config map[string]any) []Finding {
	c := &checker{line: l, conf: &l.EPP.Configuration, names: map[string]string{}}
	c.identity(config)
	c.fields("", config, c.conf.ConfigFields, "apiVersion", "kind")
	c.plugins(config["plugins"])
	profiles := c.profiles(config["schedulingProfiles"])
	c.handler(profiles)
	c.references(config)
	c.gates(config["featureGates"])
	return c.findings
}

// CheckPlugin finds what is wrong with one plugin that a stack lists as a kind.
func (l *Line) CheckPlugin(path, kind, name string, parameters map[string]any) []Finding {
	c := &checker{line: l, conf: &l.EPP.Configuration}
	if p := c.pluginType(path+".type", kind, name); p != nil {
		if p.Kind != kind {
			c.add(path+".type", "%s is a %s, not a %s", name, p.Kind, kind)
		}
		c.parameters(path+".parameters", p, parameters)
	}
	return c.findings
}

type checker struct {
	line     *Line
	conf     *Configuration
	findings []Finding
	names    map[string]string // of the plugins, to their types
	specs    []pluginSpec
}

func (c *checker) add(path, format string, args ...any) {
	c.findings = append(c.findings, Finding{Path: path, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) warn(path, format string, args ...any) {
	c.findings = append(c.findings, Finding{Path: path, Message: fmt.Sprintf(format, args...), Warning: true})
}

// unknown reports a name that is none of the known ones.
func (c *checker) unknown(path, value, message string, known []string) {
	c.findings = append(c.findings, Finding{Path: path, Message: message, Value: value, Known: known})
}

func (c *checker) identity(config map[string]any) {
	want := c.line.APIs.EndpointPickerConfig
	if got, ok := config["apiVersion"]; ok && got != want {
		name, _ := got.(string)
		switch {
		case slices.Contains(c.line.APIs.EndpointPickerConfigOld, name):
			c.warn("apiVersion", "%s is deprecated on release line %s: write %s, or leave the field out", name, c.line.Name, want)
		default:
			c.add("apiVersion", "must be %s on release line %s, or be left out (got %v)", want, c.line.Name, got)
		}
	}
	if got, ok := config["kind"]; ok && got != "EndpointPickerConfig" {
		c.add("kind", "must be EndpointPickerConfig, or be left out (got %v)", got)
	}
}

// fields reports what is in a struct that the EPP decodes strictly and does not know.
func (c *checker) fields(path string, in map[string]any, known []string, more ...string) {
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if !slices.Contains(known, name) && !slices.Contains(more, name) {
			c.unknown(join(path, name), name, fmt.Sprintf("unknown field; release line %s has %s", c.line.Name, strings.Join(known, ", ")), known)
		}
	}
}

func (c *checker) plugins(v any) {
	list, ok := v.([]any)
	if !ok {
		c.add("plugins", "must be a list of plugins, each with a type")
		return
	}
	for i, entry := range list {
		path := fmt.Sprintf("plugins[%d]", i)
		m, ok := entry.(map[string]any)
		if !ok {
			c.add(path, "must be a plugin with a type")
			continue
		}
		c.plugin(path, m)
	}
	c.specs = pluginSpecs(map[string]any{"plugins": list})
}

func (c *checker) plugin(path string, m map[string]any) {
	c.fields(path, m, []string{"type", "name", "parameters"})
	typ, _ := m["type"].(string)
	if typ == "" {
		c.add(path+".type", "a plugin needs a type, such as queue-scorer")
		return
	}
	name, _ := m["name"].(string)
	if name == "" {
		name = typ
	}
	if _, ok := c.names[name]; ok {
		c.add(path, "there is another plugin named %s; give this one a name of its own", name)
	}
	c.names[name] = typ
	if p := c.pluginType(path+".type", "", typ); p != nil {
		parameters, _ := m["parameters"].(map[string]any)
		c.parameters(path+".parameters", p, parameters)
	}
}

// pluginType looks a type up, and reports one that is wrong or on its way out.
func (c *checker) pluginType(path, kind, name string) *Plugin {
	p := c.conf.Plugin(name)
	if p == nil {
		if right, ok := c.conf.Renamed[name]; ok {
			c.add(path, "release line %s has no plugin %s; use %s", c.line.Name, name, right)
			return nil
		}
		c.unknown(path, name, fmt.Sprintf("release line %s has no plugin %s", c.line.Name, name), c.conf.PluginTypes(kind))
		return nil
	}
	if p.Replacement != "" {
		c.warn(path, "%s is deprecated on release line %s; use %s", name, c.line.Name, p.Replacement)
	}
	if p.Alpha && c.line.EPP.Flags["allowExperimentalPlugins"] == "" {
		c.add(path, "%s is experimental, and release line %s has no flag that allows it", name, c.line.Name)
	}
	return p
}

func (c *checker) parameters(path string, p *Plugin, parameters map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		if p.Parameters == nil || slices.Contains(p.Parameters, name) {
			continue
		}
		f := Finding{Path: join(path, name), Value: name, Known: p.Parameters, Warning: !c.conf.StrictParameters}
		switch instead, moved := c.conf.MovedParameters[p.Type+"."+name]; {
		case moved:
			f.Message, f.Known = fmt.Sprintf("%s has no parameter %s on release line %s; use %s", p.Type, name, c.line.Name, instead), nil
		case len(p.Parameters) == 0:
			f.Message = fmt.Sprintf("%s takes no parameters", p.Type)
		default:
			f.Message = fmt.Sprintf("%s has no parameter %s; it has %s", p.Type, name, strings.Join(p.Parameters, ", "))
		}
		if f.Warning {
			f.Message += "; the EPP ignores it"
		}
		c.findings = append(c.findings, f)
	}
}

func (c *checker) gates(v any) {
	list, _ := v.([]any)
	for i, entry := range list {
		gate, _ := entry.(string)
		gate, _, _ = strings.Cut(gate, "=")
		if !slices.Contains(c.conf.FeatureGates, gate) {
			c.unknown(fmt.Sprintf("featureGates[%d]", i), gate,
				fmt.Sprintf("release line %s has no feature gate %v; it has %s", c.line.Name, entry, strings.Join(c.conf.FeatureGates, ", ")),
				c.conf.FeatureGates)
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
