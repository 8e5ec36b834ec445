package helm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
	lines "github.com/inferstack/inferstack/release"
)

// precisePreset is the preset of an EPP that follows the servers' caches.
const precisePreset = "precise-prefix"

// A tracking is a scorer that is to follow the servers' KV-cache events, in a spelling that
// no EPP of the release lines takes, and what its configuration says of it.
type tracking struct {
	at                 string // the plugin
	processor, indexer map[string]any
	events             map[string]any
	model              string // whose tokenizer it asks
	socket             bool   // as EPPs before 0.9 did
	tokenizer          string // why this EPP does not
}

// tokenizesItself reports whether the EPP of a release line needs no render service.
func tokenizesItself(name string) bool {
	line, err := lines.Load(name)
	return err == nil && line.EPP.Tokenizer != "render"
}

// precise takes such a scorer for the preset that does what it was for: a prefix-cache-scorer
// in mode cache_tracking or with an indexerConfig, as EPPs of 2025 had it
// (llm-d-inference-scheduler 0.3, pkg/plugins/scorer), or a precise one whose tokenizer is
// asked over a socket, which v0.10 refuses (llm-d-router pkg/epp/framework/plugins). It
// reports whether there is one. What the preset has otherwise is said.
func (r *release) precise(p *draft.Part, from string, config map[string]any) bool {
	t := trackingOf(config)
	if t == nil || t.socket && tokenizesItself(p.Text("spec.release")) {
		return false
	}
	at := below(from, t.at)
	p.Set(schedulerSection+".preset", precisePreset, from)
	servers := r.tracked(p, at, t)
	on := p.On(schedulerSection+".preset", at)
	on.Dropped().Note("a scorer that follows the servers' caches is the preset precise-prefix now, with its own weights, picker and other scorers; left out: %s", strings.Join(unpreset(config, t.indexer), ", "))
	if t.socket {
		on.Note("the tokenizer is a render service that the stack makes: %s", t.tokenizer)
	}
	if r.model == nil {
		r.tokenized(p, at, t)
		on.Warn("the servers, which are made elsewhere, must run with %s, or no request finds its prefix", strings.Join(servers, ", "))
		return true
	}
	on.Note("the servers get %s with the preset; without these no event reached the EPP, and no request found its prefix", strings.Join(servers, ", "))
	return true
}

// tracked are the settings that the EPP and the servers share; what the servers must run
// with is returned.
func (r *release) tracked(p *draft.Part, at string, t *tracking) []string {
	var servers []string
	if size := t.processor["blockSize"]; size != nil {
		r.differs(p, "blockSize", size, at)
		p.Set("spec.kvCache.blockSize", size, at)
		servers = append(servers, fmt.Sprintf("--block-size %v", size))
	}
	seed := fmt.Sprint(t.processor["hashSeed"])
	if t.processor["hashSeed"] == nil || seed == "" {
		seed = cmp.Or(r.Text("spec.kvCache.hashSeed"), "42") // the stack's
	}
	r.differs(p, "hashSeed", seed, at)
	p.Set("spec.kvCache.hashSeed", seed, at)
	servers = append(servers, "PYTHONHASHSEED="+seed)
	discovery, _ := t.events["podDiscoveryConfig"].(map[string]any)
	if port := discovery["socketPort"]; port != nil {
		p.Set("spec.kvCache.events.port", port, at)
	}
	r.dialled(p, at, t.events)
	replayed(p, at, t.events)
	return append(servers, "--kv-events-config")
}

// replayed keeps the port on which the EPP asks servers for events again, for them too.
func replayed(p *draft.Part, at string, events map[string]any) {
	if port, ok := serving.ReplayPort(events); ok && p.Text("spec.kvCache.events.mode") != "centralized" {
		p.Set("spec.kvCache.events.replayPort", port, below(at, "podDiscoveryConfig.replaySocketPort"))
	}
}

// dialled keeps the port on which servers that are made elsewhere dial the EPP.
func (r *release) dialled(p *draft.Part, at string, events map[string]any) {
	if port, ok := listens(events); ok && r.model == nil {
		p.Set("spec.kvCache.events.mode", "centralized", at)
		p.Set("spec.kvCache.events.centralPort", port, at)
	}
}

// listens is the port on which the EPP awaits the events of servers that dial it.
func listens(events map[string]any) (int, bool) {
	endpoint, _ := events["zmqEndpoint"].(string)
	host, port, _ := strings.Cut(strings.TrimPrefix(endpoint, "tcp://"), ":")
	n, err := strconv.Atoi(port)
	return n, err == nil && (host == "*" || host == "0.0.0.0") && events["discoverPods"] != true
}

// tokenized names the model of servers that are made elsewhere, whose tokenizer the EPP
// asks, and the token with which it is loaded.
func (r *release) tokenized(p *draft.Part, at string, t *tracking) {
	if t.model == "" {
		p.On("spec.model.name", at).Warn("nothing here names the model whose tokenizer is asked; write it into spec.model.name")
		return
	}
	p.Set("spec.model.name", t.model, at)
	var env []struct {
		Name      string
		ValueFrom struct {
			SecretKeyRef struct{ Name, Key string } `yaml:"secretKeyRef"`
		} `yaml:"valueFrom"`
	}
	if n := p.Get(schedulerSection + ".env"); n == nil || n.Decode(&env) != nil {
		return
	}
	for _, e := range env {
		if ref := e.ValueFrom.SecretKeyRef; e.Name == "HF_TOKEN" && ref.Name != "" {
			p.Set("spec.model.tokenSecret.name", ref.Name, "")
			p.Set("spec.model.tokenSecret.key", ref.Key, "")
		}
	}
}

// trackingOf finds such a scorer in a configuration.
func trackingOf(config map[string]any) (found *tracking) {
	plugins, _ := config["plugins"].([]any)
	var model string
	socket := false
	for i, e := range plugins {
		plugin, _ := e.(map[string]any)
		parameters, _ := plugin["parameters"].(map[string]any)
		indexer, _ := parameters["indexerConfig"].(map[string]any)
		switch plugin["type"] {
		case "prefix-cache-scorer":
			if parameters["mode"] != "cache_tracking" && indexer == nil {
				continue
			}
			processor, _ := indexer["tokenProcessorConfig"].(map[string]any)
			return &tracking{at: fmt.Sprintf("plugins[%d]", i), processor: processor, indexer: indexer}
		case "precise-prefix-cache-scorer", "precise-prefix-cache-producer":
			processor, _ := parameters["tokenProcessorConfig"].(map[string]any)
			if older, ok := indexer["tokenProcessorConfig"].(map[string]any); ok {
				processor = older
			}
			events, _ := parameters["kvEventsConfig"].(map[string]any)
			found = &tracking{at: fmt.Sprintf("plugins[%d]", i), processor: processor, indexer: indexer, events: events}
			if m, why := pooled(indexer); why != "" {
				model, socket, found.tokenizer = m, true, why
			}
		case "tokenizer", "token-producer":
			if parameters["vllm"] != nil {
				return nil
			}
			uds, _ := parameters["udsTokenizerConfig"].(map[string]any)
			socket = socket || uds["socketFile"] != nil && uds["socketFile"] != ""
			model, _ = parameters["modelName"].(string)
		}
	}
	if found == nil || !socket {
		return nil
	}
	found.model, found.socket = model, true
	found.tokenizer = cmp.Or(found.tokenizer, "this EPP asks none over a socket")
	return found
}

// pooled is the model whose tokenizer the index has by itself, as in EPPs from 0.4 to 0.7, and
// why this EPP has it not: it would take an estimate of the prompt's tokens, whose blocks no
// server has.
func pooled(indexer map[string]any) (model, why string) {
	pool, _ := indexer["tokenizersPoolConfig"].(map[string]any)
	model, _ = pool["modelName"].(string)
	switch _, older := indexer["tokenProcessorConfig"]; {
	case older && pool["uds"] == nil: // as EPPs to 0.4 have it, which tokenize by themselves without more
		return model, "this EPP has none in itself"
	case pool["hf"] != nil || pool["local"] != nil:
		return model, "this EPP has none in itself"
	case pool["uds"] != nil:
		return model, "this EPP asks none over a socket"
	}
	return "", ""
}

// unpreset are the plugins with their weights, and the settings of the index, that the
// preset has otherwise or not at all.
func unpreset(config, indexer map[string]any) (out []string) {
	profiles, _ := config["schedulingProfiles"].([]any)
	for _, e := range profiles {
		profile, _ := e.(map[string]any)
		references, _ := profile["plugins"].([]any)
		for _, e := range references {
			if ref, ok := e.(map[string]any); ok {
				out = append(out, strings.TrimSuffix(fmt.Sprintf("%v %v", ref["pluginRef"], weightOf(ref)), " "))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(indexer)) {
		if key != "tokenProcessorConfig" {
			out = append(out, key)
		}
	}
	return out
}

func weightOf(ref map[string]any) any {
	if w := ref["weight"]; w != nil {
		return w
	}
	return ""
}
