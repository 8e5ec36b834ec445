// Package serving holds what the existing systems have in common: the images they
// name, the accelerators in their resources, the command lines of vLLM and the names
// of EPP plugins. Each function moves one of these into a draft and says what it
// changed.
package serving

import (
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
)

// oldEPP is where the EPP was published until llm-d renamed it to llm-d-router and
// removed the old repository (llm-d-router releases, 0.9).
const oldEPP = "ghcr.io/llm-d/llm-d-inference-scheduler"

// oldEPPLine is the newest EPP of the old name whose flags the catalogue knows.
const oldEPPLine = "v0.4.0"

// EPPImage takes over the EPP's image, which decides the release line.
func EPPImage(p *draft.Part, image, from string) {
	repository, tag := splitImage(image)
	switch {
	case image == "":
		p.On("spec.scheduler", from).Note("the old default image of the EPP, %s, is no longer published; the release catalogue's takes its place", oldEPP)
	case repository == oldEPP && tag == oldEPPLine:
		p.Set("spec.release", "0.4", from)
		p.On("spec.release", from).Note("%s belongs to release line 0.4, which is therefore used for everything", image)
	case repository == oldEPP:
		p.On("spec.scheduler", from).Warn("%s is no longer published and older than any release line here; the EPP of the catalogue takes its place", image)
	default:
		p.Set("spec.scheduler.image", image, from)
		ownEPP(p, tag, from)
	}
}

// ownEPP picks the release line for an EPP from a registry of the user's own.
func ownEPP(p *draft.Part, tag, from string) {
	if strings.HasPrefix(tag, "v0.4.") || strings.HasPrefix(tag, "0.4.") {
		p.Set("spec.release", "0.4", from)
		p.On("spec.release", from).Note("tag %s belongs to release line 0.4, which is therefore used for everything", tag)
		return
	}
	p.On("spec.scheduler.image", from).Note("kept as written; it must understand the flags of the default release line")
}

// SimulatorImage takes over the simulator's image. The name that the old system
// defaults to has never been published.
func SimulatorImage(p *draft.Part, path, image, from string) {
	repository, _ := splitImage(image)
	if image == "" || repository == "ghcr.io/llm-d/llm-d-simulator" {
		p.On(parent(path), from).Note("ghcr.io/llm-d/llm-d-simulator was never published; the simulator of the release catalogue takes its place")
		return
	}
	p.Set(path, image, from)
}

// VLLMImage takes over the image of the model servers; old is what the system used
// when the user wrote none.
func VLLMImage(p *draft.Part, path, image, from, old string) {
	if image == "" {
		p.On(parent(path), from).Note("the old default image %s is not pinned or no longer current; the release catalogue's takes its place", old)
		return
	}
	p.Set(path, image, from)
}

// Simulated says whether an image is the llm-d simulator.
func Simulated(image string) bool {
	return strings.Contains(image, "llm-d-inference-sim") || strings.Contains(image, "llm-d-simulator")
}

// Latest says whether an image has no tag that stays.
func Latest(image string) bool {
	_, tag := splitImage(image)
	return tag == "" || tag == "latest"
}

func splitImage(image string) (repository, tag string) {
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		return image[:i], image[i+1:]
	}
	return image, ""
}

func parent(path string) string {
	return path[:strings.LastIndexByte(path, '.')]
}
