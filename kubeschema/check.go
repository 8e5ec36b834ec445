package kubeschema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Problem is something in an object that its kind does not allow.
type Problem struct {
	// Path of the field, such as spec.targetPorts[0].number.
	Path string
	// Node is the value, or for a field that is missing what should have it.
	Node    *yaml.Node
	Message string
	// Unknown is the name of a field that does not exist, Known are those that do.
	Unknown string
	Known   []string
	// Missing is the name of a required field.
	Missing string
}

// Check returns what is wrong with an object. Values for which skip reports true are taken
// to be right: something fills them in later.
func Check(object *yaml.Node, s *Schema, skip func(text string) bool) []Problem {
	c := &checker{skip: skip}
	c.value("", object, s)
	return c.problems
}

type checker struct {
	skip     func(string) bool
	problems []Problem
}

func (c *checker) add(path string, n *yaml.Node, format string, args ...any) {
	c.problems = append(c.problems, Problem{Path: path, Node: n, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) value(path string, n *yaml.Node, s *Schema) {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || s == nil || n.Tag == "!!null" || n.Kind == yaml.ScalarNode && c.skip(n.Value) {
		return
	}
	if kind := kindOf(n); !s.takes(kind) {
		c.add(path, n, "must be %s (got %s)", article(s.named()), got(n, kind))
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		c.fields(path, n, s)
	case yaml.SequenceNode:
		c.items(path, n, s)
	case yaml.ScalarNode:
		c.scalar(path, n, s)
	}
}

func (c *checker) fields(path string, n *yaml.Node, s *Schema) {
	have := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := join(path, key.Value)
		have[key.Value] = value.Tag != "!!null"
		switch field, known := s.Properties.Find(key.Value); {
		case known:
			c.value(at, value, field)
		case s.Values != nil:
			c.value(at, value, s.Values)
		case !s.Open && key.Value != "<<" && s.Properties != nil:
			c.problems = append(c.problems, Problem{Path: at, Node: key, Message: "unknown field", Unknown: key.Value, Known: s.Properties.Keys()})
		}
	}
	for _, name := range s.Required {
		if !have[name] {
			c.problems = append(c.problems, Problem{Path: join(path, name), Node: n, Message: "is required", Missing: name})
		}
	}
}

func (c *checker) items(path string, n *yaml.Node, s *Schema) {
	if count := int64(len(n.Content)); s.MaxItems != nil && count > *s.MaxItems {
		c.add(path, n, "must have at most %d items (got %d)", *s.MaxItems, count)
	} else if s.MinItems != nil && count < *s.MinItems {
		c.add(path, n, "must have at least %d items (got %d)", *s.MinItems, count)
	}
	for i, item := range n.Content {
		c.value(fmt.Sprintf("%s[%d]", path, i), item, s.Items)
	}
}

func (c *checker) scalar(path string, n *yaml.Node, s *Schema) {
	number, err := strconv.ParseFloat(n.Value, 64)
	switch length := int64(len([]rune(n.Value))); {
	case err == nil && s.Type == "integer" && number != math.Trunc(number):
		c.add(path, n, "must be a whole number (got %s)", n.Value)
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, n.Value):
		c.add(path, n, "must be one of %s (got %s)", strings.Join(s.Enum, ", "), n.Value)
	case err == nil && s.Type != "string" && s.Minimum != nil && number < *s.Minimum:
		c.add(path, n, "must be at least %v (got %s)", *s.Minimum, n.Value)
	case err == nil && s.Type != "string" && s.Maximum != nil && number > *s.Maximum:
		c.add(path, n, "must be at most %v (got %s)", *s.Maximum, n.Value)
	case s.MinLength != nil && length < *s.MinLength:
		c.add(path, n, "must have at least %d characters", *s.MinLength)
	case s.MaxLength != nil && length > *s.MaxLength:
		c.add(path, n, "must have at most %d characters (got %d)", *s.MaxLength, length)
	}
}

// boolean11 reports whether a text is a boolean of YAML 1.1, which kubectl reads.
func boolean11(text string) bool {
	switch text {
	case "y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO",
		"true", "True", "TRUE", "false", "False", "FALSE", "on", "On", "ON", "off", "Off", "OFF":
		return true
	}
	return false
}

// kindOf is the JSON type that kubectl makes of a value.
func kindOf(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "object"
	case n.Kind == yaml.SequenceNode:
		return "array"
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 || n.Style&yaml.TaggedStyle != 0:
		return "string"
	case boolean11(n.Value):
		return "boolean"
	case n.Tag == "!!int":
		return "integer"
	case n.Tag == "!!float":
		return "number"
	default:
		return "string"
	}
}

func (s *Schema) takes(kind string) bool {
	switch {
	case s.Type == "" && !s.IntOrString || s.Type == kind:
		return true
	case s.IntOrString:
		return kind == "integer" || kind == "string"
	case s.Type == "number":
		return kind == "integer"
	case s.Type == "integer":
		return kind == "number" // 1e3 and 1.0 are whole numbers; what is not is rare
	default:
		return false
	}
}

// named is the type as a finding says it.
func (s *Schema) named() string {
	switch {
	case s.IntOrString:
		return "number or string"
	case s.Type == "array":
		return "list"
	case s.Type == "object":
		return "mapping"
	case s.Type == "integer":
		return "whole number"
	default:
		return s.Type
	}
}

func article(noun string) string { return "a " + noun }

func got(n *yaml.Node, kind string) string {
	switch kind {
	case "object":
		return "a mapping"
	case "array":
		return "a list"
	case "string":
		return fmt.Sprintf("the string %q", n.Value)
	case "boolean":
		return "the boolean " + n.Value
	default:
		return n.Value
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
