package serving

import (
	"path"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/release"
)

// oldEPP is where the EPP was published until llm-d renamed it to llm-d-router and
// removed the old repository (llm-d-router releases, 0.9).
const oldEPP = "ghcr.io/llm-d/llm-d-inference-scheduler"

// EPPImage takes over the EPP's image, which decides the release line. It reports whether
// the catalogue's takes its place, so that flags of the old one may be none of the new one's.
func EPPImage(p *draft.Part, image, from string) (replaced bool) {
	repository, tag := release.SplitImage(image)
	switch {
	case image == "":
		p.On("spec.scheduler", from).Replaced().Note("the old default image of the EPP, %s, is no longer published; the release catalogue's takes its place", oldEPP)
	case repository == oldEPP && release.LineWithEPP(image) != "":
		line := release.LineWithEPP(image)
		if decide(p, line, from, image+" belongs to release line "+line) {
			return false
		}
		p.On("spec.scheduler", from).Replaced().Warn("%s is no longer published and belongs to release line %s, the simulator to %s; the EPP of the catalogue takes its place", image, line, p.Text("spec.release"))
	case repository == oldEPP:
		p.On("spec.scheduler", from).Replaced().Warn("%s is no longer published and %s; the EPP of the catalogue takes its place", image, age(tag))
	default:
		ownEPP(p, image, from)
		return false
	}
	return true
}

// age places an EPP of the old name among the release lines.
func age(tag string) string {
	if oldest := release.Names()[0]; release.Newer(tag, oldest) {
		return "between the release lines " + oldest + " and " + release.Default
	}
	return "older than any release line here"
}

// ownEPP picks the release line for an EPP from a registry of the user's own.
func ownEPP(p *draft.Part, image, from string) {
	_, tag := release.SplitImage(image)
	line := release.LineServing("endpoint-picker", tag)
	if line == "" {
		line = formerLine(image)
	}
	switch {
	case line == "":
		p.On("spec.scheduler.image", from).Note("kept as written; it must understand the flags of release line %s", draft.Unless(p.Text("spec.release"), release.Default))
	case !decide(p, line, from, path.Base(image)+" belongs to release line "+line):
		p.Lost(from, "%s belongs to release line %s, and the simulator to %s: a stack has one line", image, line, p.Text("spec.release"))
		return
	}
	p.Set("spec.scheduler.image", image, from)
}

// formerLine is the release line whose EPP had the name of an image, before llm-d renamed it.
func formerLine(image string) string {
	repository, _ := release.SplitImage(image)
	for _, name := range release.Names() {
		line, err := release.Load(name)
		if err != nil || name == release.Default {
			continue
		}
		if own, _ := release.SplitImage(line.Images.EPP); path.Base(own) == path.Base(repository) {
			return name
		}
	}
	return ""
}

// TakesSidecar reports whether a release line has the sidecar of an image.
func TakesSidecar(line, image string) bool {
	return release.LineOf("sidecar", image) == draft.Unless(line, release.Default)
}

// simulatorLine is the release line of a simulator, and why. Since v0.9 it takes
// force-dummy-tokenizer and render-url in place of tokenizers-cache-dir
// (llm-d-inference-sim docs/configuration.md). A local build without a version is taken to
// be of the time of the operator, whose samples name it.
func simulatorLine(repository, tag string) (line, why string) {
	oldest := release.Names()[0]
	switch line := release.LineServing("simulator", tag); {
	case line != "":
		return line, "has the flags of release line " + line
	case strings.HasSuffix(repository, "/llm-d-simulator") || repository == "llm-d-simulator":
		return oldest, "names no version and is taken to be a build of the operator's time, with the flags of release line " + oldest
	}
	return "", ""
}

// decide chooses the release line, unless another image has chosen another one. The
// first says so; the default line is nothing to remark on.
func decide(p *draft.Part, line, from, why string) bool {
	have := p.Text("spec.release")
	if have != "" {
		return have == line
	}
	p.Set("spec.release", line, from)
	if line != release.Default {
		p.On("spec.release", from).Note("%s, which is therefore used for everything", why)
	}
	return true
}
