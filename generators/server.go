package generators

import "github.com/inferstack/inferstack/schema"

// A server is the model servers of one role: those that decode, or those that prefill.
type server struct {
	*Stack
	role string
	// own is the role's section of the spec; Spec.Server is what both share.
	own *schema.Role
}

// servers lists the roles that the stack has, decode first.
func (s *Stack) servers() []server {
	out := []server{s.decode()}
	if s.disaggregated() {
		out = append(out, server{Stack: s, role: componentPrefill, own: s.Spec.Prefill})
	}
	return out
}

// decode is the role that every stack has.
func (s *Stack) decode() server {
	return server{Stack: s, role: componentDecode, own: &s.Spec.Decode}
}
