package wiring

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/schema"
)

var transferRules = []Rule{{
	ID: "pd-connector", Severity: Error,
	Doc: "The endpoint picker is configured for prefill and decode, and the two sides of its pool transfer the KV cache by different " +
		"connectors, such as NixlConnector and LMCacheConnectorV1, or one or both have none (--kv-transfer-config). The decode server never " +
		"finds what the prefill server made, and fails or computes the prompt anew (kserve/kserve#5987). The same for the servers of a pool " +
		"with a routing sidecar.",
	each: of[[]*Pods]{(*G).transferring, func(g *G, r *report, servers []*Pods) {
		var decodes, prefills []*Pods
		for _, p := range servers {
			switch {
			case p.decodes() && !p.prefills():
				decodes = append(decodes, p)
			case p.prefills() && !p.decodes():
				prefills = append(prefills, p)
			}
		}
		decodes, prefills = paired(decodes, prefills)
		for _, p := range decodes {
			for _, other := range prefills {
				connectorsMeet(r, p, other)
			}
		}
	}},
}}

// transferring are the servers of each endpoint picker that is configured for prefill and
// decode, and of each pool that has both and a sidecar between them.
func (g *G) transferring() (all [][]*Pods) {
	configured := map[*Object]bool{}
	for _, e := range g.disaggregated() {
		all, configured[e.pool(g)] = append(all, g.servers(e)), true
	}
	for _, pool := range g.Kinds("InferencePool") {
		servers := g.selected(pool, poolSelector(pool))
		if !configured[pool] && slices.ContainsFunc(servers, func(p *Pods) bool { return p.sidecar() != nil }) {
			all = append(all, servers)
		}
	}
	return all
}

// connectorsMeet wants a connector that a decode and a prefill server both have.
func connectorsMeet(r *report, decode, prefill *Pods) {
	to, from := decode.server(), prefill.server()
	if to == nil || from == nil || !to.isVLLM() || !from.isVLLM() {
		return
	}
	for _, side := range []struct {
		pods, other *Pods
		role        string
	}{{decode, prefill, "decode"}, {prefill, decode, "prefill"}} {
		if c := side.pods.server(); c.lacks("kv-transfer-config") {
			at, remedy := c.insteadOf("kv-transfer-config", "start prefill and decode servers with the same --kv-transfer-config")
			r.add(side.pods.place(at), side.other.Ref, "%s server %s has no KV connector, so that no KV cache is transferred", side.role, c.name).fix("%s", remedy)
		}
	}
	a, b := to.connectors(), from.connectors()
	if unknownConnector(a) || unknownConnector(b) {
		return // transfer-config says so
	}
	if len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) }) {
		return
	}
	f, _ := to.given("kv-transfer-config")
	r.add(decode.place(f.at), prefill.Ref, "decode server %s receives by %s, and prefill server %s sends by %s", to.name, list(a), from.name, list(b)).
		fix("give both the same kv_connector")
}

// unknownConnector reports whether one of the connectors has nearly the name of one of vLLM's.
func unknownConnector(names []string) bool {
	known := schema.KnownConnectors("kv-connectors")
	return slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(known, name) && Near(name, known) != "" })
}

// lacks says that a vLLM server surely has no value for a flag: none is on its command line, and
// nothing else can bring one.
func (c *container) lacks(flag string) bool {
	for name := range c.flags {
		if said := argv.Hyphened(name); said == flag || strings.HasPrefix(said, flag+".") {
			return false // also one setting at a time, as in --kv-transfer-config.kv_connector
		}
	}
	_, file := c.given("config")
	opaque := slices.ContainsFunc(c.words, func(word string) bool { return strings.Contains(word, "$") || strings.HasSuffix(word, ".sh") })
	return !file && !opaque && !c.at("envFrom").is() && (c.has("vllm serve") || c.has("vllm.entrypoints.openai.api_server") || c.at("args").is())
}

// insteadOf is the place of a misspelt flag, with the name that was meant; else the arguments, and
// the remedy.
func (c *container) insteadOf(flag, remedy string) (at field, fix string) {
	for _, name := range slices.Sorted(maps.Keys(c.flags)) {
		if said := argv.Hyphened(name); said != flag && Near(said, []string{flag}) != "" {
			return c.flags[name].at, "vLLM has no flag --" + name + "; did you mean --" + flag + "?"
		}
	}
	return c.at("args"), remedy
}

type transfer struct {
	Connector string `json:"kv_connector"`
	Extra     struct {
		Connectors []transfer `json:"connectors"`
	} `json:"kv_connector_extra_config"`
}

// connectors are those of vLLM's --kv-transfer-config, without the ones that keep a cache of
// this server alone (vLLM 0.11 vllm/distributed/kv_transfer/kv_connector/factory.py).
func (c *container) connectors() (out []string) {
	var config transfer
	text := c.flag("kv-transfer-config")
	if templated(text) || json.Unmarshal([]byte(text), &config) != nil { // what is not JSON vLLM refuses itself
		return nil
	}
	for _, t := range append(config.Extra.Connectors, config) {
		if t.Connector != "" && t.Connector != "MultiConnector" && !strings.HasPrefix(t.Connector, "Offloading") {
			out = append(out, t.Connector)
		}
	}
	return out
}
