package manifests

import (
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/argv"
)

// vllm are the flags with a field of their own, for all servers or for those of the role.
func (r role) vllm() (out [][]proposal) {
	for _, flag := range serving.VLLMFlags() {
		field, on := serving.VLLMSetting(flag, "")
		if on != nil {
			out = append(out, r.toggled(flag, field)...)
			continue
		}
		for _, word := range r.flag(flag) {
			if _, value := serving.VLLMSetting(flag, word); value != nil {
				out = append(out, r.both("vllm."+field, value))
			}
		}
	}
	return out
}

// toggled are a flag that turns something on, and the one that turns it off.
func (r role) toggled(flag, field string) (out [][]proposal) {
	for _, word := range r.words {
		switch argv.Hyphened(word) {
		case "--" + flag:
			out = append(out, r.both("vllm."+field, true))
		case "--no-" + flag:
			out = append(out, r.both("vllm."+field, false))
		}
	}
	return out
}
