// Package model is the compiled form of the CUE definitions in schema/: what a
// field may hold, what it holds when nobody wrote it, and what its parts are.
// internal/schemagen writes values of these types as Go source; the schema
// package walks YAML with them. It holds data only.
package model

// Kind is the shape of a value.
type Kind uint8

// The shapes a value can have.
const (
	Any      Kind = iota // anything at all
	Object               // a mapping with free keys and values
	Scalar               // a string, number or boolean
	Struct               // a mapping with known fields
	Map                  // a mapping with free keys and typed values
	List                 // a sequence
	Upstream             // a mapping whose fields are those of an upstream Go type
)

// Basic is a set of scalar types.
type Basic uint8

// The scalar types. Number holds the integers as well.
const (
	String Basic = 1 << iota
	Int
	Number
	Bool
)

// Type says what a value may be.
type Type struct {
	Kind Kind
	Name string // of the definition, without its '#'
	Doc  string

	Alts   []Alt   // of a Scalar: it matches when one of them does
	Fields []Field // of a Struct, in written order
	Key    *Type   // of a Map
	Elem   *Type   // of a Map or a List

	MinItems, MaxItems int // of a List; 0 is not a limit

	GoType string // Go type of the value where it is not the obvious one, as core/v1.EnvVar
}

// Field is one field of a struct.
type Field struct {
	Name     string
	GoName   string
	Doc      string
	Type     *Type
	Required bool
	Optional bool  // absent unless written
	From     *Type // the embedded definition it came with, nil for its own
	Default  any   // string, int64, float64, bool or []any; nil for none
}

// Alt is one alternative of a scalar: a value has one of the basic types and
// passes every constraint.
type Alt struct {
	Basic              Basic
	Values             []any // when there are some, the value is one of them
	Not                []any // values refused
	Patterns           []Pattern
	Min, Max           Bound
	MinRunes, MaxRunes int
	Format             string // a format of the schema package, as "quantity"
	Wide               bool   // an integer of 64 bits rather than 32
}

// Pattern is a regular expression on a string.
type Pattern struct {
	Expr   string
	Negate bool
	Msg    string // what it means, in words
}

// Bound is a limit of a number.
type Bound struct {
	Set  bool
	Open bool // the limit itself is out
	At   float64
}

// Lookup finds a field by its name.
func (t *Type) Lookup(name string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}

// Basics is the set of types that some alternative accepts.
func (t *Type) Basics() (b Basic) {
	for i := range t.Alts {
		b |= t.Alts[i].Basic
	}
	return b
}
