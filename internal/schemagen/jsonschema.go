package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/inferstack/inferstack/internal/model"
)

// A node is a part of a JSON schema.
type node = map[string]any

// jsonSchema writes a JSON Schema (draft 2020-12) for editors, as
// yaml-language-server reads it.
func jsonSchema(m *schemaModel) ([]byte, error) {
	w := jsonWriter{&upstreamDefs{node{}}}
	s := w.structure(m.Root)
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["$id"] = "https://inferstack.dev/schemas/inferencestack.schema.json"
	s["title"] = rootName
	defs := w.upstream.defs
	for _, t := range m.Types {
		if t != m.Root {
			defs[t.Name] = w.typ(t)
		}
	}
	s["$defs"] = defs
	data, err := json.MarshalIndent(s, "", "  ")
	return append(data, '\n'), err
}

// A jsonWriter collects the Kubernetes types that the schema uses.
type jsonWriter struct{ upstream *upstreamDefs }

// ref points to a named type, or spells out one without a name.
func (w jsonWriter) ref(t *model.Type, named bool) node {
	if named {
		return node{"$ref": "#/$defs/" + t.Name}
	}
	return w.typ(t)
}

func (w jsonWriter) typ(t *model.Type) (s node) {
	switch t.Kind {
	case model.Any:
		return node{}
	case model.Scalar:
		s = jsonScalar(t)
	case model.Struct:
		return w.structure(t)
	case model.Map:
		s = node{"type": "object", "additionalProperties": w.field(t.Elem), "propertyNames": w.field(t.Key)}
	case model.List:
		s = node{"type": "array", "items": w.field(t.Elem)}
		limits(s, t)
	case model.Upstream:
		s = w.upstream.use(t)
	default:
		s = node{"type": "object"}
	}
	if t.Doc != "" {
		s["description"] = oneLine(t.Doc)
	}
	if t.Kind == model.Upstream {
		s["description"] = "Kubernetes " + upstreamWords(t)
	}
	return s
}

// field is the schema of a type where it is used.
func (w jsonWriter) field(t *model.Type) node { return w.ref(t, t.Name != "" && !inline(t)) }

// inline reports whether a struct was written inside another one.
func inline(t *model.Type) bool { return t.Kind == model.Struct && t.Doc == "" }

func limits(s node, t *model.Type) {
	if t.MinItems > 0 {
		s["minItems"] = t.MinItems
	}
	if t.MaxItems > 0 {
		s["maxItems"] = t.MaxItems
	}
}

func (w jsonWriter) structure(t *model.Type) node {
	props := node{}
	var required []string
	for i := range t.Fields {
		f := &t.Fields[i]
		p := w.field(f.Type)
		if f.Doc != "" {
			p["description"] = oneLine(f.Doc)
		}
		if f.Default != nil {
			p["default"] = f.Default
		}
		props[f.Name] = p
		if f.Required {
			required = append(required, f.Name)
		}
	}
	s := node{"type": "object", "properties": props, "additionalProperties": false}
	if required != nil {
		s["required"] = required
	}
	if t.Doc != "" {
		s["description"] = oneLine(t.Doc)
	}
	return s
}

func jsonScalar(t *model.Type) node {
	var any []node
	for i := range t.Alts {
		any = append(any, jsonAlt(&t.Alts[i]))
	}
	if len(any) == 1 {
		return any[0]
	}
	return node{"anyOf": any}
}

// quantityPattern is that of a quantity in the CRDs of Kubernetes projects.
const quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

// formats are formats of package document as patterns, for editors: what they mark is wrong, and
// what they do not mark may be.
var formats = map[string]string{
	"quantity":      quantityPattern,
	"duration":      `^([0-9]{1,5}(h|m|s|ms)){1,4}$`,
	"dns-label":     `^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`,
	"dns-subdomain": `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
}

func jsonAlt(a *model.Alt) node {
	s := node{}
	if len(a.Values) > 0 {
		s["enum"] = a.Values
	} else {
		s["type"] = jsonTypes(a.Basic)
	}
	constraints(s, a)
	if expr := formats[a.Format]; expr != "" && len(a.Patterns) == 0 {
		s["pattern"] = expr
	}
	if a.Min.Set {
		s[map[bool]string{false: "minimum", true: "exclusiveMinimum"}[a.Min.Open]] = a.Min.At
	}
	if a.Max.Set {
		s[map[bool]string{false: "maximum", true: "exclusiveMaximum"}[a.Max.Open]] = a.Max.At
	}
	return s
}

// constraints are those that JSON Schema and OpenAPI 3.0 spell alike.
func constraints(s node, a *model.Alt) {
	var all []node
	for i, p := range a.Patterns {
		switch {
		case p.Negate:
			all = append(all, node{"not": node{"pattern": p.Expr}})
		case i == 0:
			s["pattern"] = p.Expr
		default:
			all = append(all, node{"pattern": p.Expr})
		}
	}
	if len(a.Not) > 0 {
		all = append(all, node{"not": node{"enum": a.Not}})
	}
	if all != nil {
		s["allOf"] = all
	}
	if a.MinRunes > 0 {
		s["minLength"] = a.MinRunes
	}
	if a.MaxRunes > 0 {
		s["maxLength"] = a.MaxRunes
	}
}

func jsonTypes(b model.Basic) any {
	var names []string
	if b&model.String != 0 {
		names = append(names, "string")
	}
	switch {
	case b&model.Number != 0:
		names = append(names, "number")
	case b&model.Int != 0:
		names = append(names, "integer")
	}
	if b&model.Bool != 0 {
		names = append(names, "boolean")
	}
	if len(names) == 1 {
		return names[0]
	}
	return names
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// upstreamWords is a Kubernetes type as people say it: EnvVar (core/v1).
func upstreamWords(t *model.Type) string {
	i := strings.LastIndex(t.GoType, ".")
	return fmt.Sprintf("%s (%s)", t.GoType[i+1:], t.GoType[:i])
}
