package generators

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/schema"
)

// eppConfigMap holds the EndpointPickerConfig.
func eppConfigMap(s *Stack) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: s.metaIn(s.eppNamespace(), componentEPP, s.eppConfigName()),
		Data:       map[string]string{s.Spec.Scheduler.ConfigMap.Key: eppConfigText(s)},
	}
}

func (s *Stack) eppConfigName() string {
	return cmp.Or(s.Spec.Scheduler.ConfigMap.Name, derived(s.eppName(), "config", maxLabel))
}

// eppConfigText is the EndpointPickerConfig as YAML.
func eppConfigText(s *Stack) string {
	config := s.eppConfig()
	config["apiVersion"] = s.Line.APIs.EndpointPickerConfig
	config["kind"] = "EndpointPickerConfig"
	return manifest.Ordered(config, eppConfigOrder)
}

// eppConfigOrder puts what a thing is before what it holds.
var eppConfigOrder = []string{
	"apiVersion", "kind", "featureGates", "type", "name", "pluginRef", "weight", "parameters", "plugins", "schedulingProfiles",
}

// eppConfigChecksum changes with the configuration. The EPP reads it only at its start, so
// the pod template carries this to be rolled by a change.
func eppConfigChecksum(s *Stack) string {
	sum := sha256.Sum256([]byte(eppConfigText(s)))
	return hex.EncodeToString(sum[:])[:16]
}

// eppConfig returns the configuration in force. A rule has made sure that the release
// line has a form of it for this stack.
func (s *Stack) eppConfig() map[string]any {
	if s.Spec.Scheduler.Config != nil {
		return manifest.Clone(s.Spec.Scheduler.Config)
	}
	conf := &s.Line.EPP.Configuration
	facts := s.Facts(s.Line)
	config := conf.Around(facts, s.listedPlugins())
	if s.Preset() != "" {
		config = conf.Preset(s.Preset(), facts, s.eppValues())
	}
	if s.flowControl() {
		gates, _ := config["featureGates"].([]any)
		config["featureGates"] = append(slices.Clone(gates), "flowControl")
	}
	return config
}

// eppValues are the values of the stack that presets name.
func (s *Stack) eppValues() map[string]any {
	cache := &s.Spec.KVCache
	tokens := int64(s.Spec.Scheduler.Disaggregation.NonCachedTokens)
	return map[string]any{
		"model":                s.Spec.Model.Name,
		"tokenizerURL":         s.tokenizerURL(),
		"blockSize":            int64(s.blockSize()),
		"blockSizeCharacters":  int64(s.blockSize()) * charactersPerToken,
		"hashSeed":             s.hashSeed(),
		"eventsPort":           int64(cache.Events.Port),
		"eventsBind":           s.kvEventsBind(),
		"lruCapacityPerServer": int64(cache.LRUCapacityPerServer),
		"maxPrefixBlocks":      s.maxPrefixTokens() / int64(s.blockSize()),
		"maxPrefixTokens":      s.maxPrefixTokens(),
		"nonCachedTokens":      tokens,
		"nonCachedCharacters":  tokens * charactersPerToken,
		"redisAddress":         s.redisAddress(),
	}
}

// charactersPerToken is the estimate of the EPPs that count characters
// (gateway-api-inference-extension v1.2.0 pkg/epp/scheduling/framework/plugins/multi/prefix).
const charactersPerToken = 4

// maxPrefixTokens returns how much of a prompt approximate prefix caching compares.
func (s *Stack) maxPrefixTokens() int64 {
	if blocks := s.Spec.KVCache.MaxPrefixBlocks; blocks != nil {
		return int64(*blocks) * int64(s.blockSize())
	}
	return int64(s.Line.EPP.MaxPrefixTokens)
}

// listedPlugins are the values of a configuration around listed plugins: what to declare
// and how profiles refer to it.
func (s *Stack) listedPlugins() map[string]any {
	sched := &s.Spec.Scheduler
	filters := sched.Filters
	if filters == nil && !s.disaggregated() {
		filters = []schema.Plugin{{Type: s.Line.EPP.RoleFilters.Decode}}
	}
	picker := schema.Plugin{Type: "max-score-picker"}
	if sched.Picker != nil {
		picker = *sched.Picker
	}
	values := s.eppValues()
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
