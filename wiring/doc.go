// Package wiring follows the references between Kubernetes objects, whoever wrote them:
// selectors to pods, port names to ports, routes to gateways and pools, pools to their
// endpoint picker, the picker's arguments and configuration to the model servers. It
// finds what dangles and what two objects must agree on and do not. It reads objects as
// YAML and knows nothing of an InferenceStack; of llm-d it knows the release lines of
// package release. It touches no file, no cluster and no clock.
package wiring
