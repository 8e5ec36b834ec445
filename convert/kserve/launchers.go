package kserve

import (
	"strings"
)

// launchers are the scripts by which KServe's presets start vLLM, by their MD5: those of
// v0.20.0 and of the main branch in 2026-08 (config/llmisvcconfig).
var launchers = map[string]bool{
	"3b5f5c4f29972388afaa3bf85987c140": true,
	"53dcbb535576a93d5b6232d9a96cb4c9": true,
	"594029b3b695d2d30bd48fbb3660da54": true,
	"60fa667ef012f107c7b328c1624305e5": true,
	"7fb5a8b9b3a47d5e52301a2d6a716eca": true,
	"853357bd3a1d663bdc19a4f3c9aa00bc": true,
	"c658f3334c2229637e7d9cda13cf2057": true,
	"c8829b17aaf69d85e7cc48beb1a2a2d7": true,
	"cf3e8528b371fbab93ba09f8d2778622": true,
}

// unscripted takes the script out of a preset that is in the input, since a stack starts vLLM
// by itself. One that KServe does not ship is said.
func (s *service) unscripted(name string, spec map[string]any) {
	for _, workload := range []any{spec, spec[prefill]} {
		for _, field := range []string{"template", "worker"} {
			for _, e := range list(at(workload, field, "containers")) {
				c, _ := e.(map[string]any)
				if c["name"] == mainName {
					s.launcher(name, c)
				}
			}
		}
	}
}

// launcher drops the command of a preset's container when it is a script around vllm serve
// that takes the arguments of the service.
func (s *service) launcher(name string, c map[string]any) {
	var words []string
	for _, key := range []string{"command", "args"} {
		for _, word := range list(c[key]) {
			text, _ := word.(string)
			words = append(words, text)
		}
	}
	text, _, ok := shellScript(words)
	if !ok || !strings.Contains(text, "vllm serve") || !strings.Contains(text, moreArgs) {
		return
	}
	delete(c, "command")
	delete(c, "args")
	if !launchers[digest(text)] {
		s.On("spec.decode", "spec").Dropped().Warn("the script of %s is none that KServe ships: what it does beside starting vLLM is left out", name)
	}
}
