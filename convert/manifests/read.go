package manifests

import (
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/schema/document"
)

// read is what the servers' pods say, field by field, as the other converters read pods; nil
// when there are none that Kubernetes has.
func (s *sources) read() []proposal {
	if s.varied {
		return nil // of a role they say one thing
	}
	meta := at(s.start(), "metadata")
	doc := document.Document{Name: text(meta, "name"), Namespace: text(meta, "namespace")}
	d := draft.New(doc, true)
	servers := &pods.Servers{Part: d.Part(doc), Loads: s.models()}
	servers.Set("spec.model.name", first(s.models()), "")
	for _, r := range s.roles {
		var pod corev1.PodSpec
		data, err := json.Marshal(r.pod["spec"])
		if err != nil || json.Unmarshal(data, &pod) != nil {
			return nil
		}
		servers.Roles = append(servers.Roles, &pods.Role{Name: r.name, Pod: pod, Main: "modelserver", Accelerator: object{}})
		servers.Simulator = servers.Simulator || r.engine == "simulator"
	}
	servers.Carry()
	claims := slices.ContainsFunc(s.roles, func(r role) bool { return at(r.pod, "spec", "resourceClaims") != nil })
	var spec object
	if n := d.Get("spec"); n == nil || n.Decode(&spec) != nil {
		return nil
	}
	p := proposal{}
	for section, fields := range spec {
		for field, v := range mapping(fields) {
			if field == "accelerator" && claims {
				continue // without devices of a plugin they look like pods for a CPU
			}
			if field != "podTemplatePatch" { // what has no field is looked for again at the end
				p["spec."+section+"."+field] = v
			}
		}
	}
	return []proposal{p, p.without("spec.decode.parallelism", "spec.prefill.parallelism", "spec.encode.parallelism").and(s.ranks())}
}

// parts is what was read, one field after another, for where not all of it can be said; what
// starts the servers is in one.
func (s *sources) parts() [][]proposal {
	all := s.read()
	if all == nil {
		return nil
	}
	start := proposal{}
	var out [][]proposal
	for path, v := range sorted(all[0]) {
		switch path[strings.LastIndex(path, ".")+1:] {
		case "launch", "command", "args":
			start[path] = v
		default:
			out = append(out, []proposal{{path: v}})
		}
	}
	return slices.Insert(out, 0, []proposal{start})
}

// without is a proposal that leaves some fields alone.
func (p proposal) without(paths ...string) proposal { return p.and(nil, paths...) }

// and is two proposals in one, without some fields of the first.
func (p proposal) and(other proposal, without ...string) proposal {
	out := proposal{}
	for path, v := range p {
		out[path] = v
	}
	for _, path := range without {
		delete(out, path)
	}
	for path, v := range other {
		out[path] = v
	}
	return out
}
