// Package eppconfig judges an EndpointPickerConfig as the EPP reads it: what ends the EPP at
// its start is an error, what it takes and does not do is a warning. It knows a version's
// fields, plugins and defaults from the release catalogue, and nothing of Kubernetes objects.
package eppconfig
