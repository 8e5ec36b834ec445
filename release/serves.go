package release

// ModelServer returns what is known of the vLLM in an image, or nil where the image is
// none of the catalogue's or says no version.
func ModelServer(image string) *Known {
	if k := OfImage(image); k != nil && k.Kind == "model-server" {
		return k
	}
	return nil
}

// Lacks reports whether this version is known not to have the flag.
func (k *Known) Lacks(name string) bool {
	if k == nil {
		return false
	}
	_, has, known := k.Flag(name)
	return known && !has
}
