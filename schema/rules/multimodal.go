package rules

import (
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// readsImages refuses flags with which servers beside encode servers, or these themselves, do not
// take their part of a request with an image (vllm config/multimodal.py and config/model.py:
// mm_encoder_only, language_model_only, limit_per_prompt).
func readsImages(s stack) (out []schema.Problem) {
	if !s.RunsVLLM() {
		return nil
	}
	for _, r := range s.Workloads() {
		if r.RoleName != schema.RoleEncode {
			out = append(out, s.flagged(r, "mm-encoder-only", "loads the encoder alone, and %s servers generate; it is generated for the encode section")...)
		}
		if s.Spec.Encode != nil {
			out = append(out, s.flagged(r, "language-model-only", "has vLLM refuse images, which requests bring to %s servers where there are encode servers; leave it out")...)
			out = append(out, s.noImages(r)...)
		}
	}
	return out
}

// flagged refuses a switch among the arguments of the workload; why has the role's name in it.
func (s stack) flagged(r schema.Workload, flag, why string) []schema.Problem {
	for _, list := range []argumentList{{r.Path + ".args", r.Args}, {"spec.server.args", s.Spec.Server.Args}} {
		for i, arg := range list.args {
			if name, found := flagName(arg); found && name == flag && !strings.HasPrefix(arg, "--no-") && !strings.HasSuffix(strings.ToLower(arg), "=false") {
				return []schema.Problem{s.Problem(schema.Error, finding.Indexed(list.path, i), "--%s %s", flag, strings.Replace(why, "%s", r.RoleName, 1))}
			}
		}
	}
	return nil
}

// noImages warns of a limit of no images.
func (s stack) noImages(r schema.Workload) []schema.Problem {
	if limit, said := s.VLLMOf(r.Role).LimitMmPerPrompt["image"]; said && limit == 0 {
		return []schema.Problem{s.Problem(schema.Warning, s.settingPath(r, "limitMmPerPrompt")+".image", "is 0: vLLM refuses images, which requests bring to %s servers where there are encode servers", r.RoleName)}
	}
	return nil
}
