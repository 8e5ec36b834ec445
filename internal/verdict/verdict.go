// Package verdict is what inferstack asks of inferstack-policy, and what it answers.
package verdict

import "encoding/json"

// A Request is stacks, and the policies that judge them.
type Request struct {
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
	// Names are to be fields of a stack; one may be there more than once.
	Names []Name `json:"names"`
}
