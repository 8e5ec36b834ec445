package release

// LineServing returns the newest release line whose flags an image of that kind of component
// has, by its tag; "" when there is none.
func LineServing(kind, tag string) (name string) {
	m := versionTag().FindStringSubmatch(tag)
	if m == nil {
		return ""
	}
	for _, n := range Names() {
		line, err := Load(n)
		if err != nil {
			panic(err) // the lines are embedded
		}
		if span, ok := line.Serves[kind]; ok && span.Holds(m[1]) {
			name = n
		}
	}
	return name
}

// LineOf is LineServing for an image that is published under the name of its component.
func LineOf(kind, image string) string {
	if known := OfImage(image); known == nil || known.Kind != kind {
		return ""
	}
	_, tag := SplitImage(image)
	return LineServing(kind, tag)
}

// LineWithEPP returns the release line whose endpoint picker has that very image, or "".
func LineWithEPP(image string) string {
	for _, name := range Names() {
		line, err := Load(name)
		if err != nil {
			panic(err) // the lines are embedded
		}
		if line.Images.EPP == image {
			return name
		}
	}
	return ""
}

// Newer reports whether a tag is of a later version than the other; one without a version is
// not.
func Newer(tag, than string) bool {
	m := versionTag().FindStringSubmatch(tag)
	return m != nil && compareVersions(m[1], than) > 0
}
