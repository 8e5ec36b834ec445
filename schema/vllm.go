package schema

import (
	"reflect"
)

// VLLMOf are the settings of vLLM in force for a role.
func (s *Stack) VLLMOf(r *Role) *VLLM { return r.VLLM.over(&s.Spec.Server.VLLM) }

// over joins settings with those that they inherit, field by field.
func (v *VLLM) over(below *VLLM) *VLLM {
	if v == nil || below == nil {
		if v == nil {
			return below
		}
		return v
	}
	out := *v
	own, inherited := reflect.ValueOf(&out).Elem(), reflect.ValueOf(below).Elem()
	for i := range own.NumField() {
		if own.Field(i).IsZero() {
			own.Field(i).Set(inherited.Field(i))
		}
	}
	return &out
}
