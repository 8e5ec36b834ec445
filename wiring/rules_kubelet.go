package wiring

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/internal/imageref"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

var kubeletRules = []Rule{
	{
		ID: "root-refused", Severity: Error,
		Doc: "A container must not run as root (runAsNonRoot: true) and is told to (runAsUser: 0). The API server takes it, and the kubelet " +
			"does not start it: CreateContainerConfigError (kubernetes v1.36 pkg/kubelet/kuberuntime/security_context.go, verifyRunAsNonRoot).",
		each: inContainers{eachContainer, func(g *G, r *report, p *Pods, c *container) {
			user, nonRoot := p.security(c, "runAsUser"), p.security(c, "runAsNonRoot")
			if user.text() == "0" && nonRoot.text() == "true" {
				r.add(p.place(user), Ref{}, "%s runs as root, and runAsNonRoot forbids it", c.name).fix("name another user, or leave runAsNonRoot out")
			}
		}},
	},
	{
		ID: "image-name", Severity: Error,
		Doc: "An image is no reference to one: it has capital letters before its tag, a scheme such as https://, a space, two colons, or a digest " +
			"that is none. The kubelet refuses it: InvalidImageName. Placeholders in capital letters or angle brackets are taken to be filled in.",
		each: inContainers{eachContainer, func(g *G, r *report, p *Pods, c *container) {
			if flaw, remedy := imageFlaw(c.image); flaw != "" {
				r.add(p.place(c.at("image")), Ref{}, "%q of %s %s", c.image, c.name, flaw).fix("%s", remedy)
			}
		}},
	},
	{
		ID: "volume-medium", Severity: Error,
		Doc: "An emptyDir is of a medium that the kubelet does not know, such as memory in small letters. The API server takes any word, and " +
			"the pod waits for its volume (kubernetes v1.36 pkg/volume/emptydir/empty_dir.go, SetUpAt).",
		each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
			for _, v := range p.spec.at("volumes").list() {
				medium := v.at("emptyDir", "medium")
				if text := medium.text(); !templated(text) && !schema.KnownMedium(corev1.StorageMedium(text)) {
					r.add(p.place(medium), Ref{}, "the kubelet knows no medium %s", text).fix("leave it out, or write Memory, HugePages or HugePages-<size>")
				}
			}
		}},
	},
	{
		ID: "accelerator-node", Severity: Warning,
		Doc: "A container asks for more accelerators than a node has: 8 are usual, and 16 the most. The pod stays Pending.",
		each: inContainers{eachContainer, func(g *G, r *report, p *Pods, c *container) {
			if have, at := devices(c); have > schema.UsualDevices {
				r.add(p.place(at), Ref{}, "%s asks for %d accelerators, and nodes have 8, or 16 at most", c.name, have).fix("spread the server over nodes, by a LeaderWorkerSet")
			}
		}},
	},
}

// imageFlaw says what makes an image no reference to one, and how to fix it; "" for nothing.
func imageFlaw(image string) (flaw, remedy string) {
	name := imageref.Parse(image).Repository
	placeholder := name == strings.ToUpper(name) || strings.ContainsAny(image, "<>") // as in REPLACE_IMAGE
	if image == "" || placeholder || templated(image) || document.IsImage(image) {
		return "", ""
	}
	bare := strings.Join(strings.Fields(image), "")
	scheme, rest, hasScheme := strings.Cut(image, "://")
	_, digest, hasDigest := strings.Cut(image, "@")
	switch {
	case bare != image:
		return "has a space", "write " + bare
	case scheme == "ko": // puts the image in that it builds
		return "", ""
	case hasScheme:
		return "has a scheme", "write " + rest
	case hasDigest && document.IsImage(strings.TrimSuffix(image, "@"+digest)):
		return "has a digest that is none", "write @sha256: and the 64 digits of the digest"
	case document.IsImage(strings.Replace(image, name, strings.ToLower(name), 1)):
		return "has capital letters", "write " + strings.Replace(image, name, strings.ToLower(name), 1)
	}
	return "is no reference to an image", "write registry/name:tag"
}

// security is a field of a container's security context, or the pod's where the container has none.
func (p *Pods) security(c *container, name string) field {
	if own := c.at("securityContext", name); own.is() {
		return own
	}
	return p.spec.at("securityContext", name)
}
