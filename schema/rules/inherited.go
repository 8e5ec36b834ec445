package rules

import (
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// written moves a problem of a variant to where its cause is written: in the variant, or in
// the role from which it inherits.
func (s stack) written(p schema.Problem) schema.Problem {
	role, rest := &s.Spec.Decode, ""
	at := "spec.decode"
	for _, r := range s.Roles() {
		if finding.Within(p.Path, r.Path) {
			role, at = r.Role, r.Path
		}
	}
	variant, found := strings.CutPrefix(p.Path, at+".variants[")
	number, rest, deeper := strings.Cut(variant, "].")
	if !found || !deeper {
		return p
	}
	path := at + "." + rest
	field, tail, _ := strings.Cut(rest, "[")
	index, tail, _ := strings.Cut(tail, "]")
	i, err := strconv.Atoi(index)
	switch own, listed := appended(role)[field]; {
	case listed && err == nil && i >= own:
		path = finding.Indexed(at+".variants["+number+"]."+field, i-own) + tail
	case listed && err == nil: // one of the role's
	case s.Has(p.Path) || !s.Has(path):
		return p
	}
	moved := s.Problem(p.Severity, path, "%s", p.Message)
	moved.Rule = p.Rule
	return moved
}

// appended are the fields of which a variant's entries follow its role's.
func appended(r *schema.Role) map[string]int {
	return map[string]int{
		"args": len(r.Args), "env": len(r.Env), "envFrom": len(r.EnvFrom), "tolerations": len(r.Tolerations),
		"topologySpreadConstraints": len(r.TopologySpreadConstraints), "volumes": len(r.Volumes), "volumeMounts": len(r.VolumeMounts),
		"initContainers": len(r.InitContainers), "containers": len(r.Containers),
	}
}
