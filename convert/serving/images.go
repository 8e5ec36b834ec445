// Package serving holds what the existing systems have in common: the images they
// name, the accelerators in their resources, the command lines of vLLM and the names
// of EPP plugins. Each function moves one of these into a draft and says what it
// changed.
package serving

import (
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/release"
)

// SimulatorImage takes over the simulator's image, which decides the release line by its
// flags. The name that the old system defaults to has never been published.
func SimulatorImage(p *draft.Part, path, image, from string) {
	repository, tag := release.SplitImage(image)
	if image == "" || repository == "ghcr.io/llm-d/llm-d-simulator" {
		p.On(parent(path), from).Replaced().Note("ghcr.io/llm-d/llm-d-simulator was never published; the simulator of the release catalogue takes its place")
		return
	}
	if line, why := simulatorLine(repository, tag); line != "" && !decide(p, line, from, image+" "+why) {
		p.Lost(from, "%s %s, and the stack's other image those of %s: a stack has one line", image, why, p.Text("spec.release"))
		return
	}
	p.Set(path, image, from)
}

// VLLMImage takes over the image of the model servers; old is what the system used
// when the user wrote none.
func VLLMImage(p *draft.Part, path, image, from, old string) {
	if image == "" {
		p.On(parent(path), from).Replaced().Note("the old default image %s is not pinned or no longer current; the release catalogue's takes its place", old)
		return
	}
	p.Set(path, image, from)
}

// Simulated reports whether an image is the llm-d simulator.
func Simulated(image string) bool {
	return strings.Contains(image, "llm-d-inference-sim") || strings.Contains(image, "llm-d-simulator")
}

// Latest reports whether an image has no tag that stays.
func Latest(image string) bool {
	_, tag := release.SplitImage(image)
	return tag == "" || tag == "latest"
}

func parent(path string) string {
	return path[:strings.LastIndexByte(path, '.')]
}
