package helm

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
)

// extra keeps objects that a chart emits besides its own: mappings, or text that is one.
// Helm puts them into the release's namespace, if they do not say one.
func (r *release) extra(p *draft.Part, field string, objects []any) {
	for i, o := range objects {
		from := fmt.Sprintf("%s[%d]", field, i)
		if text, ok := o.(string); ok {
			o = nil
			if err := yaml.Unmarshal([]byte(text), &o); err != nil {
				p.On("", from).Fail("text that is not YAML once its templates are evaluated")
				continue
			}
		}
		m, _ := o.(map[string]any)
		kind, _ := m["kind"].(string)
		version, _ := m["apiVersion"].(string)
		metadata, _ := m["metadata"].(map[string]any)
		if name, _ := metadata["name"].(string); kind == "" || version == "" || name == "" {
			p.Lost(from, "what is not a Kubernetes object; apiVersion, kind and metadata.name are needed")
			continue
		}
		if ns := r.values.Namespace; ns != "" && metadata["namespace"] == nil && !draft.ClusterScoped(kind) {
			metadata["namespace"] = ns
		}
		r.keep(p, from, m)
	}
}

// keep adds an object once.
func (r *release) keep(p *draft.Part, from string, object map[string]any) {
	n := draft.Node(object)
	for _, have := range r.objects {
		switch {
		case draft.PrintNode(have) == draft.PrintNode(n):
			p.On("", from).Note("is there already, and printed once")
			return
		case identity(have) == identity(n):
			p.On("", from).Fail("%s is there already, and says something else", identity(n))
			return
		}
	}
	r.objects = append(r.objects, n)
}

// identity is what no two objects of an input can share.
func identity(n *yaml.Node) string {
	var o struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name, Namespace string }
	}
	_ = n.Decode(&o) // what is not text is not the same as any
	return strings.TrimPrefix(o.APIVersion+" ", "v1 ") + o.Kind + " " + strings.TrimPrefix(o.Metadata.Namespace+"/", "/") + o.Metadata.Name
}
