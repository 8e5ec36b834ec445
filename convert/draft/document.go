package draft

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// Decoded takes over what was wrong with a document as such, and reports whether it can
// be converted nevertheless.
func (d *Draft) Decoded(problems schema.Problems) bool {
	for i, p := range problems {
		if d.Lossy && p.Rule == document.RuleUnknown {
			problems[i].Severity = schema.Warning
		}
	}
	d.Problems = append(d.Problems, problems...)
	return len(problems.Errors()) == 0
}

// Metadata keeps the labels and annotations of the document on the stack, except those
// that tools write for themselves.
func (p *Part) Metadata() {
	p.Copy("metadata.labels", "metadata.labels")
	n := p.Doc.At("metadata.annotations")
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	kept := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !ToolAnnotation(n.Content[i].Value) {
			kept.Content = append(kept.Content, n.Content[i], n.Content[i+1])
		}
	}
	if len(kept.Content) > 0 {
		p.Set("metadata.annotations", kept, "metadata.annotations")
	}
}

// MoreMetadata adds the labels and annotations of a further document of the stack. Where
// another one says something else, its value is lost.
func (p *Part) MoreMetadata() {
	for _, field := range []string{"metadata.labels", "metadata.annotations"} {
		n := p.Doc.At(field)
		for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i].Value, n.Content[i+1]
			if ToolAnnotation(key) {
				continue
			}
			if p.Get(field) == nil {
				p.put(field, &yaml.Node{Kind: yaml.MappingNode})
			}
			switch have := child(p.Get(field), key); {
			case have == nil:
				replace(p.Get(field), key, clone(value))
			case have.Value != value.Value:
				p.Lost(field+"["+key+"]", "another document of the stack says %q", have.Value)
			}
		}
	}
}

// ToolAnnotation reports whether an annotation is one of a tool, and not of what runs. Those
// of kustomize (kustomize.config.k8s.io/id, kustomize api/internal/utils/annotations.go
// v0.21) and of kpt (internal.kpt.dev/upstream-identifier) tell documents apart: two of one
// stack never agree on them.
func ToolAnnotation(key string) bool {
	if key == "inferstack.dev/lossy" || key == "kubectl.kubernetes.io/last-applied-configuration" {
		return true
	}
	prefix, _, _ := strings.Cut(key, "/")
	return slices.ContainsFunc([]string{"config.kubernetes.io", "config.k8s.io", "internal.kpt.dev"}, func(domain string) bool {
		return prefix == domain || strings.HasSuffix(prefix, "."+domain)
	})
}
