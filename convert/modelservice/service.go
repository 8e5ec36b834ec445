package modelservice

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/schema/document"
)

// A service is a ModelService on its way into a draft. llmd is the LLMD of its
// namespace, if there is one, and first says that no other ModelService has its Redis
// and its Gateway already.
type service struct {
	*draft.Part
	spec    *Spec
	configs []document.Document
	llmd    *llmd
	first   bool

	gpuPreset bool // the base configuration is a preset, all of which are for GPUs
}

// convert writes the draft, and returns what the stack's pods need besides it.
func (m *service) convert() []*yaml.Node {
	m.Metadata()
	b := m.base()
	presets := m.presetMaps(&b)
	m.model()
	m.servers(&b)
	m.services(&b)
	m.picker(&b)
	m.poolAndRoute(&b)
	m.infrastructure()
	m.routeless(&b)
	m.metadata(&b)
	if m.spec.DecoupleScaling {
		m.Lost("spec.decoupleScaling", "a stack writes replicas unless decode.autoscaling or prefill.autoscaling says who else does")
	}
	return presets
}

// model is what is loaded and the name that clients ask for.
func (m *service) model() {
	artifacts := &m.spec.ModelArtifacts
	name := m.spec.Routing.ModelName
	m.Set("spec.model.name", name, "spec.routing.modelName")
	scheme, rest, ok := strings.Cut(artifacts.URI, "://")
	switch {
	case !ok:
		m.On("", "spec.modelArtifacts.uri").Fail("must begin with hf://, pvc:// or oci:// (got %q); did you mean %q?", artifacts.URI, "hf://"+strings.Trim(artifacts.URI, "/"))
	case scheme == "hf" && rest == name:
	case scheme == "oci":
		image, path, _ := strings.Cut(rest, "::")
		m.Set("spec.model.source", "oci://"+image, "spec.modelArtifacts.uri")
		if strings.Trim(path, "/") != "" {
			m.Lost("spec.modelArtifacts.uri", "the path %s in the image; a stack loads an image's root", path)
		}
	default:
		m.Set("spec.model.source", artifacts.URI, "spec.modelArtifacts.uri")
	}
	if scheme == "pvc" {
		m.Set("spec.model.storage.readOnly", true, "")
	}
	if artifacts.AuthSecretName != "" {
		m.Set("spec.model.tokenSecret.name", artifacts.AuthSecretName, "spec.modelArtifacts.authSecretName")
	}
	if scheme == "hf" {
		m.Copy("spec.model.storage.size", "spec.modelArtifacts.size")
	} else if ok && m.Doc.Has("spec.modelArtifacts.size") {
		m.On("spec.model", "spec.modelArtifacts.size").Dropped().Note("left out: it has no effect, since %s:// brings a volume of its own size", scheme)
	}
}

// servers are the merged decode and prefill pods.
func (m *service) servers(b *base) {
	s := &pods.Servers{Part: m.Part, MountPath: modelRoot, ModelVolumes: []string{"model-storage"}, Loads: m.loads()}
	if m.spec.Decode != nil || b.decode != nil && m.spec.Prefill == nil {
		s.Roles = append(s.Roles, m.role("decode", m.spec.Decode, b.decode))
	}
	if m.spec.Prefill != nil {
		s.Roles = append(s.Roles, m.role("prefill", m.spec.Prefill, b.prefill))
	}
	if len(s.Roles) == 0 || s.Roles[0].Name != "decode" {
		m.decodeless()
		return
	}
	m.volume(s)
	s.Simulator = serving.Simulated(mainImage(s.Roles[0]))
	s.Carry()
	if !m.Has("spec.decode.replicas") {
		m.Set("spec.decode.replicas", 1, "")
	}
}

// decodeless refuses a ModelService without decode servers.
func (m *service) decodeless() {
	if m.spec.Prefill != nil {
		m.On("", "spec.prefill").Fail("prefill servers alone cannot answer a request; did you mean decode, whose servers do both when there is no prefill?")
		return
	}
	m.On("", "spec.decode").Fail("decode servers are needed")
}

// loads are the words that mean the model on a command line.
func (m *service) loads() []string {
	v := m.vars()
	loads := []string{v.ModelName, v.MountedModelPath, "/models/" + v.ModelPath}
	if v.HFModelName != "" {
		loads = append(loads, v.HFModelName)
	}
	return loads
}
