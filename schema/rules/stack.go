package rules

import (
	"strings"

	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// A stack is what rules judge, with what they share in asking it.
type stack struct{ *schema.Stack }

// precisePrefix reports whether the EPP follows the servers' KV-cache events.
func (s stack) precisePrefix() bool {
	return s.Spec.Scheduler.Enabled && s.Preset() == "precise-prefix"
}

// rankPorts is RankPorts on the stack's release line.
func (s stack) rankPorts(r *schema.Role) int32 { return s.RankPorts(r, s.line()) }

// resourcesOf are the resources in force for the servers, nil without any, and where they are written.
func (s stack) resourcesOf(r schema.Workload) (list *schema.Resources, at string) {
	at = "spec.server.resources"
	if r.Resources != nil {
		at = r.Path + ".resources"
	}
	return s.ResourcesOf(r.Role), at
}

// inherited is where the role of a variant is written, or where the workload itself is.
func inherited(r schema.Workload) string {
	role, _, _ := strings.Cut(r.Path, ".variants[")
	return role
}

// mostReplicas are the servers that the workload can grow to.
func mostReplicas(r schema.Workload) int32 {
	if r.Autoscaling != nil {
		return r.Autoscaling.Max
	}
	return r.Replicas
}

// decodes returns the workloads of decode servers.
func (s stack) decodes() []schema.Workload { return s.WorkloadsOf(schema.RoleDecode) }

// prefills returns the workloads of prefill servers.
func (s stack) prefills() []schema.Workload { return s.WorkloadsOf(schema.RolePrefill) }

// encodes returns the workloads of encode servers.
func (s stack) encodes() []schema.Workload { return s.WorkloadsOf(schema.RoleEncode) }

// line returns the release line that the stack names, or nil when there is none of that
// name, which releaseLine says.
func (s stack) line() *release.Line {
	line, err := release.Load(s.Spec.Release)
	if err != nil {
		return nil
	}
	return line
}
