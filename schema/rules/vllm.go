package rules

import (
	"reflect"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// vllmVariables are the settings that vLLM reads from its environment
// (vllm vllm/envs.py).
var vllmVariables = map[string]string{"cpuKvCacheSpace": "VLLM_CPU_KVCACHE_SPACE", "loggingLevel": "VLLM_LOGGING_LEVEL"}

// settingPath is the field of a role's vLLM, or of the server section, that says it.
func (s stack) settingPath(r schema.Workload, setting string) string {
	role, _, _ := strings.Cut(r.Path, ".variants")
	for _, path := range []string{r.Path, role, "spec.server"} {
		if at := path + ".vllm." + setting; s.Has(at) {
			return at
		}
	}
	return "spec.server.vllm." + setting
}

// settings are the names of the fields that are set. The release line knows their flags by them.
func settings(v *schema.VLLM) (out []string) {
	fields := reflect.ValueOf(v).Elem()
	for i := range fields.NumField() {
		if !fields.Field(i).IsZero() {
			name, _, _ := strings.Cut(fields.Type().Field(i).Tag.Get("json"), ",")
			out = append(out, name)
		}
	}
	return out
}

// vllmSettings refuses settings of vLLM that nothing reads.
func vllmSettings(s stack) (out []schema.Problem) {
	line := s.line()
	if line == nil {
		return nil
	}
	if !s.RunsVLLM() {
		return s.foreignSettings()
	}
	for _, r := range s.Workloads() {
		for _, setting := range settings(s.VLLMOf(r.Role)) {
			at, vendor := s.settingPath(r, setting), s.AcceleratorOf(r.Role).Type
			switch {
			case setting == "cpuKvCacheSpace" && vendor != "cpu":
				out = append(out, s.Problem(schema.Warning, at, "is for cpu servers, and these run on %s: it has no effect", vendor))
			case vllmVariables[setting] == "" && line.VLLM.Flags[setting] == "":
				out = append(out, s.Problem(schema.Error, at, "needs a release line whose vLLM has it, and that of %s has not", line.Name))
			}
		}
	}
	return out
}

// foreignSettings refuses settings of vLLM in the roles of another engine.
func (s stack) foreignSettings() (out []schema.Problem) {
	for _, r := range s.Roles() {
		paths := []string{r.Path}
		for i := range r.Variants {
			paths = append(paths, finding.Indexed(r.Path+".variants", i))
		}
		for _, at := range paths {
			if at += ".vllm"; s.Has(at) {
				out = append(out, s.Problem(schema.Error, at, "belongs to engine: vllm, and %s is %s", schema.Path(enginePath), s.Spec.Server.Engine))
			}
		}
	}
	return out
}
