// Package eppconfig holds Inferstack's judge of EndpointPickerConfigs to the loaders of real endpoint pickers.
package eppconfig

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/release"
)

// A mutator makes configurations, right and wrong, of a dialect.
type mutator struct {
	*rand.Rand
	dialect *release.Dialect
}

// scalars are values that fit some fields and not others.
var scalars = []any{
	nil, 0, 1, -1, 2, 0.5, -0.5, 1.5, 100, 70000, "", " ", "x", "5s", "1h30m", "10", "true", true, false, []any{}, map[string]any{},
	[]any{"a"}, map[string]any{"a": 1}, "decode", "1Gi", "-5", "default", "queue-scorer", "https", "0s", "-1s",
}

// taken are names that the loader uses for plugins of its own, beside plain ones.
var taken = []string{
	"a", "b", "utilization-detector", "fcfs-ordering-policy", "openai-parser", "metrics-data-source", "core-metrics-extractor",
	"approx-prefix-cache-producer", "max-score-picker", "single-profile-handler", "inflight-load-producer", "token-producer",
	"global-strict-fairness-policy", "static-usage-limit-policy", "anthropic-parser",
}

// crowds are numbers of which a loader makes so many workers and queues that large ones take all memory.
var crowds = map[string]bool{"concurrency": true, "workersCount": true}

func pick[T any](m *mutator, from []T) T { return from[m.IntN(len(from))] }

// scalar is one of those, and nobody else's.
func (m *mutator) scalar() any {
	switch v := pick(m, scalars).(type) {
	case []any:
		return slices.Clone(v)
	case map[string]any:
		return maps.Clone(v)
	default:
		return v
	}
}

func (m *mutator) chance(p float64) bool { return m.Float64() < p }

// configuration is one of some plugins and a profile, with a few changes.
func (m *mutator) configuration() map[string]any {
	config := map[string]any{"plugins": []any{map[string]any{"type": "queue-scorer"}}}
	refs := []any{map[string]any{"pluginRef": "queue-scorer", "weight": pick(m, []any{1, 2, nil, 0})}}
	for range m.IntN(3) {
		p, name := m.plugin()
		config["plugins"] = append(config["plugins"].([]any), p)
		if m.chance(0.5) {
			refs = append(refs, map[string]any{"pluginRef": name})
		}
	}
	if m.chance(0.9) {
		config["schedulingProfiles"] = []any{map[string]any{"name": "default", "plugins": refs}}
	}
	if m.chance(0.2) {
		m.handle(config)
	}
	if m.chance(0.2) {
		plugins := config["plugins"].([]any)
		m.Shuffle(len(plugins), func(i, j int) { plugins[i], plugins[j] = plugins[j], plugins[i] })
	}
	for range m.IntN(2) {
		m.section(config)
	}
	for range pick(m, []int{0, 0, 0, 0, 1, 1, 2}) {
		m.change(config)
	}
	return config
}

// handle makes a second profile, and adds a handler for several and, mostly, the deciders that it may ask.
func (m *mutator) handle(config map[string]any) {
	plugins := config["plugins"].([]any)
	for _, kind := range []string{release.KindDecider, release.KindProfileHandler} {
		types := m.dialect.PluginTypes(kind)
		if len(types) == 0 || m.chance(0.1) {
			continue
		}
		p := m.dialect.Plugin(pick(m, types))
		spec := map[string]any{"type": p.Type}
		if p.Parameters != nil && m.chance(0.8) {
			spec["parameters"] = m.value(p.Parameters)
		}
		plugins = append(plugins, spec)
	}
	config["plugins"] = plugins
	if profiles, ok := config["schedulingProfiles"].([]any); ok && m.chance(0.7) {
		config["schedulingProfiles"] = append(profiles, map[string]any{"name": pick(m, []string{"prefill", "decode", "default"}), "plugins": []any{}})
	}
}

// written is the text of a configuration, now and then with a line too many, too few or spoilt, or in another spelling.
func (m *mutator) written(config map[string]any) (string, error) {
	data, err := yaml.Marshal(config)
	if err != nil || m.chance(0.87) {
		return string(data), err
	}
	if m.chance(0.5) {
		return m.spelt(string(data)), nil
	}
	lines := strings.SplitAfter(string(data), "\n")
	i := m.IntN(len(lines))
	switch m.IntN(4) {
	case 0:
		lines = slices.Insert(lines, i, lines[i])
	case 1:
		lines = slices.Delete(lines, i, i+1)
	case 2:
		lines[i] = pick(m, []string{" ", "\t", "- ", "  ", "? "}) + lines[i]
	default:
		lines[i] = strings.Replace(lines[i], ": ", pick(m, []string{":", ": *", ": &a ", ": !!str ", ": yes #", ": 0x1f #", ": |"}), 1)
	}
	return strings.Join(lines, ""), nil
}

// plugin is any of the dialect's, with parameters and perhaps a name.
func (m *mutator) plugin() (spec map[string]any, name string) {
	p := &m.dialect.Plugins[m.IntN(len(m.dialect.Plugins))]
	spec, name = map[string]any{"type": p.Type}, p.Type
	if p.Parameters != nil && m.chance(0.7) {
		spec["parameters"] = m.value(p.Parameters)
	} else if m.chance(0.2) {
		spec["parameters"] = m.scalar()
	}
	if m.chance(0.25) {
		name = pick(m, taken)
		spec["name"] = name
	}
	return spec, name
}

// section sets a section of the configuration, such as flowControl.
func (m *mutator) section(config map[string]any) {
	names := slices.DeleteFunc(m.dialect.Config.FieldNames(), func(s string) bool { return s == "plugins" || s == "schedulingProfiles" })
	if len(names) == 0 {
		return
	}
	name, gates := pick(m, names), m.dialect.GateNames()
	if name != "featureGates" {
		config[name] = m.value(m.dialect.Config.Fields.Get(name))
		if len(gates) > 0 && m.chance(0.7) {
			config["featureGates"] = []any{pick(m, gates)}
		}
		return
	}
	config[name] = []any{pick(m, append(gates, "none", "flowControl=false"))}
}

// value is one that a field takes, or now and then one that it may not.
func (m *mutator) value(s *release.Schema) any {
	if m.chance(0.05) {
		return m.scalar()
	}
	switch s.Type {
	case release.TypeObject:
		return m.object(s)
	case release.TypeList:
		list := []any{}
		for range m.IntN(3) {
			list = append(list, m.value(s.Items))
		}
		return list
	case release.TypeInt, release.TypeFloat, release.TypeNanoseconds:
		return pick(m, []any{0, 1, -1, 2, 0.5, 1.5, -0.5, 100, 1000000})
	case release.TypeBool:
		return m.chance(0.5)
	case release.TypeQuantity:
		return pick(m, []any{"1Gi", 5, "-1", "0", "1GB", "1k", 0.5})
	case release.TypeDuration, release.TypeDurationText:
		return pick(m, []any{"5s", "0s", "-1s", "1d", "", "100ms"})
	case release.TypeLabelSelector:
		return map[string]any{"matchLabels": map[string]any{"app": pick(m, []any{"x", "a b", 1})}}
	}
	return m.text(s)
}

func (m *mutator) text(s *release.Schema) any {
	switch {
	case len(s.Enum) > 0 && m.chance(0.8):
		return pick(m, s.Enum)
	case s.Plugin != "" && m.chance(0.8):
		if types := m.dialect.PluginTypes(s.Plugin); len(types) > 0 && m.chance(0.7) {
			return pick(m, types)
		}
		return pick(m, append(m.dialect.PluginTypes(""), taken...))
	case s.Form == "cel":
		return pick(m, []any{"usage.prompt_tokens", "1 +", "1", "x", ""})
	}
	return pick(m, []any{"", "x", "vllm", "default", "metric{a=b}", "a{b"})
}

func (m *mutator) object(s *release.Schema) map[string]any {
	out := map[string]any{}
	for _, name := range s.FieldNames() {
		if m.chance(0.35) || s.Fields.Get(name).Required && m.chance(0.8) {
			out[name] = m.value(s.Fields.Get(name))
		}
		if n, ok := out[name].(int); ok && crowds[name] {
			out[name] = min(n, 2)
		}
	}
	return out
}

// change replaces, removes or renames something anywhere.
func (m *mutator) change(v any) {
	for {
		switch in := v.(type) {
		case map[string]any:
			keys := slices.Sorted(func(yield func(string) bool) {
				for k := range in {
					if !yield(k) {
						return
					}
				}
			})
			if len(keys) == 0 {
				return
			}
			key := pick(m, keys)
			if m.descend(in[key]) {
				v = in[key]
				continue
			}
			m.changeField(in, key)
			return
		case []any:
			if len(in) == 0 {
				return
			}
			i := m.IntN(len(in))
			if m.descend(in[i]) {
				v = in[i]
				continue
			}
			in[i] = m.scalar()
			return
		default:
			return
		}
	}
}

func (m *mutator) descend(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return m.chance(0.8)
	}
	return false
}

func (m *mutator) changeField(in map[string]any, key string) {
	value := in[key]
	switch m.IntN(4) {
	case 0:
		delete(in, key)
	case 1:
		delete(in, key)
		in[pick(m, []string{strings.ToUpper(key), key + "x"})] = value
	default:
		in[key] = m.scalar()
	}
}
