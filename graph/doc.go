// Package graph draws the references between Kubernetes objects that package wiring
// finds: as SVG, as Mermaid, as DOT and as a page that shows each object's YAML. What is
// on the way of a request stands in lanes from the client to the model servers; what
// belongs to it is folded into it. It knows kinds, not an InferenceStack, and touches no
// file, no network and no clock: the same objects give the same bytes.
package graph
