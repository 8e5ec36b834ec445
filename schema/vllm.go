package schema

import (
	"reflect"
	"strings"
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

// written are the names of the fields that are set. The release line knows their flags by them.
func (v *VLLM) written() []string {
	var out []string
	fields := reflect.ValueOf(v).Elem()
	for i := range fields.NumField() {
		if !fields.Field(i).IsZero() {
			name, _, _ := strings.Cut(fields.Type().Field(i).Tag.Get("json"), ",")
			out = append(out, name)
		}
	}
	return out
}

// vllmVariables are the settings that vLLM reads from its environment
// (vllm vllm/envs.py).
var vllmVariables = map[string]string{"cpuKvCacheSpace": "VLLM_CPU_KVCACHE_SPACE", "loggingLevel": "VLLM_LOGGING_LEVEL"}

// settingPath is the field of a role's vLLM, or of the server section, that says it.
func (s *Stack) settingPath(r section, setting string) string {
	role, _, _ := strings.Cut(r.path, ".variants")
	for _, path := range []string{r.path, role, "spec.server"} {
		if at := path + ".vllm." + setting; s.Has(at) {
			return at
		}
	}
	return "spec.server.vllm." + setting
}

// vllmSettings refuses settings of vLLM that nothing reads.
func vllmSettings(s *Stack) []Problem {
	line := s.line()
	if line == nil {
		return nil
	}
	if !s.RunsVLLM() {
		return s.foreignSettings()
	}
	var out []Problem
	for _, r := range s.sections() {
		for _, setting := range s.VLLMOf(r.Role).written() {
			at, vendor := s.settingPath(r, setting), s.AcceleratorOf(r.Role).Type
			switch {
			case setting == "cpuKvCacheSpace" && vendor != "cpu":
				out = append(out, s.Problem(Warning, at, "is for cpu servers, and these run on %s: it has no effect", vendor))
			case vllmVariables[setting] == "" && line.VLLM.Flags[setting] == "":
				out = append(out, s.Problem(Error, at, "needs a release line whose vLLM has it, and that of %s has not", line.Name))
			}
		}
	}
	return out
}

// foreignSettings refuses settings of vLLM in the roles of another engine.
func (s *Stack) foreignSettings() []Problem {
	var out []Problem
	for _, r := range s.roles() {
		paths := []string{r.path}
		for i := range r.Variants {
			paths = append(paths, indexed(r.path+".variants", i))
		}
		for _, at := range paths {
			if at += ".vllm"; s.Has(at) {
				out = append(out, s.Problem(Error, at, "belongs to engine: vllm, and %s is %s", Path(enginePath), s.Spec.Server.Engine))
			}
		}
	}
	return out
}
