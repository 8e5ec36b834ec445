// Package schema is the contract: what an InferenceStack may say, and what it means
// when something is left out.
//
// The CUE files are the only definition of fields, bounds and defaults. They are
// compiled ahead of time (make generate) into the Go types here and the model in
// schema/document. Beside the types are the predicates: what follows from several fields,
// asked alike by rules, generators, wiring and convert. Each has one home, here.
//
// Imports go one way: schema, then schema/document, which reads documents and walks them
// along the model, then schema/rules, whose Parse is the entrance.
package schema
