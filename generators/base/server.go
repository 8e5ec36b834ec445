package base

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/schema"
)

// A Server is the model servers of one role: those that decode, prefill or encode.
type Server struct {
	*Stack
	Role string
	// Own is the role's section of the spec; Spec.Server is what both share.
	Own *schema.Role
	// Variant is the one of the role's that these are, or nil.
	Variant *schema.Variant
}

// Servers lists the workloads of the roles that the stack has, decode first. A role with
// variants has one for each.
func (s *Stack) Servers() (out []Server) {
	for _, w := range s.Workloads() {
		out = append(out, Server{Stack: s, Role: w.RoleName, Own: w.Role, Variant: w.Variant})
	}
	return out
}

// Roles lists the roles that the stack has, decode first.
func (s *Stack) Roles() []Server {
	var out []Server
	for _, r := range s.Stack.Roles() {
		out = append(out, Server{Stack: s, Role: r.RoleName, Own: r.Role})
	}
	return out
}

// Decode is the first workload of the role that every stack has.
func (s *Stack) Decode() Server { return s.Servers()[0] }

// Part is the end of the names of the objects of the role, or of its variant.
func (s Server) Part() string {
	if s.Variant != nil {
		return s.Role + "-" + s.Variant.Name
	}
	return s.Role
}

// OwnSelector returns the labels that tell the pods of the workload from all others: those of a
// workload that was there before the stack, or the stack's own.
func (s Server) OwnSelector() map[string]string {
	if len(s.Own.Selector) > 0 {
		return maps.Clone(s.Own.Selector)
	}
	return s.ownLabels()
}

// RoleSelector returns the labels that tell the pods of the role from all others.
func (s Server) RoleSelector() map[string]string {
	if len(s.Own.Selector) > 0 {
		return maps.Clone(s.Own.Selector)
	}
	return s.Selector(s.Role)
}

// Adopted reports whether the servers of a role are pods of a workload that was there before the
// stack: what selects servers goes by the pool's labels then.
func (s *Stack) Adopted() bool {
	return slices.ContainsFunc(s.Roles(), func(r Server) bool { return len(r.Own.Selector) > 0 })
}

// ownLabels are the labels of the workload and of what belongs to it alone.
func (s Server) ownLabels() map[string]string {
	labels := s.Selector(s.Role)
	if s.Variant != nil {
		labels[schema.VariantLabel] = s.Variant.Name
	}
	return labels
}

// OwnMeta returns the metadata of an object of the workload alone.
func (s Server) OwnMeta(name string) metav1.ObjectMeta {
	meta := s.Meta(s.Role, name)
	meta.Labels = Joined(meta.Labels, s.ownLabels())
	return meta
}

// Grouped reports whether one server of the role is a group of pods.
func (s Server) Grouped() bool { return s.Own.Parallelism.Nodes > 1 }
