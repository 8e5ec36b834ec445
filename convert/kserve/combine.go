package kserve

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/schema/document"
)

// A config is an LLMInferenceServiceConfig of the input.
type config struct {
	doc  document.Document
	spec Spec
}

// combine merges presets, base configurations and the service, in this order, as the
// controller does. It reports whether that can be done.
func (s *service) combine() bool {
	bases, ok := s.bases()
	if !ok {
		return false
	}
	own := plain(s.original.Spec)
	shape := own
	for _, b := range bases {
		shape = merge(shape, plain(b.spec))
	}
	var resolved Spec
	if !s.typed(shape, &resolved) {
		return false
	}
	if name := resolved.Model.Name; name != nil && *name != "" && *name != *s.original.Spec.Model.Name {
		s.renamed(*name)
		own = plain(s.original.Spec)
	}
	s.data = s.templateData()
	merged, written := map[string]any{}, map[string]any{}
	for _, name := range wellKnown(&resolved) {
		spec, ok := s.presetSpec(name, &written)
		if !ok {
			return false
		}
		merged = merge(merged, spec)
	}
	s.presets, _ = s.execute(freeform.Copy(merged), "").(map[string]any)
	merged = merge(merged, written)
	for _, b := range bases {
		if !s.mergeable(merged, plain(b.spec)) {
			return false
		}
		merged = merge(merged, plain(b.spec))
	}
	if !s.mergeable(merged, own) {
		return false
	}
	merged, _ = s.execute(merge(merged, own), "spec").(map[string]any)
	s.merged = merged
	return len(s.Problems.Errors()) == 0 && s.typed(merged, &s.spec)
}

// renamed gives the model the name that a base configuration has for it, which wins.
func (s *service) renamed(name string) {
	if s.Doc.Has("spec.model.name") {
		s.On("spec.model.name", "spec.model.name").Warn("a base configuration says %s, and wins: that is the only field of it which does", name)
	}
	s.original.Spec.Model.Name = &name
}

// presetSpec is a preset, or the configuration of that name in the input. What that one says
// other than the preset is written to what is merged after the presets.
func (s *service) presetSpec(name string, written *map[string]any) (map[string]any, bool) {
	for _, c := range s.lookup(s.pinned(name)) {
		own := plain(c.spec)
		s.unscripted(c.doc.Name, own)
		*written = merge(*written, own)
	}
	spec := preset(name)
	if spec == nil && len(s.lookup(s.pinned(name))) == 0 {
		s.On("", s.at("spec.worker")).Fail("KServe has no preset %s%s, and the input no LLMInferenceServiceConfig of that name: pipeline parallelism over several nodes has to be described in one", presetPrefix, name)
		return nil, false
	}
	return spec, true
}

// pinned is the preset's name for this service: the one that the controller has noted in its
// status when it first met it, of its release at that time.
func (s *service) pinned(name string) string {
	noted, _ := at(s.original.Status, "annotations", "serving.kserve.io/"+name).(string)
	return draft.Unless(noted, presetPrefix+name)
}

// bases are the configurations of spec.baseRefs.
func (s *service) bases() ([]config, bool) {
	var out []config
	ok := true
	for i, ref := range s.original.Spec.BaseRefs {
		from := indexed("spec.baseRefs", i) + ".name"
		found := s.lookup(ref.Name)
		name := presetOf(ref.Name)
		switch {
		case len(found) > 0:
			out = append(out, found[0])
		case name != "":
			var c config
			ok = s.typed(preset(name), &c.spec) && ok
			out = append(out, c)
		default:
			names := lists.Map(s.in.configs, func(c config) string { return c.doc.Name })
			hint := "put it beside the LLMInferenceService"
			if near := near.Of(ref.Name, slices.Concat(names, presetNames())); near != "" {
				hint = "did you mean " + near + "?"
			}
			s.On("", from).Fail("no LLMInferenceServiceConfig %q in the input; %s", ref.Name, hint)
			ok = false
		}
	}
	return out, ok
}

// lookup finds a configuration: in the service's namespace, and then in the controller's.
// One without a namespace may be either's.
func (s *service) lookup(name string) []config {
	var out []config
	for _, namespace := range []string{s.Doc.Namespace, systemNamespace} {
		for _, c := range s.in.configs {
			if c.doc.Name == name && (c.doc.Namespace == namespace || c.doc.Namespace == "" || s.Doc.Namespace == "") {
				out = append(out, c)
			}
		}
	}
	return out[:min(1, len(out))]
}

// mergeable refuses two EPP configurations one over the other where both have a list or a
// mapping of one name, as the controller does: the library that merges knows no field of a
// configuration (apimachinery strategicpatch on a RawExtension).
func (s *service) mergeable(base, over map[string]any) bool {
	a, _ := at(base, "router", "scheduler", "config", "inline").(map[string]any)
	b, _ := at(over, "router", "scheduler", "config", "inline").(map[string]any)
	for key, value := range b {
		switch value.(type) {
		case map[string]any, []any:
			if _, both := a[key]; both {
				s.On("", s.at("spec.router.scheduler.config.inline."+key)).Fail("a configuration below has %s too, and KServe cannot merge the two: write the EndpointPickerConfig in one place", key)
				return false
			}
		}
	}
	return true
}

// at is the value at a path of plain data, or nil.
func at(v any, path ...string) any {
	for _, step := range path {
		m, _ := v.(map[string]any)
		v = m[step]
	}
	return v
}

// typed reads plain data into a struct. A number that a template had to write stands as text.
func (s *service) typed(spec map[string]any, into *Spec) bool {
	data, err := json.Marshal(spec)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		s.On("", "spec").Fail("what is merged into the service is not an LLMInferenceService: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return err == nil
}
