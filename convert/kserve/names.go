package kserve

import (
	"crypto/md5"
	"encoding/hex"

	"github.com/inferstack/inferstack/internal/pattern"
)

// The longest name of most objects, and what is left in front of a hash in it.
const (
	longestName = 63
	nameFront   = longestName - 2*md5.Size
)

var badEnd = pattern.Lazy(`[^a-zA-Z0-9]+$`)

// childName is a name that the controller derives from another one: with the suffix behind
// it, or with a hash in the middle where that would be too long (knative.dev/pkg
// kmeta/names.go).
func childName(parent, suffix string) string {
	switch {
	case len(parent)+len(suffix) <= longestName:
		return parent + suffix
	case len(suffix) >= nameFront:
		name := parent[:min(len(parent), nameFront)] + digest(parent+suffix)
		return badEnd().ReplaceAllString(name+suffix[:longestName-len(name)], "")
	}
	return parent[:nameFront-len(suffix)] + digest(parent) + suffix
}

// digest keeps names apart; nothing depends on its being hard to invert.
func digest(text string) string {
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (s *service) child(suffix string) string { return childName(s.Doc.Name, suffix) }

// workload is the name of a role's Deployment or LeaderWorkerSet.
func (s *service) workload(role string, multiNode bool) string {
	suffix := "-kserve"
	if multiNode {
		suffix += "-mn"
	}
	if role == prefill {
		suffix += "-prefill"
	}
	return s.child(suffix)
}

// published is the name of a model that says whose it is, by which the servers answer too.
func (s *service) published(model string) string {
	return "publishers/" + s.namespace() + "/models/" + model
}
