// Package kubeschema knows the fields of Kubernetes objects: those of custom resources from
// their CRDs, those of built-in kinds from their Go types. It finds fields that a kind does
// not have, required ones that are missing and values of another type, as an API server with
// strict field validation does; and by limits, which are asked for apart, values that do not match their
// pattern, repetitions in lists and CEL rules that do not hold.
package kubeschema

import "github.com/inferstack/inferstack/internal/sorted"

// Schema describes a value.
type Schema struct {
	// Type is object, array, string, integer, number or boolean; empty for any.
	Type string
	// Properties are the fields of an object.
	Properties sorted.Map[*Schema]
	Required   []string
	// Items describes what an array holds, Values what a mapping holds.
	Items  *Schema
	Values *Schema
	// Open objects may have any other field.
	Open bool
	// IntOrString values are either.
	IntOrString bool
	Enum        []string
	Minimum     *float64
	Maximum     *float64
	MinItems    *int64
	MaxItems    *int64
	MinLength   *int64
	MaxLength   *int64
}

// Of returns the schema of a kind, or nil when it is not known.
func Of(apiVersion, kind string) *Schema { return schemas.Get(apiVersion + " " + kind) }

// Kinds lists the API versions and kinds whose schemas are known, as in "apps/v1 Deployment", in order.
func Kinds() []string { return schemas.Keys() }
