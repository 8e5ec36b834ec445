// Package verdict is what inferstack asks of inferstack-policy, and what it answers.
package verdict

import "encoding/json"

// A Request is stacks, and the policies that judge them; or a package to evaluate.
type Request struct {
	Package  *Package  `json:"package,omitempty"`
	Policies []Policy  `json:"policies"`
	Stacks   []Subject `json:"stacks"`
}

// A Subject is a stack.
type Subject struct {
	Stack json.RawMessage `json:"stack"` // complete, with facts
	// Policies are those that judge it, by their place in the request.
	Policies []int `json:"policies"`
}

// A Policy is a CUE file.
type Policy struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// A Package is CUE files that hold objects: one, and those beside it, of which those of the same package
// count.
type Package struct {
	Files []Policy `json:"files"`
	// Tags are name=value for fields with an attribute @tag(name).
	Tags []string `json:"tags,omitempty"`
}

// A Node is a value of an object, in the terms of YAML.
type Node struct {
	Key     string `json:"key,omitempty"` // in a mapping
	Tag     string `json:"tag"`           // such as !!str
	Value   string `json:"value,omitempty"`
	Content []Node `json:"content,omitempty"`
	// File is a place in the package, Line and Column are in that file.
	File   int `json:"file,omitempty"`
	Line   int `json:"line"`
	Column int `json:"column"`
}

// A Violation is what a policy does not allow.
type Violation struct {
	// Path of the field, such as spec.decode.replicas or facts.images[0]; empty for the stack.
	Path string `json:"path"`
	// Message is the policy's, or else CUE's.
	Message string `json:"message"`
	// File and Line are the policy's.
	File string `json:"file"`
	Line int    `json:"line"`
	// Absent are the names on the way to the field, where the stack has none.
	Absent []string `json:"absent,omitempty"`
}

// A Name is a field that a policy names, whether it must be there or not.
type Name struct {
	// Steps are the names on the way to it, without positions in lists.
	Steps []string `json:"steps"`
	// File, Line and Column are the policy's.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// An Answer is the violations of each stack, in the order of the stacks and of their policies, or what
// is wrong with a policy.
type Answer struct {
	Violations [][]Violation `json:"violations"`
	Invalid    []string      `json:"invalid"`
	Documents  []Node        `json:"documents,omitempty"` // of a package
	// Names are to be fields of a stack; one may be there more than once.
	Names []Name `json:"names"`
}
