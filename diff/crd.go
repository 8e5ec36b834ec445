package diff

import (
	"maps"
	"slices"
	"strings"
)

// ownGroups are the API groups of Kubernetes that look like those of custom resources (Kubernetes 1.36
// API reference).
var ownGroups = []string{
	"admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io", "authorization.k8s.io",
	"certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io", "flowcontrol.apiserver.k8s.io",
	"internal.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io", "rbac.authorization.k8s.io", "resource.k8s.io",
	"scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
}

// custom reports whether a kind is that of custom resources.
func custom(id ID) bool {
	return strings.Contains(id.Group, ".") && !slices.Contains(ownGroups, id.Group)
}

// customKinds are those that were there before, or whose definition comes too.
func customKinds(old, now map[ID]Object) map[string]bool {
	known := map[string]bool{}
	for id := range old {
		known[kindOf(id)] = true
	}
	for id, o := range now {
		if id.Kind == "CustomResourceDefinition" {
			spec := mapping(o["spec"])
			known[kindOf(ID{Group: str(spec["group"]), Kind: str(mapping(spec["names"])["kind"])})] = true
		}
	}
	return known
}

// Definitions are the kinds, with their groups, whose CustomResourceDefinitions have to be in the
// cluster before the differences are applied.
func Definitions(all []Difference) []string {
	kinds := map[string]bool{}
	for _, d := range all {
		if d.NeedsCRD {
			kinds[kindOf(d.ID)] = true
		}
	}
	return slices.Sorted(maps.Keys(kinds))
}
