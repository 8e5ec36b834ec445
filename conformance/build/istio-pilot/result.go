package main

import "encoding/json"

// Result is all that the control plane made of the manifests.
type Result struct {
	// Refused are the objects that Istio's admission webhook would have refused; pilot never saw them.
	Refused []Refusal `json:"refused"`
	// Ignored counts by kind the objects that pilot has no use for.
	Ignored map[string]int `json:"ignored"`
	Proxies []Proxy        `json:"proxies"`
	// Statuses are what pilot would write to the API server.
	Statuses []Status `json:"statuses"`
}

// Refusal is one object that Istio's own validation refused.
type Refusal struct {
	Object string `json:"object"`
	Error  string `json:"error"`
}

// Proxy is what one gateway's Envoy is sent.
type Proxy struct {
	Gateway   string            `json:"gateway"`
	Listeners []json.RawMessage `json:"listeners"`
	Routes    []json.RawMessage `json:"routes"`
	Clusters  []json.RawMessage `json:"clusters"`
	Endpoints []json.RawMessage `json:"endpoints"`
	// Invalid are the messages that Envoy would refuse (NACK), nested extension configurations included.
	Invalid []string `json:"invalid"`
}

// Status is the status of one object.
type Status struct {
	Kind      string          `json:"kind"`
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Status    json.RawMessage `json:"status"`
}
