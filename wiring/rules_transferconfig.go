package wiring

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
)

// A transferFlag is one of vLLM's flags that say how servers give each other what they computed.
type transferFlag struct {
	name, connector, role string
	// known is the value of the catalogue that lists the connectors, roles are those of a server.
	known string
	roles []string
	// amounts are the settings in bytes.
	amounts []string
}

// transferFlags are those of vLLM (vllm config/kv_transfer.py, KVRole, and config/ec_transfer.py,
// ECRole).
var transferFlags = []transferFlag{
	{"kv-transfer-config", "kv_connector", "kv_role", "kv-connectors", schema.TransferRoles, []string{"cpu_bytes_to_use"}},
	{"ec-transfer-config", "ec_connector", "ec_role", "ec-connectors", []string{"ec_producer", "ec_consumer", "ec_both"}, []string{"ec_cpu_bytes"}},
}

var transferConfigRules = []Rule{{
	ID: "transfer-config", Severity: Error,
	Doc: "vLLM's --kv-transfer-config or --ec-transfer-config has an unknown role, a connector without a role, a connector whose name is " +
		"nearly that of one of vLLM's, a setting of nearly the name of one, a list or text where a mapping belongs, a MultiConnector without connectors, or an amount of memory that is no number of bytes. vLLM exits at startup. A connector that resembles none is a " +
		"warning, unless its module is named: a newer vLLM may have it.",
	each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
		for i := range transferFlags {
			t := &transferFlags[i]
			said, config := t.given(c)
			if why := t.misshapen(c); why != "" {
				r.add(p.place(said.at), Ref{}, "--%s of %s %s", t.name, c.name, why).fix("write {…}")
			}
			if config != nil {
				t.judge(config, func(severity Severity, remedy, format string, args ...any) {
					f := r.add(p.place(said.at), Ref{}, "--%s of %s: %s", t.name, c.name, fmt.Sprintf(format, args...))
					f.Severity = severity
					f.fix("%s", remedy)
				})
			}
		}
	}},
}, {
	ID: "side-channel-port", Severity: Error,
	Doc: "The port of vLLM's side channel, by which servers offer each other their KV cache or embeddings, is no port. vLLM exits at startup.",
	each: inContainers{eachVLLM, func(g *G, r *report, p *Pods, c *container) {
		for _, name := range []string{"VLLM_NIXL_SIDE_CHANNEL_PORT", "VLLM_EC_SIDE_CHANNEL_PORT"} {
			value := c.env[name].at("value")
			if text := value.text(); text == "" || templated(text) {
				continue
			}
			if n, ok := value.number(); !ok || n < 1 || n > 65535 {
				r.add(p.place(value), Ref{}, "%s of %s is %q", name, c.name, value.text()).fix("write a port from 1 to 65535")
			}
		}
	}},
}}

// given is the configuration of a container, in JSON or one setting at a time as in
// --kv-transfer-config.kv_role=kv_both, and where it is written; nil where there is none that can be read.
func (t *transferFlag) given(c *container) (at flag, config map[string]any) {
	if said, written := c.given(t.name); written {
		if templated(said.value) || json.Unmarshal([]byte(said.value), &config) != nil {
			return said, nil
		}
		return said, config
	}
	for _, name := range slices.Sorted(maps.Keys(c.flags)) {
		path, ok := strings.CutPrefix(argv.Hyphened(name), t.name+".")
		if said := c.flags[name]; ok && templated(said.value) {
			return said, nil
		} else if ok {
			at, config = said, nest(config, strings.Split(name[len(name)-len(path):], "."), said.value)
		}
	}
	return at, config
}

// misshapen says what a configuration is that is JSON and no mapping, "" where it is one.
func (t *transferFlag) misshapen(c *container) string {
	said, written := c.given(t.name)
	var value any
	if !written || json.Unmarshal([]byte(said.value), &value) != nil {
		return ""
	}
	switch value.(type) {
	case map[string]any:
		return ""
	case []any:
		return "is a list"
	}
	return "is no mapping"
}

// settings are those of a configuration (vllm config/kv_transfer.py and config/ec_transfer.py), but for the
// prefix kv_ or ec_.
var settings = strings.Fields("connector role connector_extra_config connector_module_path buffer_device buffer_size rank parallel_size ip port load_failure_policy")

// slips reports keys that are nearly settings.
func (t *transferFlag) slips(config map[string]any, say func(severity Severity, remedy, format string, args ...any)) {
	prefix := t.name[:len("kv")] + "_"
	known := lists.Map(settings, func(s string) string { return prefix + s })
	for _, key := range slices.Sorted(maps.Keys(config)) {
		if meant := Near(key, known); meant != "" && meant != key {
			say(Error, "did you mean "+meant+"?", "vLLM has no setting %s", key)
		}
	}
}

// nest puts a value where the names lead to: JSON where it is, else text.
func nest(into map[string]any, names []string, value string) map[string]any {
	if into == nil {
		into = map[string]any{}
	}
	if len(names) > 1 {
		inner, _ := into[names[0]].(map[string]any)
		into[names[0]] = nest(inner, names[1:], value)
		return into
	}
	var v any
	if json.Unmarshal([]byte(value), &v) != nil {
		v = value
	}
	into[names[0]] = v
	return into
}

// judge reports what vLLM refuses of a configuration, and of those within it.
func (t *transferFlag) judge(config map[string]any, say func(severity Severity, remedy, format string, args ...any)) {
	role, hasRole := config[t.role]
	name, _ := config[t.connector].(string)
	if hasRole && !slices.ContainsFunc(t.roles, func(r string) bool { return r == role }) {
		say(Error, "it must be one of "+strings.Join(t.roles, ", "), "%s is %v", t.role, quoted(role))
	}
	if name != "" && !hasRole {
		say(Error, "add "+t.role+", one of "+strings.Join(t.roles, ", "), "%s has no %s", name, t.role)
	}
	known := schema.KnownConnectors(t.known)
	if _, own := config[t.connector+"_module_path"]; name != "" && !own && !slices.Contains(known, name) {
		if near := Near(name, known); near != "" {
			say(Error, "did you mean "+near+"?", "vLLM has no connector %s", name)
		} else {
			say(Warning, "name its module in "+t.connector+"_module_path, if it is your own", "no vLLM that is known here has a connector %s", name)
		}
	}
	t.slips(config, say)
	extra, isMapping := config[t.connector+"_extra_config"].(map[string]any)
	if wrong := config[t.connector+"_extra_config"]; wrong != nil && !isMapping {
		say(Error, "write {…}", "%s_extra_config is %s and no mapping", t.connector, quoted(wrong))
	}
	for _, amount := range t.amounts {
		switch bytes := extra[amount].(type) {
		case nil:
		case float64:
			if bytes < schema.LeastMemory {
				say(Error, "write the number of bytes, such as 4294967296 for 4Gi", "%s of %v bytes holds nothing", amount, bytes)
			}
		default:
			say(Error, "write the number of bytes, such as 4294967296 for 4Gi", "%s is %v", amount, quoted(bytes))
		}
	}
	for _, flaw := range schema.TransferFlaws(config) {
		say(Error, flaw.Fix, "%s", flaw.Message)
	}
	inner, _ := extra["connectors"].([]any)
	for _, one := range inner {
		if one, ok := one.(map[string]any); ok {
			t.judge(one, say)
		}
	}
}

// quoted is a value of JSON as it is written.
func quoted(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
