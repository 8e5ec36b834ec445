package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// variantsFit checks the variants of each role against each other.
func variantsFit(s stack) []schema.Problem {
	var out []schema.Problem
	for _, r := range s.Roles() {
		if len(r.Variants) == 0 {
			continue
		}
		out = append(out, s.variantNames(r.Role, r.Path+".variants")...)
		out = append(out, s.variantScaling(r.Role, r.Path)...)
		if !s.Spec.Server.Create {
			out = append(out, s.Problem(schema.Error, r.Path+".variants", "cannot be made with %s: false", schema.Path("spec.server.create")))
		}
	}
	out = append(out, s.sharedImages()...)
	return append(out, s.variantModels()...)
}

// variantNames refuses two variants of one name, and so two workloads.
func (s stack) variantNames(r *schema.Role, at string) (out []schema.Problem) {
	seen := map[string]int{}
	for i, v := range r.Variants {
		if first, again := seen[v.Name]; again {
			out = append(out, s.Problem(schema.Error, finding.Indexed(at, i)+".name", "%q is the name of variant %d too; each has a workload of its own", v.Name, first))
		} else {
			seen[v.Name] = i
		}
	}
	return out
}

// variantScaling warns of several variants that scale by what the whole stack is asked: each
// would become as large as all of them should be.
func (s stack) variantScaling(r *schema.Role, at string) []schema.Problem {
	var scaled []int
	for i := range r.Variants {
		if a := cmp.Or(r.Variants[i].Autoscaling, r.Autoscaling); a != nil && (a.TargetRunningRequests != nil || a.TargetQueueSize != nil) {
			scaled = append(scaled, i)
		}
	}
	if len(scaled) < 2 {
		return nil
	}
	return []schema.Problem{s.Problem(schema.Warning, finding.Indexed(at+".variants", scaled[1])+".autoscaling", "counts the requests of the whole stack, as that of variant %d does: both grow for all of them. Scale one variant by them, and the others by metrics of their own pods or by hand", scaled[0])}
}

// variantModels refuses servers that are asked for one model and serve another: the EPP picks
// any of them for it.
func (s stack) variantModels() (out []schema.Problem) {
	if s.Spec.Server.Launch != "custom" {
		return nil // the name is generated
	}
	for _, r := range s.Workloads() {
		name := s.argumentsOf(r.Role)["served-model-name"]
		if r.Variant != nil && name != "" && !slices.Contains(s.Spec.Model.Served(), name) {
			out = append(out, s.Problem(schema.Error, r.Path+".args", "serve %q, and the pool is asked for %s: all variants must serve it", name, strings.Join(s.Spec.Model.Served(), ", ")))
		}
	}
	return out
}

// sharedImages warns of one image for accelerators of several vendors: each has a build of its
// own, which the release line picks where no image is written.
func (s stack) sharedImages() (out []schema.Problem) {
	if s.Simulated() || !s.Spec.Server.Create {
		return nil
	}
	first := map[string]schema.Workload{}
	for _, r := range s.Workloads() {
		image := cmp.Or(r.Image, s.Spec.Server.Image)
		if _, again := first[image]; !again {
			first[image] = r
		}
		other := first[image]
		if own, theirs := s.AcceleratorOf(r.Role).Type, s.AcceleratorOf(other.Role).Type; image != "" && own != theirs {
			out = append(out, s.Problem(schema.Warning, s.acceleratorPath(r)+".type", "is %s, and %s is the image of %s too, which is on %s: an image is built for one vendor; write one for each", own, image, schema.Path(other.Path), theirs))
		}
	}
	return out
}
