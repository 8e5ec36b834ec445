package release

import (
	"slices"
	"sync"

	"github.com/inferstack/inferstack/internal/lazyjson"
)

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

var served = sync.OnceValue(func() map[string]Served {
	data, err := lines.ReadFile("compiled/served.json")
	var list []Served
	if err == nil {
		err = lazyjson.Unmarshal(data, &list)
	}
	if err != nil {
		panic(err) // the file is embedded, and compiled by releasegen
	}
	all := make(map[string]Served, len(list))
	for _, s := range list {
		all[s.APIVersion+" "+s.Kind] = s
	}
	return all
})

// ServedBy returns what is known of an API version of a kind.
func ServedBy(apiVersion, kind string) (Served, bool) {
	s, ok := served()[apiVersion+" "+kind]
	return s, ok
}

// AllServed lists what is known, in no order.
func AllServed() []Served {
	var all []Served
	for _, s := range served() {
		all = append(all, s)
	}
	return all
}

// Platforms lists the components that serve APIs, in order.
func Platforms() []string {
	var names []string
	for _, s := range served() {
		if s.Component != "" && !slices.Contains(names, s.Component) {
			names = append(names, s.Component)
		}
	}
	slices.Sort(names)
	return names
}
