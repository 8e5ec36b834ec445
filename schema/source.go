package schema

import (
	"path"
	"strings"
)

// ModelSource is where the weights come from, taken apart.
type ModelSource struct {
	// Scheme is hf, pvc, pvc+hf, oci, s3 or gs.
	Scheme string
	// Claim is the PersistentVolumeClaim of pvc and pvc+hf.
	Claim string
	// Path is the path in the claim: of the model for pvc, of the cache for pvc+hf.
	Path string
	// Model is the Hugging Face name, for hf and pvc+hf.
	Model string
	// Image is the image of oci.
	Image string
	// Bucket is that of s3 and gs.
	Bucket string
}

// InBucket reports whether the weights are downloaded from a bucket.
func (m ModelSource) InBucket() bool { return m.Scheme == "s3" || m.Scheme == "gs" }

// ParsedSource takes model.source apart. Without one it is Hugging Face's model.name.
func (m *Model) ParsedSource() ModelSource { return ParseSource(m.Source, m.Name) }

// ParseSource takes a source apart. Without one it is Hugging Face's model of that name.
func ParseSource(source, name string) ModelSource {
	scheme, rest, _ := strings.Cut(source, "://")
	claim, inside, _ := strings.Cut(strings.TrimRight(rest, "/"), "/")
	switch scheme {
	case "oci":
		return ModelSource{Scheme: scheme, Image: rest}
	case "s3", "gs":
		return ModelSource{Scheme: scheme, Bucket: claim, Path: inside}
	case "pvc":
		return ModelSource{Scheme: scheme, Claim: claim, Path: inside}
	case "pvc+hf":
		cache, model := cutModel(inside)
		return ModelSource{Scheme: scheme, Claim: claim, Path: cache, Model: model}
	case "hf":
		return ModelSource{Scheme: scheme, Model: rest}
	default:
		return ModelSource{Scheme: "hf", Model: name}
	}
}

// cutModel splits path/org/model before the last two elements.
func cutModel(inside string) (cache, model string) {
	up, name := path.Split(inside)
	cache, org := path.Split(strings.TrimRight(up, "/"))
	return strings.TrimRight(cache, "/"), path.Join(org, name)
}
