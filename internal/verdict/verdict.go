// Package verdict is what inferstack asks of inferstack-policy, and what it answers.
package verdict

import "encoding/json"

// A Request is a stack and the policies that judge it.
type Request struct {
	Policies []Policy        `json:"policies"`
	Stack    json.RawMessage `json:"stack"` // complete, with facts
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
	// Absent says that the stack has no such field.
	Absent bool `json:"absent,omitempty"`
}

// An Answer is the violations, in the order of the policies, or what is wrong with those.
type Answer struct {
	Violations []Violation `json:"violations"`
	Invalid    []string    `json:"invalid"`
}
