package wiring

import (
	"encoding/json"
	"slices"
	"strings"
)

var transferRules = []Rule{{
	ID: "pd-connector", Severity: Error,
	Doc: "The endpoint picker is configured for prefill and decode, and the two sides of its pool transfer the KV cache by different " +
		"connectors, such as NixlConnector and LMCacheConnectorV1. The decode server never finds what the prefill server made, and " +
		"fails or computes the prompt anew.",
	find: func(g *G, r *report) {
		for _, e := range g.disaggregated() {
			for _, p := range g.servers(e) {
				if !p.decodes() || p.prefills() {
					continue
				}
				for _, other := range g.servers(e) {
					if other.prefills() && !other.decodes() {
						connectorsMeet(r, p, other)
					}
				}
			}
		}
	},
}}

// connectorsMeet wants a connector that a decode and a prefill server both have. One without
// any may have its own in the image.
func connectorsMeet(r *report, decode, prefill *Pods) {
	to, from := decode.server(), prefill.server()
	if to == nil || from == nil || !to.isVLLM() || !from.isVLLM() {
		return
	}
	a, b := to.connectors(), from.connectors()
	if len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) }) {
		return
	}
	f, _ := to.given("kv-transfer-config")
	r.add(decode.place(f.at), prefill.Ref, "decode server %s receives by %s, and prefill server %s sends by %s", to.name, list(a), from.name, list(b)).
		mend("give both the same kv_connector")
}

type transfer struct {
	Connector string `json:"kv_connector"`
	Extra     struct {
		Connectors []transfer `json:"connectors"`
	} `json:"kv_connector_extra_config"`
}

// connectors are those of vLLM's --kv-transfer-config, without the ones that keep a cache of
// this server alone (vLLM 0.11 vllm/distributed/kv_transfer/kv_connector/factory.py).
func (c *container) connectors() []string {
	var config transfer
	text := c.flag("kv-transfer-config")
	if templated(text) || json.Unmarshal([]byte(text), &config) != nil { // what is no JSON vLLM refuses itself
		return nil
	}
	var out []string
	for _, t := range append(config.Extra.Connectors, config) {
		if t.Connector != "" && t.Connector != "MultiConnector" && !strings.HasPrefix(t.Connector, "Offloading") {
			out = append(out, t.Connector)
		}
	}
	return out
}
