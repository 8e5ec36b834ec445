// Package base is what the generators of all components share: the stack, its servers and
// gateways, the names and ports on which two objects must agree, metadata, and parts of
// pods.
package base

import (
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// Object is a typed Kubernetes object with its apiVersion and kind set.
type Object = manifest.Object

// Stack is what every generator is handed: the spec and the release line it names.
type Stack struct {
	*schema.Stack
	Line *release.Line
}
