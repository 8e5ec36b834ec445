package epp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/generators/redis"
	"github.com/inferstack/inferstack/generators/render"
	"github.com/inferstack/inferstack/schema"
)

// configMap holds the EndpointPickerConfig.
func configMap(s *base.Stack) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: s.MetaIn(s.EPPNamespace(), base.ComponentEPP, configName(s)),
		Data:       map[string]string{s.Spec.Scheduler.ConfigMap.Key: configText(s)},
	}
}

func configName(s *base.Stack) string {
	return cmp.Or(s.Spec.Scheduler.ConfigMap.Name, base.Derived(s.EPPName(), "config", base.MaxLabel))
}

// configText is the EndpointPickerConfig as YAML.
func configText(s *base.Stack) string {
	config := config(s)
	if own, _ := config["apiVersion"].(string); own == "" {
		config["apiVersion"] = s.Line.APIs.EndpointPickerConfig
	}
	config["kind"] = "EndpointPickerConfig"
	return manifest.Ordered(config, configOrder)
}

// configOrder puts what a thing is before what it holds.
var configOrder = []string{
	"apiVersion", "kind", "featureGates", "type", "name", "pluginRef", "weight", "parameters", "plugins", "schedulingProfiles",
}

// configChecksum changes with the configuration. The EPP reads it only at its start, so
// the pod template carries this to be rolled by a change.
func configChecksum(s *base.Stack) string {
	sum := sha256.Sum256([]byte(configText(s)))
	return hex.EncodeToString(sum[:])[:16]
}

// config returns the configuration in force. A rule has made sure that the release
// line has a form of it for this stack.
func config(s *base.Stack) map[string]any {
	if s.Spec.Scheduler.Config != nil {
		return manifest.Clone(s.Spec.Scheduler.Config)
	}
	conf := &s.Line.EPP.Configuration
	facts := s.Facts(s.Line)
	config := conf.Around(facts, listedPlugins(s))
	if s.Preset() != "" {
		config = conf.Preset(s.Preset(), facts, values(s))
		if s.Spec.Model.LoRA != nil {
			scoreAdapters(config)
		}
	}
	readMetrics(s, config)
	if s.FlowControl() {
		gates, _ := config["featureGates"].([]any)
		config["featureGates"] = append(slices.Clone(gates), "flowControl")
	}
	return config
}

// values are the values of the stack that presets name.
func values(s *base.Stack) map[string]any {
	cache := &s.Spec.KVCache
	tokens := int64(s.Spec.Scheduler.Disaggregation.NonCachedTokens)
	return map[string]any{
		"model":                renderedModel(s),
		"tokenizerURL":         render.URL(s),
		"blockSize":            int64(kvevents.BlockSize(s)),
		"blockSizeCharacters":  int64(kvevents.BlockSize(s)) * charactersPerToken,
		"hashSeed":             kvevents.HashSeed(s),
		"eventsPort":           int64(cache.Events.Port),
		"replayPort":           int64(kvevents.ReplayPort(s)),
		"eventsBind":           kvevents.Bind(s),
		"lruCapacityPerServer": int64(cache.LRUCapacityPerServer),
		"maxPrefixBlocks":      maxPrefixTokens(s) / int64(kvevents.BlockSize(s)),
		"maxPrefixTokens":      maxPrefixTokens(s),
		"nonCachedTokens":      tokens,
		"nonCachedCharacters":  tokens * charactersPerToken,
		"redisAddress":         redis.Address(s),
		"streaming":            s.StreamedLatency(),
	}
}

// renderedModel is the name by which the EPP asks the render service for tokens: one that the
// service made by the stack serves, or the model's of one elsewhere.
func renderedModel(s *base.Stack) string {
	if s.Spec.Scheduler.Tokenizer.URL != "" {
		return s.Spec.Model.Name
	}
	return s.Spec.Model.Served()[0]
}

// charactersPerToken is the estimate of the EPPs that count characters
// (gateway-api-inference-extension v1.2.0 pkg/epp/scheduling/framework/plugins/multi/prefix).
const charactersPerToken = 4

// maxPrefixTokens returns how much of a prompt approximate prefix caching compares.
func maxPrefixTokens(s *base.Stack) int64 {
	if blocks := s.Spec.KVCache.MaxPrefixBlocks; blocks != nil {
		return int64(*blocks) * int64(kvevents.BlockSize(s))
	}
	return int64(s.Line.EPP.MaxPrefixTokens)
}

// listedPlugins are the values of a configuration around listed plugins: what to declare
// and how profiles refer to it.
func listedPlugins(s *base.Stack) map[string]any {
	sched := &s.Spec.Scheduler
	filters := sched.Filters
	if filters == nil && !s.Disaggregated() {
		filters = []schema.Plugin{{Type: s.Line.EPP.RoleFilters.Decode}}
	}
	picker := schema.Plugin{Type: "max-score-picker"}
	if sched.Picker != nil {
		picker = *sched.Picker
	}
	values := values(s)
	values["filterPlugins"], values["filterRefs"] = []any{}, []any{}
	for _, f := range filters {
		declare(values, "filter", f, nil)
	}
	values["scorerPlugins"], values["scorerRefs"] = []any{}, []any{}
	for _, sc := range sched.Scorers {
		declare(values, "scorer", schema.Plugin{Type: sc.Type, Name: sc.Name, Parameters: sc.Parameters}, &sc.Weight)
	}
	values["pickerPlugins"], values["pickerRefs"] = []any{}, []any{}
	declare(values, "picker", picker, nil)
	return values
}

// declare adds a plugin and a reference to it to the lists of its kind.
func declare(values map[string]any, kind string, p schema.Plugin, weight *float64) {
	spec := map[string]any{"type": p.Type}
	if p.Name != "" && p.Name != p.Type {
		spec["name"] = p.Name
	}
	if len(p.Parameters) > 0 {
		spec["parameters"] = manifest.Clone(p.Parameters)
	}
	ref := map[string]any{"pluginRef": cmp.Or(p.Name, p.Type)}
	if weight != nil {
		ref["weight"] = *weight
	}
	values[kind+"Plugins"] = append(values[kind+"Plugins"].([]any), spec)
	values[kind+"Refs"] = append(values[kind+"Refs"].([]any), ref)
}
