// Package krm reads what a KRM function is handed as YAML nodes, so that it is handed back with
// its comments and the order of its keys. It does what kyaml's RNode would: that package links
// an OpenAPI model and with it protobuf, by which the linker keeps the marshalling of all
// Kubernetes types, a fifth of the program.
package krm

import "go.yaml.in/yaml/v3"

// Where orchestrators note the file of an object and its place in there (kyaml v0.21
// kio/kioutil/kioutil.go).
const (
	PathAnnotation  = "internal.config.kubernetes.io/path"
	IndexAnnotation = "internal.config.kubernetes.io/index"
)

// An Object is a KRM object. Its node is a mapping.
type Object struct{ Node *yaml.Node }

// APIVersion is the object's apiVersion, or "".
func (o *Object) APIVersion() string { return Text(o.Node, "apiVersion") }

// Kind is the object's kind, or "".
func (o *Object) Kind() string { return Text(o.Node, "kind") }

// Name is the object's metadata.name, or "".
func (o *Object) Name() string { return Text(o.Node, "metadata", "name") }

// Namespace is the object's metadata.namespace, or "".
func (o *Object) Namespace() string { return Text(o.Node, "metadata", "namespace") }

// Annotation is the value of an annotation, or "".
func (o *Object) Annotation(name string) string { return Text(o.Node, "metadata", "annotations", name) }

// Label is the value of a label, or "".
func (o *Object) Label(name string) string { return Text(o.Node, "metadata", "labels", name) }

// Annotate sets an annotation. It makes what is missing above it.
func (o *Object) Annotate(name, value string) {
	n := o.Node
	for _, key := range []string{"metadata", "annotations"} {
		n = child(n, key)
	}
	text := Field(n, name)
	if text == nil {
		text = &yaml.Node{Kind: yaml.ScalarNode}
		n.Content = append(n.Content, Word(name), text)
	}
	text.Tag, text.Value = "!!str", value
	if text.Style == 0 {
		text.Style = yaml.SingleQuotedStyle // some tools take what is not quoted for a number or a boolean
	}
}

// Copy is the object with nodes of its own. What an alias stands for is shared.
func (o *Object) Copy() *Object { return &Object{clone(o.Node)} }

func clone(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = clone(child)
	}
	return &c
}

// child is the mapping at a key, which is made where nothing or null is.
func child(n *yaml.Node, key string) *yaml.Node {
	switch old := Field(n, key); {
	case old == nil:
		made := &yaml.Node{Kind: yaml.MappingNode}
		n.Content = append(n.Content, Word(key), made)
		return made
	case Null(old):
		*old = yaml.Node{Kind: yaml.MappingNode}
		return old
	default:
		return old
	}
}

// Field is the field of a mapping at the end of a path, or nil. Aliases are not followed.
func Field(n *yaml.Node, path ...string) *yaml.Node {
	for _, name := range path {
		n = field(n, name)
	}
	return n
}

func field(mapping *yaml.Node, name string) *yaml.Node {
	for key, value := range Fields(mapping) {
		if key == name {
			return value
		}
	}
	return nil
}

// Fields iterates over a mapping; anything else has none.
func Fields(n *yaml.Node) func(yield func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i].Value, n.Content[i+1]) {
				return
			}
		}
	}
}

// Text is the text of a scalar at the end of a path, or "" for null and for what is none.
func Text(n *yaml.Node, path ...string) string {
	if n = Field(n, path...); n == nil || n.Kind != yaml.ScalarNode || Null(n) {
		return ""
	}
	return n.Value
}

// Null reports whether a node is null.
func Null(n *yaml.Node) bool { return n.ShortTag() == "!!null" }

// Word is a node with a text.
func Word(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }
