package kustomization

import (
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"

	"github.com/inferstack/inferstack/internal/blockyaml"
)

// asYAML is resmap.ResMap.AsYaml, which writes and reads each object four times until its keys are sorted:
// a third of the time of a build.
func asYAML(made resmap.ResMap) ([]byte, error) {
	var out []byte
	for i, res := range made.Resources() {
		if i > 0 {
			out = append(out, "---\n"...)
		}
		text, err := appendYAML(out, res)
		if err != nil {
			return made.AsYaml() // whose error names the object
		}
		out = text
	}
	return out, nil
}

// appendYAML appends what resource.Resource.AsYAML returns. It leaves an object with something rare in it to that.
func appendYAML(out []byte, res *resource.Resource) ([]byte, error) {
	if text, ok := blockyaml.AppendSorted(out, res.YNode()); ok {
		return text, nil
	}
	text, err := res.AsYAML()
	return append(out, text...), err
}
