package kserve

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/lists"
)

// Plugins of precise prefix caching: the scorer of EPPs before 0.9, and those that do its work
// now (llm-d-router pkg/epp/framework/plugins/requestcontrol/dataproducer, v0.10.0).
const (
	oldPreciseScorer = "precise-prefix-cache-scorer"
	preciseProducer  = "precise-prefix-cache-producer"
	tokenProducer    = "token-producer"
)

// precise wires the servers and an EPP that follows the events of their KV caches: what both
// sides have to agree on is in kvCache of a stack, and generated on both.
func (s *service) precise(config map[string]any, sets []*set) {
	s.split(config)
	i := slices.IndexFunc(plugins(config), func(p map[string]any) bool { return p["type"] == preciseProducer })
	if i < 0 {
		return
	}
	parameters, _ := plugins(config)[i]["parameters"].(map[string]any)
	if parameters == nil {
		parameters = map[string]any{}
		plugins(config)[i]["parameters"] = parameters
	}
	from := s.at(schedulerFrom + ".config")
	blocks, _ := parameters["tokenProcessorConfig"].(map[string]any)
	if size := first(blocks["blockSizeTokens"], blocks["blockSize"]); size != nil {
		s.Set("spec.kvCache.blockSize", size, from)
		blocks["blockSizeTokens"] = size // its name since 0.9
		delete(blocks, "blockSize")
	}
	if seed := at(parameters, "tokenProcessorConfig", "hashSeed"); seed != nil {
		s.Set("spec.kvCache.hashSeed", seed, from)
	}
	s.events(config, parameters, sets, from)
	for _, w := range sets {
		s.eventArgs(w)
	}
	s.tokens(config)
}

func first(values ...any) any {
	return lists.First(values, func(v any) bool { return v != nil })
}

// split takes the former scorer apart. The one that scores keeps its name, by which profiles
// refer to it.
func (s *service) split(config map[string]any) {
	for i, p := range plugins(config) {
		if p["type"] != oldPreciseScorer {
			continue
		}
		parameters, _ := p["parameters"].(map[string]any)
		if indexer, ok := parameters["indexerConfig"].(map[string]any); ok {
			delete(indexer, "tokenizersPoolConfig")
		}
		name, _ := p["name"].(string)
		if name == "" {
			name = oldPreciseScorer
		}
		all := list(config["plugins"])
		all[i] = map[string]any{"type": "prefix-cache-scorer", "name": name, "parameters": map[string]any{"prefixMatchInfoProducerName": preciseProducer}}
		config["plugins"] = append([]any{map[string]any{"type": tokenProducer}, map[string]any{"type": preciseProducer, "parameters": parameters}}, all...)
		s.On(schedulerTo+".config", s.at(schedulerFrom+".config")).Note("%s is %s, %s and prefix-cache-scorer now, as KServe takes it apart for an EPP from 0.9 on", oldPreciseScorer, tokenProducer, preciseProducer)
		return
	}
}

// events say which side dials the other one. The EPP dials the servers unless its configuration
// or theirs says otherwise (llm-d-kv-cache pkg/kvevents, discoverPods).
func (s *service) events(epp, parameters map[string]any, sets []*set, from string) {
	const to = "spec.kvCache.events"
	config, _ := parameters["kvEventsConfig"].(map[string]any)
	discovers, given := config["discoverPods"].(bool)
	simulated := serving.Simulated(s.mainImage())
	if (discovers || !given) && !simulated && !dials(sets) {
		s.Set(to+".mode", "discovery", from)
		if port := at(config, "podDiscoveryConfig", "socketPort"); port != nil {
			s.Set(to+".port", port, from)
		}
		if port, ok := serving.ReplayPort(config); ok {
			s.Set(to+".replayPort", port, from)
		}
		s.discovery(epp)
		return
	}
	s.Set(to+".mode", "centralized", from)
	if discovers && simulated {
		s.On(to+".mode", from).Warn("discoverPods is false now: the simulator dials the EPP, and has no port on which it can be dialled")
	}
	own := map[string]any{"discoverPods": false, "topicFilter": first(config["topicFilter"], "kv@"), "zmqEndpoint": first(config["zmqEndpoint"], "tcp://0.0.0.0:5557")}
	delete(config, "podDiscoveryConfig")
	parameters["kvEventsConfig"] = merge(config, own)
	if endpoint, _ := config["zmqEndpoint"].(string); endpoint != "" {
		if port, err := strconv.Atoi(endpoint[strings.LastIndexByte(endpoint, ':')+1:]); err == nil {
			s.Set(to+".centralPort", port, from)
		}
	}
}

// dials reports whether a server connects to the EPP to send its events.
func dials(sets []*set) bool {
	return slices.ContainsFunc(sets, func(w *set) bool {
		line := serving.ReadLine(main(&w.role.Pod).Args)
		text, _ := line.Value("kv-events-config")
		var config eventsConfig
		return json.Unmarshal([]byte(text), &config) == nil && config.Endpoint != "" && !strings.Contains(config.Endpoint, "*")
	})
}

// An eventsConfig is what --kv-events-config says.
type eventsConfig struct {
	Publisher string `json:"publisher"`
	Endpoint  string `json:"endpoint"`
}

// notificationSource tells the producer of the servers that come and go.
const notificationSource = "endpoint-notification-source"

// discovery completes a configuration that dials the servers: the EPP has to hear of them.
func (s *service) discovery(config map[string]any) {
	if hasPlugin(config, notificationSource) {
		return
	}
	config["plugins"] = append([]any{map[string]any{"type": notificationSource}}, list(config["plugins"])...)
	data, _ := config["dataLayer"].(map[string]any)
	data = maps.Clone(data)
	if data == nil {
		data = map[string]any{}
	}
	source := map[string]any{"pluginRef": notificationSource, "extractors": []any{map[string]any{"pluginRef": preciseProducer}}}
	data["sources"] = append(list(data["sources"]), source)
	config["dataLayer"] = data
	s.On(schedulerTo+".config", s.at(schedulerFrom+".config")).Note("%s is added: without it the EPP hears of no servers whose events it could ask for", notificationSource)
}

func (s *service) mainImage() string {
	if s.spec.Template == nil {
		return ""
	}
	for _, c := range s.spec.Template.Containers {
		if c.Name == mainName {
			return c.Image
		}
	}
	return ""
}

// eventArgs takes off a command line what the stack generates of the events.
func (s *service) eventArgs(w *set) {
	c := main(&w.role.Pod)
	if w.role.Launch == pods.LaunchCustom {
		return
	}
	line := serving.ReadLine(c.Args)
	var gone []string
	take := func(flag string) (string, bool) {
		value, ok := line.Take(flag)
		if ok {
			gone = append(gone, "--"+flag)
		}
		return value, ok
	}
	if size, ok := take("block-size"); ok {
		s.Set("spec.kvCache.blockSize", serving.Scalar(size), w.role.From)
	}
	if seed, ok := take("hash-seed"); ok {
		s.Set("spec.kvCache.hashSeed", seed, w.role.From)
	}
	for _, flag := range []string{"enable-kvcache", "zmq-endpoint"} {
		if serving.Simulated(c.Image) {
			take(flag)
		}
	}
	if text, ok := take("kv-events-config"); ok {
		s.publisher(w, text)
	}
	s.eventEnv(w, c)
	c.Args = line.Words()
	if len(gone) > 0 {
		s.On("spec."+w.name, w.role.From).Note("%s: generated from kvCache, as what the EPP is told", strings.Join(gone, ", "))
	}
}

// publisher is vLLM's side of the events.
func (s *service) publisher(w *set, text string) {
	var config eventsConfig
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		s.On("spec."+w.name, w.role.From).Warn("--kv-events-config is not JSON: %v; the stack writes its own", err)
		return
	}
	if config.Publisher != "" && config.Publisher != "zmq" {
		s.Lost(w.role.From, "the publisher %s of KV events; the EPP follows zmq", config.Publisher)
	}
	if port := config.Endpoint[strings.LastIndexByte(config.Endpoint, ':')+1:]; strings.Contains(config.Endpoint, "*") {
		if n, err := strconv.Atoi(port); err == nil {
			s.Set("spec.kvCache.events.port", n, w.role.From)
		}
	}
}

// eventEnv are variables that the stack sets for the events.
func (s *service) eventEnv(w *set, c *corev1.Container) {
	c.Env = slices.DeleteFunc(slices.Clone(c.Env), func(e corev1.EnvVar) bool {
		switch {
		case e.Name == "PYTHONHASHSEED" && e.ValueFrom == nil:
			s.Set("spec.kvCache.hashSeed", e.Value, w.role.From)
			return true
		case e.Name == "KV_EVENTS_CONFIG" && e.ValueFrom == nil && w.role.Launch == pods.LaunchServe:
			return true
		}
		return e.Name == "POD_IP" && e.ValueFrom != nil && e.ValueFrom.FieldRef != nil && e.ValueFrom.FieldRef.FieldPath == "status.podIP"
	})
}

// tokens tells the producer of tokens which render service to ask: the one that the stack
// makes.
func (s *service) tokens(config map[string]any) {
	for _, p := range plugins(config) {
		if p["type"] != tokenProducer {
			continue
		}
		parameters, _ := p["parameters"].(map[string]any)
		parameters = maps.Clone(parameters)
		if parameters == nil {
			parameters = map[string]any{}
		}
		if parameters["modelName"] == nil {
			parameters["modelName"] = *s.spec.Model.Name
		}
		if parameters["vllm"] == nil {
			parameters["vllm"] = map[string]any{"url": "http://" + s.Doc.Name + "-render." + s.namespace() + ".svc.cluster.local:8000"}
		}
		p["parameters"] = parameters
	}
}
