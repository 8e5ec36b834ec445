// Package document is the walk: it reads YAML files into documents and keeps the position
// of every value, so that what is wrong is said by file, line and field.
//
// Walk checks an InferenceStack along the compiled model: unknown fields, types, bounds and
// patterns. It collects every mistake of a document at once, in the user's words, and fills in
// the defaults. Decode does the same along a Go struct, for documents of other systems.
// Describe and Minimal read the same model.
//
// The package imports the contract, schema, and knows no rule between fields: those are in
// schema/rules, which is where stacks are parsed.
package document
