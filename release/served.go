package release

import "slices"

// Served says which versions of a component serve an API version of a kind.
type Served struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Component that serves it, as --platform names it; empty for what nobody serves.
	Component string `json:"component,omitempty"`
	// Span is the versions that serve it. One that never did has an end and no beginning.
	Span
	// Instead is what to write.
	Instead string `json:"instead,omitempty"`
	// Leaving is what to write while it is served still.
	Leaving string `json:"leaving,omitempty"`
	// Fields are those that not every version of the component has.
	Fields []ServedField `json:"fields,omitempty"`
}

// A ServedField is a field that came or went while its API version was served.
type ServedField struct {
	// Path such as spec.slices.
	Path string `json:"path"`
	Span
}

// ServedBy returns what is known of an API version of a kind.
func ServedBy(apiVersion, kind string) (Served, bool) {
	for _, s := range served {
		if s.Kind == kind && s.APIVersion == apiVersion {
			return s, true
		}
	}
	return Served{}, false
}

// AllServed lists what is known. It is shared and must not be changed.
func AllServed() []Served { return served }

// Platforms lists the components that serve APIs, in order.
func Platforms() (names []string) {
	for _, s := range served {
		if s.Component != "" && !slices.Contains(names, s.Component) {
			names = append(names, s.Component)
		}
	}
	slices.Sort(names)
	return names
}
