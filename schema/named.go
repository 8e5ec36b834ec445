package schema

import (
	"encoding/json"
	"strings"

	"github.com/inferstack/inferstack/finding"
)

// nameFields are the fields that name objects, the rest of whose names follow from
// metadata.name.
var nameFields = []string{
	"spec.scheduler.name", "spec.scheduler.configMap.name", "spec.decode.name", "spec.prefill.name", "spec.encode.name", "spec.server.service.name",
	"spec.pool.name", "spec.gateway.name", "spec.gateway.envoyFilter.name", "spec.route.name", "spec.kvCache.redis.name", "spec.model.storage.name",
}

// namedLists are lists whose entries are objects, by their field name.
var namedLists = []string{"objectives", "modelRewrites", "extraGateways"}

// NamedAt is the field that gives an object of the stack its name: the one that was
// written so, or the stack's own name.
func (s *Stack) NamedAt(name string) string {
	data, err := json.Marshal(map[string]any{"spec": s.Spec})
	if err != nil {
		panic(err) // it came from JSON
	}
	var values any
	if err := json.Unmarshal(data, &values); err != nil {
		panic(err)
	}
	for _, path := range nameFields {
		at := values
		for step := range strings.SplitSeq(path, ".") {
			m, _ := at.(map[string]any)
			at = m[step]
		}
		if at == name && s.Has(path) {
			return path
		}
	}
	spec, _ := values.(map[string]any)["spec"].(map[string]any)
	for _, list := range namedLists {
		entries, _ := spec[list].([]any)
		for i, entry := range entries {
			if e, _ := entry.(map[string]any); e["name"] == name {
				return finding.Indexed("spec."+list, i) + ".name"
			}
		}
	}
	return "metadata.name"
}
