package serving

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/inferstack/inferstack/schema/document"
)

// A settingKind is what the value of a setting of vLLM is.
type settingKind int

const (
	number settingKind = iota
	toggle             // --flag or --no-flag
	keyword
	fields // JSON
)

// A vllmSetting is the field for a flag.
type vllmSetting struct {
	field string
	kind  settingKind
}

// vllmSettings are the settings of vLLM with a field of their own, in spec.server.vllm and in that
// of a role, by their flag.
var vllmSettings = map[string]vllmSetting{
	"max-model-len": {"maxModelLen", number}, "gpu-memory-utilization": {"gpuMemoryUtilization", number},
	"max-num-seqs": {"maxNumSeqs", number}, "max-num-batched-tokens": {"maxNumBatchedTokens", number},
	"enable-prefix-caching": {"prefixCaching", toggle}, "enforce-eager": {"enforceEager", toggle},
	"async-scheduling": {"asyncScheduling", toggle}, "trust-remote-code": {"trustRemoteCode", toggle},
	"enable-eplb": {"enableEplb", toggle}, "enable-dbo": {"enableDbo", toggle},
	"disable-hybrid-kv-cache-manager": {"disableHybridKvCacheManager", toggle},
	"dtype":                           {"dtype", keyword}, "quantization": {"quantization", keyword}, "kv-cache-dtype": {"kvCacheDtype", keyword},
	"moe-backend": {"moeBackend", keyword}, "prefix-caching-hash-algo": {"prefixCachingHashAlgo", keyword},
	toolParser: {"toolCallParser", keyword}, "reasoning-parser": {"reasoningParser", keyword},
	"limit-mm-per-prompt": {"limitMmPerPrompt", fields}, "hf-overrides": {"hfOverrides", fields},
	"speculative-config": {"speculativeConfig", fields}, "compilation-config": {"compilationConfig", fields},
}

// The parser of tool calls, and the flag that a stack writes with it.
const (
	toolParser = "tool-call-parser"
	toolChoice = "enable-auto-tool-choice"
)

// VLLMFlags are the flags with a field, in a fixed order.
func VLLMFlags() []string { return slices.Sorted(maps.Keys(vllmSettings)) }

// VLLMFields are those fields, in the order of their flags.
func VLLMFields() (out []string) {
	for _, flag := range VLLMFlags() {
		out = append(out, vllmSettings[flag].field)
	}
	return out
}

// VLLMSetting is the field of spec.server.vllm that says what a flag of vLLM does, and its value. A
// value that the field cannot have, as a length of 32k, is nil.
func VLLMSetting(flag, word string) (field string, value any) {
	s, ok := vllmSettings[flag]
	if !ok {
		return "", nil
	}
	switch s.kind {
	case number:
		switch n := Scalar(word).(type) {
		case int64, float64:
			value = n
		}
	case toggle:
		if word == "" {
			value = true
		}
	case keyword:
		if document.Takes("spec.server.vllm."+s.field, word) {
			value = word
		}
	case fields:
		var m map[string]any
		if json.Unmarshal([]byte(word), &m) == nil && m != nil {
			value = m
		}
	}
	return s.field, value
}

// TakeVLLM takes the flags with a field off a command line: their values by field. Flags that say
// what no field can say stay.
func (l *CommandLine) TakeVLLM() map[string]any {
	out := map[string]any{}
	for _, flag := range VLLMFlags() {
		word, found := l.Value(flag)
		negative, negated := l.Value("no-" + flag)
		field, value := VLLMSetting(flag, word)
		switch _, choice := l.Value(toolChoice); {
		case found == negated, flag == toolParser && !choice:
		case negated && vllmSettings[flag].kind == toggle && negative == "":
			l.Take("no-" + flag)
			out[vllmSettings[flag].field] = false
		case found && value != nil:
			l.Take(flag)
			out[field] = value
		}
	}
	if out["toolCallParser"] != nil {
		l.Take(toolChoice)
	}
	return out
}
