package release

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/imageref"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/pattern"
)

// Known is a version of a component, as far as the catalogue knows it: one that is not
// known is judged as the nearest that is.
type Known struct {
	*Component
	// Version of the image, with its patch version where it has one.
	Version string
	// Nearest is the version of the catalogue that it is judged as.
	Nearest string
	// line is the name of the release line that has that version, or "".
	line string
}

var versionTag = pattern.Lazy(`^v?(\d+\.\d+)(\.\d+)?`)

// OfImage returns what is known of an image with a version in its tag, or nil.
func OfImage(image string) *Known {
	name, tag := SplitImage(image)
	version := versionTag().FindString(tag)
	if version == "" {
		return nil
	}
	for _, c := range components {
		for _, i := range c.Images {
			if name == i.Path || strings.HasSuffix(name, "/"+i.Path) || strings.HasPrefix(i.Path, "llm-d/") && path.Base(name) == path.Base(i.Path) {
				return c.At(version)
			}
		}
	}
	return nil
}

// Named returns the newest version that was published under the name of an image, or the
// oldest version where none was.
func (c *Component) Named(image string) *Known {
	for _, i := range slices.Backward(c.Images) {
		for _, v := range slices.Backward(c.Versions) {
			if strings.Contains(image, path.Base(i.Path)) && i.Holds(v) {
				return c.At(v)
			}
		}
	}
	return c.At(c.Versions[0])
}

// SplitImage returns an image's name and its tag, "" without one; a digest is left out.
func SplitImage(image string) (name, tag string) {
	ref := imageref.Parse(image)
	return ref.Name(), ref.Tag
}

// At returns what is known of a version, such as v1.31 or 1.31.2.
func (c *Component) At(version string) *Known {
	m := versionTag().FindStringSubmatch(version)
	if m == nil {
		return nil
	}
	lines := c.lines()
	known := slices.AppendSeq(slices.Clone(c.Versions), maps.Keys(lines))
	slices.SortFunc(known, compareVersions)
	near := nearest(m[1], known)
	return &Known{c, strings.TrimPrefix(m[0], "v"), near, lines[near]}
}

// Newest returns what is known of the newest version.
func (c *Component) Newest() *Known { return c.At(c.Versions[len(c.Versions)-1]) }

// lines are the names of the release lines that have the component, by its version.
func (c *Component) lines() map[string]string {
	out := maps.Collect(c.Lines.All())
	for name, line := range added.Range {
		if version := c.VersionIn(line.(*Line)); version != "" {
			out[version] = name.(string)
		}
	}
	return out
}

// VersionIn is the version of the component that a release line has, or "".
func (c *Component) VersionIn(line *Line) string {
	image, tag := SplitImage(map[string]string{"endpoint-picker": line.Images.EPP, "sidecar": line.Images.Sidecar, "simulator": line.Images.Simulator}[c.Kind])
	m := versionTag().FindStringSubmatch(tag)
	if m == nil || !slices.ContainsFunc(c.Images, func(i Image) bool { return strings.HasSuffix(image, "/"+i.Path) }) {
		return ""
	}
	return m[1]
}

// refused is what the release line of this version says in place of a flag.
func (k *Known) refused(name string) (advice string, refused bool) {
	if k.line == "" {
		return "", false
	}
	line, err := Load(k.line)
	if err != nil {
		panic(err) // it is in the catalogue, or was added
	}
	if k.Kind == "sidecar" {
		advice, refused = line.Sidecar.RefusedFlags[name]
	} else {
		advice, refused = line.EPP.RefusedFlags[name]
	}
	return advice, refused
}

// nearest is the version itself, or the one before it, or the oldest.
func nearest(version string, known []string) string {
	near := known[0]
	for _, k := range known {
		if compareVersions(k, version) <= 0 {
			near = k
		}
	}
	return near
}

// Minor is the version without its patch.
func (k *Known) Minor() string {
	return versionTag().FindStringSubmatch(k.Version)[1]
}

// Note is empty for a version that is known, or says which one it is judged as.
func (k *Known) Note() string {
	if k.Minor() == k.Nearest {
		return ""
	}
	return fmt.Sprintf(" (judged as %s: %s is not known)", k.Nearest, k.Minor())
}

// base is the version of the component that this one is built on, or nil.
func (k *Known) base() *Known {
	if k.Component.Base == nil {
		return nil
	}
	on := k.Component.Base.Versions
	known := slices.SortedFunc(slices.Values(on.Keys()), compareVersions)
	if c := ComponentNamed(k.Component.Base.Component); c != nil && len(known) > 0 {
		return c.At(on.Get(nearest(k.Nearest, known)))
	}
	return nil
}

// Flag looks a flag up by its name: has reports whether this version takes it, known
// whether any version does or did.
func (k *Known) Flag(name string) (f ComponentFlag, has, known bool) {
	if advice, refused := k.refused(name); refused {
		return ComponentFlag{Name: name, Advice: advice}, false, true
	}
	for _, f := range k.Component.Flags {
		if f.Name == name {
			return f, f.Holds(k.Nearest), true
		}
	}
	if b := k.base(); b != nil {
		return b.Flag(name)
	}
	return ComponentFlag{}, false, false
}

// Takes reports whether this version has the flag. Of an image that is not known it does not.
func (k *Known) Takes(name string) bool {
	if k == nil {
		return false
	}
	_, has, _ := k.Flag(name)
	return has
}

// FlagNames lists the flags of this version. complete reports whether those are all.
func (k *Known) FlagNames() (names []string, complete bool) {
	for at := k; at != nil; at = at.base() {
		for _, f := range at.Component.Flags {
			if !slices.Contains(names, f.Name) && k.Takes(f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	slices.Sort(names)
	since := k.AllFlagsSince
	return names, since != "" && compareVersions(k.Nearest, since) >= 0
}

// Spelling is the name under which this version takes a flag that others call name, or ""
// when it has none like it.
func (k *Known) Spelling(name string) string {
	f, has, _ := k.Flag(name)
	for _, other := range []string{f.Was, f.Instead} {
		if !has && other != "" && k.Takes(other) {
			return other
		}
	}
	if !has {
		return ""
	}
	return name
}

// Watched lists what this version lists and watches.
func (k *Known) Watched() (out []Watch) {
	if b := k.base(); b != nil {
		out = slices.DeleteFunc(b.Watched(), func(w Watch) bool {
			return slices.ContainsFunc(k.Component.Watches, func(own Watch) bool {
				return own.Group == w.Group && own.Resource == w.Resource && own.OfPool == w.OfPool
			})
		})
	}
	return append(out, lists.Where(k.Component.Watches, func(w Watch) bool { return w.Holds(k.Nearest) })...)
}

// Value returns the fact of that name that holds for this version, or "".
func (k *Known) Value(name string) string {
	return lists.First(k.Component.Values, func(v Value) bool { return v.Name == name && v.Holds(k.Nearest) }).Value
}

// Has reports whether the version has a fix. A version without a patch number is the
// newest of its minor version; decided is false for it where only later patches have the
// fix.
func (k *Known) Has(fix string) (has, decided bool) {
	for _, f := range k.Component.Fixes {
		if f.Name != fix {
			continue
		}
		last := slices.MaxFunc(f.In, compareVersions)
		for _, in := range f.In {
			if minor(in) == k.Minor() {
				patch := k.Version != k.Minor()
				return !patch || compareVersions(k.Version, in) >= 0, patch || strings.HasSuffix(in, ".0")
			}
		}
		return compareVersions(k.Minor(), cmp.Or(minor(last), last)) > 0, true
	}
	return false, false
}

func minor(version string) string {
	if m := versionTag().FindStringSubmatch(version); m != nil {
		return m[1]
	}
	return ""
}
