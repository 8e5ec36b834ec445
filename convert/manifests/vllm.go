package manifests

import (
	"encoding/json"
	"strings"
)

// Settings of vLLM by the kind of their flag's value.
var (
	vllmSwitches = map[string]string{
		"enforce-eager": "enforceEager", "async-scheduling": "asyncScheduling", "trust-remote-code": "trustRemoteCode", "enable-eplb": "enableEplb",
		"enable-dbo": "enableDbo", "disable-hybrid-kv-cache-manager": "disableHybridKvCacheManager",
	}
	vllmWords = map[string]string{
		"dtype": "dtype", "quantization": "quantization", "kv-cache-dtype": "kvCacheDtype", "moe-backend": "moeBackend",
		"prefix-caching-hash-algo": "prefixCachingHashAlgo", "tool-call-parser": "toolCallParser", "reasoning-parser": "reasoningParser",
	}
	vllmTexts = map[string]string{
		"limit-mm-per-prompt": "limitMmPerPrompt", "hf-overrides": "hfOverrides", "speculative-config": "speculativeConfig", "compilation-config": "compilationConfig",
	}
	vllmNumbers = map[string]string{
		"max-model-len": "maxModelLen", "gpu-memory-utilization": "gpuMemoryUtilization", "max-num-seqs": "maxNumSeqs", "max-num-batched-tokens": "maxNumBatchedTokens",
	}
)

// vllm are the flags with a field of their own, for all servers or for those of the role.
func (r role) vllm() [][]proposal {
	var out [][]proposal
	add := func(field string, value any) { out = append(out, r.both("vllm."+field, value)) }
	for flag, field := range sorted(vllmNumbers) {
		add(field, r.number(flag))
	}
	for flag, field := range sorted(vllmSwitches) {
		for _, word := range r.words {
			switch strings.ReplaceAll(word, "_", "-") {
			case "--" + flag:
				add(field, true)
			case "--no-" + flag:
				add(field, false)
			}
		}
	}
	for flag, field := range sorted(vllmWords) {
		for _, value := range r.flag(flag) {
			add(field, value)
		}
	}
	for flag, field := range sorted(vllmTexts) {
		for _, value := range r.flag(flag) {
			var fields object
			if json.Unmarshal([]byte(value), &fields) == nil {
				add(field, fields)
			}
		}
	}
	return out
}
