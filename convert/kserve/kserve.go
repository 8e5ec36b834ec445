package kserve

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema/document"
)

// The kinds of KServe, and their versions.
const (
	APIVersion    = "serving.kserve.io/v1alpha2"
	OldAPIVersion = "serving.kserve.io/v1alpha1"
	Kind          = "LLMInferenceService"
	ConfigKind    = "LLMInferenceServiceConfig"
)

// Options say how to convert.
type Options struct {
	Lossy   bool
	Cluster Cluster
}

// An input is what the documents hold beside the services.
type input struct {
	cluster    Cluster
	configs    []config
	configMaps []document.Document
	gateways   []document.Document
	owners     owners
	there      map[string]bool // services by namespace and name
	sharers    map[string][]sharer
}

// A service is an LLMInferenceService on its way into a draft.
type service struct {
	*draft.Part
	in       *input
	settings settings

	original Service        // as it was written, in the form of v1alpha2
	data     map[string]any // of templates
	presets  map[string]any // what KServe's presets say of it
	merged   map[string]any // what the presets, the base configurations and the service say
	spec     Spec           // the same

	encrypted bool // the servers speak TLS
}

// The roles of servers.
const (
	decode  = "decode"
	prefill = "prefill"
)

// Convert turns each LLMInferenceService into a draft. Beside the services, the documents may
// hold the LLMInferenceServiceConfigs that they name, the ConfigMaps with configurations of
// the EPP and of the controller, and the Gateways in front.
func Convert(docs []document.Document, opt Options) (drafts []*draft.Draft) {
	in := &input{cluster: opt.Cluster}
	var services []document.Document
	for _, doc := range docs {
		switch doc.Kind {
		case Kind:
			services = append(services, doc)
		case ConfigKind:
			drafts = append(drafts, in.config(doc, opt.Lossy))
		case "Gateway":
			in.gateways = append(in.gateways, doc)
		default:
			in.configMaps = append(in.configMaps, doc)
		}
	}
	in.owners, in.there, in.sharers = ownersOf(services), map[string]bool{}, sharersOf(services)
	for _, doc := range services {
		in.there[doc.Namespace+"/"+doc.Name] = true
	}
	found, problems := in.settings()
	for i, doc := range services {
		d := draft.New(doc, opt.Lossy)
		drafts = append(drafts, d)
		s := &service{Part: d.Part(doc), in: in, settings: found}
		if i == 0 {
			d.Problems = append(d.Problems, problems...)
		}
		if d.Decoded(document.Decode(doc, &s.original)) && s.version() {
			s.convert()
		}
	}
	in.unused(drafts, services)
	return drafts
}

// config reads an LLMInferenceServiceConfig. Its draft is not a stack; it carries the problems.
func (in *input) config(doc document.Document, lossy bool) *draft.Draft {
	d := draft.New(doc, lossy)
	d.NoStack = true
	s := &service{Part: d.Part(doc)}
	if d.Decoded(document.Decode(doc, &s.original)) && s.version() {
		if len(s.original.Spec.BaseRefs) > 0 {
			s.On("", "spec.baseRefs").Fail("an %s cannot be based on others", ConfigKind)
		}
		in.configs = append(in.configs, config{doc, s.original.Spec})
	}
	return d
}

// unused says that configurations alone make nothing.
func (in *input) unused(drafts []*draft.Draft, services []document.Document) {
	if len(services) > 0 || len(in.configs) == 0 {
		return
	}
	drafts[0].Part(in.configs[0].doc).On("", "spec").Warn("an %s makes nothing by itself: put it into one input with the %ss that name it", ConfigKind, Kind)
}

// Groups are the services, each with the configurations that it names or that stand for
// presets and with the others of its traffic group, and the other configurations.
func Groups(docs []document.Document) (out [][]document.Document) {
	named, sharing := map[string]bool{}, map[string]bool{}
	for _, doc := range docs {
		of := groupOf(doc)
		if doc.Kind != Kind || sharing[of] {
			continue
		}
		group, names := []document.Document{doc}, baseNames(doc)
		if of != "" {
			sharing[of] = true
			group = inGroup(docs, of)
			for _, other := range group[1:] {
				names = append(names, baseNames(other)...)
			}
		}
		for _, c := range docs {
			if c.Kind == ConfigKind && (slices.Contains(names, c.Name) || presetOf(c.Name) != "") {
				group = append(group, c)
				named[c.Name] = true
			}
		}
		out = append(out, group)
	}
	for _, doc := range docs {
		if doc.Kind == ConfigKind && !named[doc.Name] {
			out = append(out, []document.Document{doc})
		}
	}
	return out
}

// baseNames are those of spec.baseRefs.
func baseNames(doc document.Document) (out []string) {
	for i := 0; doc.Has(indexed("spec.baseRefs", i)); i++ {
		if n := doc.At(indexed("spec.baseRefs", i) + ".name"); n != nil {
			out = append(out, n.Value)
		}
	}
	return out
}

func (s *service) convert() {
	s.Metadata()
	if s.original.Spec.Model.Name == nil || *s.original.Spec.Model.Name == "" {
		s.original.Spec.Model.Name = &s.original.Name
	}
	if s.Doc.Namespace == "" {
		s.Set("metadata.namespace", s.namespace(), "metadata.name")
		s.On("metadata.namespace", "metadata.name").Warn("names no namespace, which is in the paths of the route and in a name of the model: %s is written; name the one that the service is in", s.namespace())
	}
	if !s.combine() {
		return
	}
	s.model()
	s.metadata()
	sets := s.sets()
	s.router(sets)
	s.certificate()
	s.tracing()
	s.shared()
}

// namespace is the service's own; what names none is applied to default.
func (s *service) namespace() string { return draft.Unless(s.Doc.Namespace, "default") }

// at is where the document has what is at a path of its spec: there, or the base
// configurations, or the nearest above that it has.
func (s *service) at(path string) string {
	for p := path; p != "" && p != "spec"; {
		if s.Doc.Has(p) {
			return p
		}
		i := strings.LastIndexAny(p, ".[")
		if i < 0 {
			break
		}
		p = p[:i]
	}
	if s.Doc.Has("spec.baseRefs") {
		return "spec.baseRefs"
	}
	return "spec"
}

func indexed(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// version refuses fields that the version of the document does not have, and brings those of
// v1alpha1 into the form of v1alpha2.
func (s *service) version() bool {
	spec := &s.original.Spec
	old := s.Doc.APIVersion == OldAPIVersion
	if old {
		for path, has := range map[string]bool{
			"spec.kvCacheOffloading":         spec.KVCacheOffloading != nil,
			"spec.prefill.kvCacheOffloading": spec.Prefill != nil && spec.Prefill.KVCacheOffloading != nil,
			"spec.model.confidential":        spec.Model.Confidential != nil,
		} {
			if has {
				s.On("", path).Fail("unknown field in %s, which the API server drops; write apiVersion: %s", OldAPIVersion, APIVersion)
			}
		}
	}
	s.criticality(old)
	if spec.Router != nil && spec.Router.Scheduler != nil && spec.Router.Scheduler.Pool != nil && spec.Router.Scheduler.Pool.Spec != nil {
		s.poolVersion(spec.Router.Scheduler.Pool.Spec, old)
	}
	return len(s.Problems.Errors()) == 0
}

// criticality is a field of v1alpha1 that no controller reads any more.
func (s *service) criticality(old bool) {
	const path = "spec.model.criticality"
	switch {
	case s.original.Spec.Model.Criticality == "":
	case !old:
		s.On("", path).Fail("unknown field in %s; objectives of an InferenceStack give requests a priority", APIVersion)
	default:
		s.On("spec.model", path).Dropped().Note("criticality is left out: KServe takes no notice of it; objectives give requests a priority")
		s.original.Spec.Model.Criticality = ""
	}
}

// poolVersion brings a pool of the old form into the new one.
func (s *service) poolVersion(p *PoolSpec, old bool) {
	const from = "spec.router.scheduler.pool.spec"
	if !old {
		if p.TargetPortNumber != 0 || p.ExtensionRef != nil {
			s.On("", from).Fail("targetPortNumber and extensionRef are fields of %s; with %s write targetPorts and endpointPickerRef", OldAPIVersion, APIVersion)
		}
		return
	}
	if p.TargetPortNumber != 0 {
		p.TargetPorts, p.TargetPortNumber = []Port{{p.TargetPortNumber}}, 0
	}
	if _, nested := p.Selector["matchLabels"].(map[string]any); !nested && len(p.Selector) > 0 {
		p.Selector = map[string]any{"matchLabels": maps.Clone(p.Selector)}
	}
	if ref := p.ExtensionRef; ref != nil {
		if ref.PortNumber != nil {
			ref.Port, ref.PortNumber = &Port{*ref.PortNumber}, nil
		}
		p.EndpointPickerRef, p.ExtensionRef = ref, nil
	}
}
