package schema

import (
	"slices"
	"strings"
)

// variantsFit checks the variants of each role against each other.
func variantsFit(s *Stack) []Problem {
	var out []Problem
	for _, r := range []struct {
		role *Role
		at   string
	}{{&s.Spec.Decode, "spec.decode"}, {s.Spec.Prefill, "spec.prefill"}} {
		if r.role == nil || len(r.role.Variants) == 0 {
			continue
		}
		out = append(out, s.variantNames(r.role, r.at+".variants")...)
		out = append(out, s.variantScaling(r.role, r.at)...)
		if !s.Spec.Server.Create {
			out = append(out, s.Problem(Error, r.at+".variants", "cannot be made with %s: false", Path("spec.server.create")))
		}
	}
	return append(out, s.variantModels()...)
}

// variantNames refuses two variants of one name, and so two workloads.
func (s *Stack) variantNames(r *Role, at string) []Problem {
	var out []Problem
	seen := map[string]int{}
	for i, v := range r.Variants {
		if first, again := seen[v.Name]; again {
			out = append(out, s.Problem(Error, indexed(at, i)+".name", "%q is the name of variant %d too; each has a workload of its own", v.Name, first))
		} else {
			seen[v.Name] = i
		}
	}
	return out
}

// variantScaling warns of several variants that scale by what the whole stack is asked: each
// would become as large as all of them should be.
func (s *Stack) variantScaling(r *Role, at string) []Problem {
	var scaled []int
	for i := range r.Variants {
		if a := r.Variants[i].of(r).Autoscaling; a != nil && (a.TargetRunningRequests != nil || a.TargetQueueSize != nil) {
			scaled = append(scaled, i)
		}
	}
	if len(scaled) < 2 {
		return nil
	}
	return []Problem{s.Problem(Warning, indexed(at+".variants", scaled[1])+".autoscaling", "counts the requests of the whole stack, as that of variant %d does: both grow for all of them. Scale one variant by them, and the others by metrics of their own pods or by hand", scaled[0])}
}

// variantModels refuses servers that are asked for one model and serve another: the EPP picks
// any of them for it.
func (s *Stack) variantModels() []Problem {
	if s.Spec.Server.Launch != "custom" {
		return nil // the name is generated
	}
	var out []Problem
	for _, r := range s.sections() {
		name := s.argumentsOf(r.Role)["served-model-name"]
		if r.variant != nil && name != "" && !slices.Contains(s.Spec.Model.Served(), name) {
			out = append(out, s.Problem(Error, r.path+".args", "serve %q, and the pool is asked for %s: all variants must serve it", name, strings.Join(s.Spec.Model.Served(), ", ")))
		}
	}
	return out
}
