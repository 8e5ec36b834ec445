package wiring

import (
	"slices"
	"strings"
)

var predictorRules = []Rule{
	{
		ID: "epp-predictor-missing", Severity: Warning,
		Doc: "A plugin of the configuration needs predicted latencies, and there are no servers that predict them: the endpoint picker has no " +
			"PREDICTION_SERVER_URL, and no container of its pod is one. It starts, and routes as if the plugin were not there.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			_, set := e.env["PREDICTION_SERVER_URL"]
			if set || e.at("envFrom").is() || slices.ContainsFunc(e.pods.containers, (*container).predicts) {
				return
			}
			dialects, _ := e.dialects()
			newest := dialects[len(dialects)-1]
			for _, p := range e.plugins() {
				if newest.Plugin(p.at("type").text()).NeedsPredictions() {
					r.add(place{e.configAt, p}, e.pods.Ref, "%s needs predicted latencies, and no server predicts them", p.at("type").text()).
						fix("run the training and prediction servers beside the endpoint picker, and name them in PREDICTION_SERVER_URL and TRAINING_SERVER_URL")
					break
				}
			}
		}},
	},
	{
		ID: "kv-redis-loopback", Severity: Error,
		Doc: "The index of KV-cache blocks is kept in a Redis at the pod's own address, and no container of the pod is one, so that the endpoint " +
			"picker ends at its start; or several active endpoint pickers have one each, and none knows what the servers told the others.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			address, at := e.indexAddress()
			if !loopback(address) {
				return
			}
			beside := slices.ContainsFunc(e.pods.containers, (*container).isRedis)
			switch {
			case !beside:
				r.add(place{e.configAt, at}, e.pods.Ref, "the index is kept in a Redis at %s, and no container of %s is one", address, e.pods.Ref).fix("name the Service of a Redis")
			case e.pods.replicas() > 1 && !e.leads():
				r.add(place{e.configAt, at}, e.pods.Ref, "each of %d replicas has a Redis of its own at %s", e.pods.replicas(), address).fix("name the Service of one Redis for all")
			}
		}},
	},
}

// predicts reports whether the container is one of the prediction servers.
func (c *container) predicts() bool {
	return strings.Contains(c.image, "latency") || strings.Contains(c.name, "prediction") || strings.Contains(c.name, "predictor")
}

// isRedis reports whether the container is a Redis, or what speaks like one.
func (c *container) isRedis() bool {
	return strings.Contains(c.image, "redis") || strings.Contains(c.image, "valkey") || c.has("redis-server") || c.has("valkey-server")
}

// indexAddress is where the index of KV-cache blocks is kept, "" when that is the EPP's memory. Of
// several the first counts (llm-d-kv-cache pkg/kvcache/kvblock/index.go).
func (e *epp) indexAddress() (string, field) {
	p := e.plugin("precise-prefix-cache-producer", "precise-prefix-cache-scorer")
	index := p.at("parameters", "indexerConfig", "kvBlockIndexConfig")
	if index.at("costAwareMemoryConfig").is() {
		return "", index
	}
	for _, kind := range []string{"valkeyConfig", "redisConfig"} {
		if at := index.at(kind); at.is() {
			return at.at("address").or("redis://127.0.0.1:6379"), at
		}
	}
	return "", index
}

// loopback reports whether an address of a Redis is the pod's own.
func loopback(address string) bool {
	_, rest, found := strings.Cut(address, "://")
	if !found {
		rest = address
	}
	host := rest[strings.LastIndexByte(rest, '@')+1:]
	return strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "[::1]")
}
