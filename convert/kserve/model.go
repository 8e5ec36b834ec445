package kserve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
)

// modelPath is where KServe's servers find the weights.
const modelPath = "/mnt/models"

// uri is where the weights of the model, or of an adapter, are.
type uri struct{ scheme, rest string }

func parseURI(text string) uri {
	scheme, rest, _ := strings.Cut(text, "://")
	return uri{scheme, rest}
}

// model is what is loaded, and the name that clients ask for.
func (s *service) model() {
	m := &s.spec.Model
	const from = "spec.model.uri"
	s.Set("spec.model.name", *m.Name, draft.Unless(s.written("spec.model.name"), "metadata.name"))
	switch u := parseURI(m.URI); u.scheme {
	case "hf":
		s.huggingFace(u.rest)
	case "pvc":
		s.Set("spec.model.source", "pvc://"+strings.TrimSuffix(u.rest, "/")+slashed(u.rest), s.at(from))
		s.Set("spec.model.storage.readOnly", true, "")
		s.Set("spec.model.storage.mountPath", modelPath, "")
	case "oci", "oci+native":
		s.Set("spec.model.source", "oci://"+u.rest, s.at(from))
		s.Set("spec.model.storage.mountPath", modelPath, "")
	case "s3", "gs":
		s.bucket(u)
	case "":
		s.On("", s.at(from)).Fail("required, in the service or in a base configuration: hf://, pvc:// or oci:// and what is there")
	default:
		s.On("", s.at(from)).Fail("%s:// is a scheme that KServe itself refuses for an %s; hf://, pvc:// and oci:// are taken", u.scheme, Kind)
	}
	if c := m.Confidential; c != nil && c.Enabled {
		s.Lost(s.at("spec.model.confidential"), "weights that are decrypted on a confidential node; no stack asks for their key")
	}
	if s.spec.Model.LoRA != nil && len(s.spec.Model.LoRA.Adapters) == 0 {
		s.On("spec.model", s.at("spec.model.lora")).Dropped().Note("left out: it names no adapters")
	}
}

// slashed ends a claim without a path as a source wants it.
func slashed(rest string) string {
	if strings.Contains(strings.TrimSuffix(rest, "/"), "/") {
		return ""
	}
	return "/"
}

// huggingFace is a model that vLLM downloads by itself; a revision is behind a colon.
func (s *service) huggingFace(id string) {
	id, _, _ = strings.Cut(id, ":")
	if id != *s.spec.Model.Name {
		s.Set("spec.model.source", "hf://"+id, s.at("spec.model.uri"))
	}
	if serving.Simulated(s.mainImage()) {
		return // which loads nothing
	}
	s.On("spec.model", s.at("spec.model.uri")).Note("vLLM downloads the weights by itself, in place of an init container: a gated model needs model.tokenSecret, since credentials of the ServiceAccount reach the init container alone")
}

// revision is that of a model on Hugging Face, or "".
func (s *service) revision() string {
	u := parseURI(s.spec.Model.URI)
	_, revision, _ := strings.Cut(u.rest, ":")
	if u.scheme != "hf" {
		return ""
	}
	return revision
}

// bucket is a model in an object store.
func (s *service) bucket(u uri) {
	if u.scheme == "gs" {
		s.On("", s.at("spec.model.uri")).Fail("gs:// is a scheme that KServe itself refuses for an %s; hf://, pvc:// and oci:// are taken", Kind)
		return
	}
	from := s.at("spec.model.uri")
	s.Set("spec.model.source", "s3://"+u.rest, from)
	s.Set("spec.model.storage.mountPath", modelPath, "")
	s.On("spec.model.download", from).Note("KServe finds the credentials in the Secrets of the ServiceAccount; name the Secret by model.download.credentialsSecret")
}

// written is a path if the document has it.
func (s *service) written(path string) string {
	if s.Doc.Has(path) {
		return path
	}
	return ""
}

// stored are the changes to a pod that the place of its weights asks for: the directory of an
// image that KServe serves is /models.
func (s *service) stored(roles []string) {
	u := parseURI(s.spec.Model.URI)
	if u.scheme != "oci" && u.scheme != "oci+native" {
		return
	}
	for _, role := range roles {
		s.patchMain(role, map[string]any{"volumeMounts": []any{map[string]any{"mountPath": modelPath, "name": "model", "subPath": "models", "readOnly": true}}}, s.at("spec.model.uri"))
	}
	s.On("spec.model.source", s.at("spec.model.uri")).Warn("mounted as an image volume, which Kubernetes 1.33 has by default, from the image's directory /models, as KServe serves it")
}

// An adapter is a LoRA adapter as vLLM is told of it.
type adapter struct {
	name, path string
	volume     *corev1.Volume
	mount      *corev1.VolumeMount
}

// adapters are the LoRA adapters of the model, by name.
func (s *service) adapters() (out []adapter) {
	if s.spec.Model.LoRA == nil {
		return nil
	}
	for i, m := range s.spec.Model.LoRA.Adapters {
		from := s.at(indexed("spec.model.lora.adapters", i))
		if m.Name == nil || *m.Name == "" {
			s.On("", from).Fail("name: required: clients ask for the adapter by it")
			continue
		}
		if slices.ContainsFunc(out, func(a adapter) bool { return a.name == *m.Name }) {
			s.On("", from).Fail("name: another adapter is called %s already", *m.Name)
			continue
		}
		if a, ok := s.adapter(&m, from); ok {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b adapter) int { return strings.Compare(a.name, b.name) })
	return out
}

func (s *service) adapter(m *Adapter, from string) (adapter, bool) {
	a := adapter{name: *m.Name}
	if m.Criticality != "" {
		s.On("spec.model", from+".criticality").Dropped().Note("left out: KServe takes no notice of it")
	}
	switch u := parseURI(m.URI); u.scheme {
	case "hf":
		a.path, _, _ = strings.Cut(u.rest, ":")
	case "pvc":
		claim, path, _ := strings.Cut(u.rest, "/")
		a.path = "/mnt/lora/" + a.name
		volume := childName("lora-pvc-", strings.ToLower(a.name))
		a.volume = &corev1.Volume{Name: volume, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim, ReadOnly: true},
		}}
		a.mount = &corev1.VolumeMount{Name: volume, MountPath: a.path, SubPath: strings.Trim(path, "/"), ReadOnly: true}
	case "s3":
		s.On("", from+".uri").Fail("an adapter in an object store; copy it to a PersistentVolumeClaim and write pvc://claim/path")
		return a, false
	default:
		s.On("", from+".uri").Fail("must begin with hf:// or pvc:// (got %q)", m.URI)
		return a, false
	}
	return a, true
}

// adapterArgs tell vLLM of the adapters; by the name that says whose it is, too
// (kserve workload_lora.go, v0.20.0).
func (s *service) adapterArgs(adapters []adapter) []string {
	lora := s.spec.Model.LoRA
	out := []string{"--enable-lora"}
	for _, limit := range []struct {
		flag  string
		value *int32
	}{{"max-lora-rank", lora.MaxRank}, {"max-loras", lora.MaxAdapters}, {"max-cpu-loras", lora.MaxCPUAdapters}} {
		if limit.value != nil {
			out = append(out, fmt.Sprintf("--%s=%d", limit.flag, *limit.value))
		}
	}
	out = append(out, "--lora-modules")
	for _, a := range adapters {
		for _, name := range []string{a.name, s.published(a.name)} {
			data, err := json.Marshal(struct {
				Name string `json:"name"`
				Path string `json:"path"`
			}{name, a.path})
			if err != nil {
				panic(err) // two texts
			}
			out = append(out, string(data))
		}
	}
	return out
}
