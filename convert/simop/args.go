package simop

import (
	"github.com/inferstack/inferstack/convert/serving"
)

// arguments of the stages: the flags that a stack writes by itself go into their fields,
// the others stay with their role.
func (s *simulator) arguments() {
	decode, prefill := &s.spec.Decode, &s.spec.Prefill
	lines := []serving.RoleLine{{Role: "decode", From: "spec.decode.args", CommandLine: s.line("decode", decode.Args)}}
	if prefill.Enabled {
		lines = append(lines, serving.RoleLine{Role: "prefill", From: "spec.prefill.args", CommandLine: s.line("prefill", prefill.Args)})
	}
	l := serving.NewLift(s.Part, lines...)
	l.Field(serving.Setting{Flag: "port", To: "spec.server.port", Default: "8200", Old: []string{"spec.decode.port"}, Value: serving.Scalar})
	l.Field(serving.Setting{Flag: "model", To: "spec.model.name", Value: serving.Text})
	l.ServedNames()
	l.Ranks()
	l.SimulatorSettings("spec.decode.logVerbosity")
	l.Say()
	for _, line := range lines {
		if words := line.Words(); len(words) > 0 {
			s.Set("spec."+line.Role+".args", words, line.From)
		}
	}
}

// line is a stage's command line without --stage, by which the operator's samples tell the
// stages apart: llm-d-inference-sim has no such flag and ends at it.
func (s *simulator) line(role string, args []string) *serving.CommandLine {
	line := serving.ReadLine(args)
	if stage, ok := line.Take("stage"); ok {
		s.On("spec."+role, "spec."+role+".args").Dropped().Note("--stage %s: left out, since the simulator has no such flag and would end at it; the pods' label llm-d.ai/role says it", stage)
	}
	return line
}
