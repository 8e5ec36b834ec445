// Package imageref takes references to container images apart.
package imageref

import "strings"

// A Ref is a reference to an image. What it does not say is empty.
type Ref struct{ Registry, Repository, Tag, Digest string }

// Parse takes a reference apart. A first part with a dot or a colon, or the name localhost, is the
// registry (distribution/reference).
func Parse(image string) Ref {
	r := Ref{Repository: image}
	if host, rest, ok := strings.Cut(image, "/"); ok && (strings.ContainsAny(host, ".:") || host == "localhost") {
		r.Registry, r.Repository = host, rest
	}
	r.Repository, r.Digest, _ = strings.Cut(r.Repository, "@")
	if i := strings.LastIndexByte(r.Repository, ':'); i > strings.LastIndexByte(r.Repository, '/') {
		r.Repository, r.Tag = r.Repository[:i], r.Repository[i+1:]
	}
	return r
}

// Name is the reference without tag and digest.
func (r Ref) Name() string {
	if r.Registry == "" {
		return r.Repository
	}
	return r.Registry + "/" + r.Repository
}

// Base is the last part of the repository.
func (r Ref) Base() string { return r.Repository[strings.LastIndexByte(r.Repository, '/')+1:] }

// Floats reports whether the image behind the reference is another one when a newer is published.
func (r Ref) Floats() bool { return r.Digest == "" && (r.Tag == "" || r.Tag == "latest") }
