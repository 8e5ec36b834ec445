// Package schema is the contract: what an InferenceStack may say, what it means
// when something is left out, and what is wrong with one, said by file, line and
// field.
//
// The CUE files are the only definition of fields, bounds and defaults. They are
// compiled ahead of time (make generate) into Go types and a model; at run time
// a walker checks a YAML tree against the model, so that every mistake of a file
// is reported at once and in the user's words. The package knows the fields of
// Kubernetes types that a spec may embed, and nothing of what is generated.
package schema
