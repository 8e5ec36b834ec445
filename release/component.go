package release

import (
	"path"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/sorted"
)

// Component is something that a stack runs from an image of its own, or that a gateway
// runs on: the names of its images, the versions that are known, and what changed from
// one to the next. Versions are written as major.minor.
type Component struct {
	Name string `json:"-"`
	// Kind is what it does in a stack, such as endpoint-picker.
	Kind string `json:"kind"`
	// Images are the names under which it was published.
	Images []Image `json:"images"`
	// Versions that are known, oldest first.
	Versions []string `json:"versions"`
	// Base is the component that its code is built on.
	Base *Base `json:"base,omitempty"`
	// AllFlagsSince is the version from which on Flags has every flag; empty where it has
	// only those that changed.
	AllFlagsSince string          `json:"allFlagsSince,omitempty"`
	Flags         []ComponentFlag `json:"flags,omitempty"`
	Watches       []Watch         `json:"watches,omitempty"`
	// Dialects of the EPP's configuration that the versions read.
	Dialects sorted.Map[string] `json:"dialects,omitempty"`
	Values   []Value            `json:"values,omitempty"`
	Fixes    []Fix              `json:"fixes,omitempty"`
	// Lines are the release lines that have the component, by its version. They are found when the catalogue
	// is compiled.
	Lines sorted.Map[string] `json:"-"`
}

// Span is the versions from Since on, before Until. Either may be empty.
type Span struct {
	Since string `json:"since,omitempty"`
	Until string `json:"until,omitempty"`
}

// Holds reports whether the version is in the span.
func (s Span) Holds(version string) bool {
	return (s.Since == "" || compareVersions(version, s.Since) >= 0) && (s.Until == "" || compareVersions(version, s.Until) < 0)
}

// Image is a name under which a component was published.
type Image struct {
	// Path without the registry, such as llm-d/llm-d-inference-sim.
	Path string `json:"path"`
	Span
}

// Base says which version of another component each version is built on.
type Base struct {
	Component string             `json:"component"`
	Versions  sorted.Map[string] `json:"versions"`
}

// ComponentFlag is a flag of a command line and the versions that have it.
type ComponentFlag struct {
	Name string `json:"name"`
	Span
	// Boolean flags take a value only after =.
	Boolean bool `json:"boolean,omitempty"`
	// Switch flags take no value; --no-<name> is their opposite.
	Switch bool `json:"switch,omitempty"`
	// Type of the value: integer, tokens, number, duration or json; text where it is empty.
	Type string `json:"type,omitempty"`
	// Min and Max bound a number, and both are allowed.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
	// OneOf lists the values, where they are a choice.
	OneOf []string `json:"oneOf,omitempty"`
	// Was is the flag's name before it, Instead the one after it.
	Was     string `json:"was,omitempty"`
	Instead string `json:"instead,omitempty"`
	// Advice is what to do where neither name says it.
	Advice string `json:"advice,omitempty"`
}

// Watch is a resource that the component lists and watches.
type Watch struct {
	Group    string `json:"group,omitempty"`
	Resource string `json:"resource"`
	// OfPool stands for the group of the pool that the component is told to watch.
	OfPool bool `json:"ofPool,omitempty"`
	Span
}

// Value is a fact of some versions, such as a default.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Span
}

// Fix is something that patch versions brought.
type Fix struct {
	Name string `json:"name"`
	// In are the first versions with it, one for each minor version that got it later than
	// its first release; versions after the last of them have it.
	In []string `json:"in"`
}

// Components lists what the catalogue knows, by name.
func Components() []*Component { return components }

// ComponentNamed returns the component of that name, or nil.
func ComponentNamed(name string) *Component {
	return lists.First(components, func(c *Component) bool { return c.Name == name })
}

// Runs reports whether an image is one of a component of the kind, also when a mirror or a
// build of somebody's own has put more into its name.
func Runs(image, kind string) bool {
	for _, c := range components {
		if c.Kind == kind && slices.ContainsFunc(c.Images, func(i Image) bool { return strings.Contains(image, i.stem()) }) {
			return true
		}
	}
	return false
}

// stem is what a mirror keeps of the path: the name, with its folder where that is a
// project's and not llm-d's.
func (i Image) stem() string {
	if folder, name := path.Split(i.Path); folder == "llm-d/" {
		return name
	}
	return i.Path + ":"
}

// Since is the first version with a value.
func (c *Component) Since(value string) string {
	return lists.First(c.Values, func(v Value) bool { return v.Name == value }).Since
}

// Ends is the first version without a value any more.
func (c *Component) Ends(value string) string {
	return lists.First(c.Values, func(v Value) bool { return v.Name == value }).Until
}

// FixedIn lists the versions that brought a fix.
func (c *Component) FixedIn(fix string) []string {
	return lists.First(c.Fixes, func(f Fix) bool { return f.Name == fix }).In
}

// CurrentImage is the path under which the component is published at a version.
func (c *Component) CurrentImage(version string) string {
	return lists.First(c.Images, func(i Image) bool { return i.Holds(version) }).Path
}
