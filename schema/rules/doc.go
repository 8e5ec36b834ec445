// Package rules is the entrance: Parse turns a document into a stack that can be generated,
// or says all that is wrong with it.
//
// It lets schema/document walk the document and then asks the rules: what no single field
// can say, fields that need, exclude or contradict each other. A rule is a row of the table in
// rules.go, with an ID by which people silence it, and a function in the file of its subject.
// What a rule shares with generators is a predicate of package schema; a rule must not know
// YAML.
package rules
