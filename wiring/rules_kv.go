package wiring

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

var kvRules = []Rule{
	{
		ID: "kv-block-size", Severity: Error,
		Doc: "The endpoint picker hashes prompts in blocks of another size than the server. Not one block is ever found: precise prefix " +
			"caching costs and brings nothing, without a message.",
		each: visit3[kv, *Pods, *container]{eachPrecise, func(g *G, r *report, k kv, p *Pods, c *container) {
			size := k.tokens.at("blockSizeTokens")
			if !size.is() {
				size = k.tokens.at("blockSize")
			}
			want := size.or("16")
			f, _ := c.given("block-size")
			if f.value == want || f.value == "" && !size.is() || templated(f.value) {
				return
			}
			r.add(place{k.e.configAt, size}, p.Ref, "blocks of %s tokens here, of %s in %s", want, cmp.Or(f.value, "16, the default,"), c.name).fix("start the server with --block-size=%s", want)
		}},
	},
	{
		ID: "kv-hash-seed", Severity: Error,
		Doc: "The endpoint picker hashes blocks with another seed than the server (PYTHONHASHSEED, or the simulator's --hash-seed). Not one " +
			"block is ever found (llm-d#1290).",
		each: visit3[kv, *Pods, *container]{eachPrecise, func(g *G, r *report, k kv, p *Pods, c *container) {
			seed := k.tokens.at("hashSeed")
			have := cmp.Or(c.flag("hash-seed"), c.env["PYTHONHASHSEED"].at("value").text())
			if seed.is() && have != seed.text() && !templated(have) && !c.env["PYTHONHASHSEED"].at("valueFrom").is() {
				r.add(place{k.e.configAt, seed}, p.Ref, "hash seed %s here, %s in %s", seed.text(), cmp.Or(have, "none"), c.name).fix("set PYTHONHASHSEED to %s on the servers", seed.text())
			}
		}},
	},
	{
		ID: "kv-events-missing", Severity: Error,
		Doc: "The endpoint picker waits for events of the servers' KV cache, and the servers publish none.",
		each: visit3[kv, *Pods, *container]{eachPrecise, func(g *G, r *report, k kv, p *Pods, c *container) {
			on := c.flag("enable-kvcache") == "true" || c.flags["enable-kvcache"].bare || templated(c.flag("enable-kvcache"))
			if c.isVLLM() {
				on = c.publishes()
			}
			if !on {
				r.add(p.place(c.at("args")), k.e.pods.Ref, "%s publishes no KV-cache events, for which %s waits", c.name, k.e.pods.Ref).fix("vLLM needs --kv-events-config, the simulator --enable-kvcache")
			}
		}},
	},
	{
		ID: "kv-topic", Severity: Error,
		Doc: "Servers publish KV-cache events under a topic that the endpoint picker's filter does not take, or that does not name the " +
			"endpoint as it knows it: kv@address:port@model since 0.7 (llm-d#1008).",
		each: visit3[kv, *Pods, *container]{eachPrecise, func(g *G, r *report, k kv, p *Pods, c *container) {
			events, filter := c.events(), k.events.at("topicFilter").or("kv@")
			topic := events.Topic
			f, _ := c.given("kv-events-config")
			if topic == "" && !events.Enabled || templated(strings.ReplaceAll(topic, "$(", "")) {
				return
			}
			if topic == "" {
				r.add(p.place(f.at), k.e.configAt.Ref, "%s publishes without a topic, which is vLLM's default, and the filter takes %s", c.name, filter).fix("use kv@$(POD_IP):<port>@<model>")
			} else if !strings.HasPrefix(topic, filter) {
				r.add(p.place(f.at), k.e.configAt.Ref, "topic %s is not taken by the filter %s", topic, filter).fix("begin the topic with %s", filter)
			} else if parts := strings.Split(topic, "@"); k.e.known != nil && k.e.known.Value("endpoint-with-port") != "" && (len(parts) != 3 || !strings.Contains(parts[1], ":")) {
				r.add(p.place(f.at), k.e.configAt.Ref, "topic %s does not name the endpoint as address:port", topic).fix("use kv@$(POD_IP):<port>@<model>")
			}
		}},
	},
	{
		ID: "kv-endpoint", Severity: Error,
		Doc: "The endpoint picker and the servers do not meet: with discovery it dials a port that the servers do not publish on; without, it " +
			"binds one that they do not dial.",
		find: findEndpoints,
	},
	{
		ID: "kv-replay", Severity: Error,
		Doc: "The endpoint picker asks servers for KV-cache events that it has missed on a port where they send none again. It then takes in " +
			"no later event of a server either, once it has missed one.",
		find: findReplays,
	},
	{
		ID: "kv-replicas", Severity: Warning,
		Doc: "Servers send KV-cache events to the Service of several endpoint pickers. Each connection ends at one of them, and the others " +
			"know nothing of that server.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			k, ok := preciseOf(e)
			if ok && !k.discovers() && e.pods.replicas() > 1 {
				r.add(e.pods.in("spec", "replicas"), Ref{}, "%d replicas share the servers' events", e.pods.replicas()).fix("run one replica, or let each dial the servers: discoverPods: true")
			}
		}},
	},
}

// kv is the part of an EPP's configuration that follows KV-cache events.
type kv struct {
	e      *epp
	tokens field
	events field
}

// preciseOf reads either line's plugin: the producer since 0.7, the scorer before.
func preciseOf(e *epp) (kv, bool) {
	if p := e.plugin("precise-prefix-cache-producer").at("parameters"); p.is() {
		return kv{e, p.at("tokenProcessorConfig"), p.at("kvEventsConfig")}, true
	}
	p := e.plugin("precise-prefix-cache-scorer").at("parameters")
	tokens := p.at("tokenProcessorConfig")
	if !tokens.is() {
		tokens = p.at("indexerConfig", "tokenProcessorConfig")
	}
	return kv{e, tokens, p.at("kvEventsConfig")}, p.is()
}

// discovers reports whether the EPP dials the servers. The scorer of 0.4 only binds.
func (k kv) discovers() bool {
	if k.e.plugin("precise-prefix-cache-producer").is() {
		return k.events.at("discoverPods").text() != "false"
	}
	return k.events.at("discoverPods").text() == "true"
}

// eachPrecise visits the servers of EPPs that follow KV-cache events.
func eachPrecise(g *G, visit func(k kv, p *Pods, c *container)) {
	for _, e := range g.epps {
		k, ok := preciseOf(e)
		if !ok {
			continue
		}
		for _, p := range g.servers(e) {
			if c := p.server(); c != nil && (c.isVLLM() || c.isSimulator()) {
				visit(k, p, c)
			}
		}
	}
}

// kvEvents is vLLM's --kv-events-config. Without a topic it publishes under none, without an
// endpoint on all addresses (vllm v0.11 vllm/config/kv_events.py).
type kvEvents struct {
	Enabled                    bool `json:"enable_kv_cache_events"`
	Publisher, Endpoint, Topic string
	Replay                     string `json:"replay_endpoint"`
}

// publishes reports whether a vLLM server publishes events, or may once a text is filled in.
func (c *container) publishes() bool {
	_, given := c.given("kv-events-config")
	var events kvEvents
	err := json.Unmarshal([]byte(c.flag("kv-events-config")), &events)
	return given && (err != nil || events.Enabled && events.Publisher != "null")
}

func (c *container) events() (out kvEvents) {
	_ = json.Unmarshal([]byte(c.flag("kv-events-config")), &out) // what is not JSON vLLM refuses itself
	if out.Enabled && out.Endpoint == "" {
		out.Endpoint = "tcp://*:5557"
	}
	return out
}

func findEndpoints(g *G, r *report) {
	eachPrecise(g, func(k kv, p *Pods, c *container) {
		endpoint := cmp.Or(c.flag("zmq-endpoint"), c.events().Endpoint)
		f, ok := c.given("kv-events-config", "zmq-endpoint")
		if c.isSimulator() && !ok {
			endpoint, f.at = "tcp://127.0.0.1:5557", c.at("args")
		}
		u, err := url.Parse(strings.Replace(endpoint, "*", "0.0.0.0", 1))
		if err != nil || endpoint == "" || templated(endpoint) {
			return
		}
		binds := slices.Contains([]string{"0.0.0.0", "[::]", "::"}, u.Hostname()) && !c.isSimulator()
		port := k.events.at("podDiscoveryConfig", "socketPort").or("5557")
		switch {
		case k.discovers() && !binds:
			r.add(p.place(f.at), k.e.configAt.Ref, "%s dials %s, and the endpoint picker dials the servers: nobody listens", c.name, endpoint).fix("publish on tcp://*:%s, or set discoverPods: false and zmqEndpoint", port)
		case k.discovers() && u.Port() != port:
			r.add(p.place(f.at), k.e.configAt.Ref, "%s publishes on port %s, and the endpoint picker dials %s", c.name, u.Port(), port).fix("make the two ports one")
		case !k.discovers() && binds:
			r.add(p.place(f.at), k.e.configAt.Ref, "%s waits on %s, and so does the endpoint picker: nobody dials", c.name, endpoint).fix("let the servers dial the endpoint picker's Service")
		case !k.discovers():
			bound(g, r, k, u, p.place(f.at))
		}
	})
}

// findReplays compares the port on which the EPP asks for events again with that of the servers,
// which publish events.
func findReplays(g *G, r *report) {
	eachPrecise(g, func(k kv, p *Pods, c *container) {
		asked := k.events.at("podDiscoveryConfig", "replaySocketPort")
		f, _ := c.given("kv-events-config", "kv-events-replay-endpoint")
		endpoint := cmp.Or(c.flag("kv-events-replay-endpoint"), c.events().Replay)
		number, err := strconv.Atoi(asked.text())
		if err != nil || number <= 0 || !k.discovers() || templated(endpoint) || c.isVLLM() && (!json.Valid([]byte(f.value)) || !c.publishes()) {
			return
		}
		at := p.place(f.at)
		switch port := endpoint[strings.LastIndexByte(endpoint, ':')+1:]; {
		case endpoint == "":
			r.add(at, k.e.configAt.Ref, "%s sends no events again, and the endpoint picker asks for them on port %s", c.name, asked.text()).fix("set replay_endpoint to tcp://*:%s, or leave replaySocketPort out", asked.text())
		case port != asked.text():
			r.add(at, k.e.configAt.Ref, "%s sends events again on port %s, and the endpoint picker asks for them on %s", c.name, port, asked.text()).fix("make the two ports one")
		}
	})
}

// bound wants what the servers dial to lead to the port that the EPP binds.
func bound(g *G, r *report, k kv, dialled *url.URL, at place) {
	bind, err := url.Parse(strings.Replace(k.events.at("zmqEndpoint").text(), "*", "0.0.0.0", 1))
	to, ok := serviceOf(dialled.Hostname(), at.object.Namespace)
	if s := g.Object(to); ok && s != nil && err == nil && bind.Port() != "" {
		target := k.e.pods.numberOf(targetOf(s, dialled.Port()).text())
		if target != 0 && itoa(target) != bind.Port() {
			r.add(at, s.Ref, "%s leads to port %d, and the endpoint picker binds %s", dialled, target, bind.Port()).fix("make the two ports one")
		}
	}
}
