package base

import (
	"github.com/inferstack/inferstack/schema"
)

// A Server is the model servers of one role: those that decode, or those that prefill.
type Server struct {
	*Stack
	Role string
	// Own is the role's section of the spec; Spec.Server is what both share.
	Own *schema.Role
}

// Servers lists the roles that the stack has, decode first.
func (s *Stack) Servers() []Server {
	out := []Server{s.Decode()}
	if s.Disaggregated() {
		out = append(out, Server{Stack: s, Role: ComponentPrefill, Own: s.Spec.Prefill})
	}
	return out
}

// Decode is the role that every stack has.
func (s *Stack) Decode() Server {
	return Server{Stack: s, Role: ComponentDecode, Own: &s.Spec.Decode}
}

// Grouped reports whether one server of the role is a group of pods.
func (s Server) Grouped() bool { return s.Own.Parallelism.Nodes > 1 }
