package document

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
)

// Takes reports whether a text may be the value of the field at a path of sections, such as
// spec.server.vllm.dtype. It panics where no stack has the field.
func Takes(path, text string) bool {
	t := root
	for name := range strings.SplitSeq(path, ".") {
		t = fieldType(t, name)
	}
	w := &walker{}
	return w.value(t, &place{node: &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: text}})
}

func fieldType(t *model.Type, name string) *model.Type {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return t.Fields[i].Type
		}
	}
	panic("schema: no field " + name)
}
