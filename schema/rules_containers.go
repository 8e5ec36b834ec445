package schema

import "k8s.io/apimachinery/pkg/util/validation"

// addedComplete refuses added containers that the API server would not take: without a
// name or an image (kubernetes pkg/apis/core/validation). Nothing merges them with a
// container that has one; that is what a podTemplatePatch does.
func addedComplete(s *Stack) []Problem {
	var out []Problem
	for _, list := range s.addedContainers() {
		for i, c := range list.containers {
			at := indexed(list.path, i)
			if c.Image == "" {
				out = append(out, s.Problem(Error, at+".image", "required, but missing: a container is added as it stands; podTemplatePatch changes one that is there"))
			}
			if c.Name != "" && len(validation.IsDNS1123Label(c.Name)) > 0 { // a missing one is said as such
				out = append(out, s.Problem(Error, at+".name", "must be a name of small letters, digits and dashes (got %q)", c.Name))
			}
		}
	}
	return out
}
