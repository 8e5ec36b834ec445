package manifests

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// A bundle is a DisaggregatedSet of the LeaderWorkerSet project, and the workloads in its place.
type bundle struct {
	document.Document
	// names are the workloads', by kind and name.
	names []string
	// whole says that a stack can have the set as one; else it makes workloads in its place.
	whole bool
}

// isSet reports whether an object is a DisaggregatedSet.
func isSet(kind, apiVersion string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return kind == "DisaggregatedSet" && group == "disaggregatedset.x-k8s.io"
}

// workloads takes a DisaggregatedSet apart into a workload for each role, as its controller does
// (sigs.k8s.io/lws api/disaggregatedset/v1); other documents are left as they are. Where a stack
// cannot have the set as one and a group is one pod, it makes a Deployment. The controller's own
// names end with a revision, so there are none to keep.
func workloads(doc document.Document, whole bool) (objects []*yaml.Node, of *bundle) {
	if !isSet(doc.Kind, doc.APIVersion) {
		return []*yaml.Node{doc.Node}, nil
	}
	set := written(doc.Node)
	of = &bundle{Document: doc, whole: whole}
	for _, r := range list(at(set, "spec", "roles")) {
		o := groups(set, r)
		if !whole {
			o = workload(set, r)
		}
		n := &yaml.Node{}
		if n.Encode(o) == nil {
			objects = append(objects, n)
			of.names = append(of.names, named(o))
		}
	}
	return objects, of
}

// groups is the LeaderWorkerSet of a role, in one slice.
func groups(set object, role any) object {
	meta := object{"name": text(set, "metadata", "name") + "-" + text(role, "name")}
	if ns := at(set, "metadata", "namespace"); ns != nil {
		meta["namespace"] = ns
	}
	for _, field := range []string{"labels", "annotations"} {
		if v := at(role, "metadata", field); v != nil {
			meta[field] = freeform.Copy(v)
		}
	}
	spec := mapping(freeform.Copy(at(role, "spec")))
	if spec == nil {
		spec = object{}
	}
	return object{"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet", "metadata": meta, "spec": spec}
}

// parted has each DisaggregatedSet among some objects without its roles, and these beside it.
func parted(objects []object) []object {
	out := make([]object, 0, len(objects))
	for _, o := range objects {
		if !isSet(text(o, "kind"), text(o, "apiVersion")) {
			out = append(out, o)
			continue
		}
		for _, r := range list(at(o, "spec", "roles")) {
			out = append(out, groups(o, r))
		}
		rest := freeform.Copy(o).(object)
		delete(mapping(rest["spec"]), "roles")
		out = append(out, rest)
	}
	return out
}

// assembled has the workloads of a set among some objects in the set again.
func (b *bundle) assembled(objects []object) []object {
	set := mapping(freeform.Copy(written(b.Node)))
	for _, r := range list(at(set, "spec", "roles")) {
		role := mapping(r)
		i := slices.IndexFunc(objects, func(o object) bool { return named(o) == named(groups(set, r)) })
		if i >= 0 && role != nil {
			role["spec"] = objects[i]["spec"]
			set["metadata"].(object)["namespace"] = at(objects[i], "metadata", "namespace")
		}
	}
	same := func(o object) bool { return slices.Contains(b.names, named(o)) || named(o) == named(set) }
	return append(slices.DeleteFunc(objects, same), set)
}

// rest is the set without its roles, in the namespace of a group.
func (b *bundle) rest(namespace string) object {
	set := mapping(freeform.Copy(written(b.Node)))
	delete(mapping(set["spec"]), "roles")
	if meta := mapping(set["metadata"]); namespace != "" && meta != nil && text(meta, "namespace") == "" {
		meta["namespace"] = namespace
	}
	return set
}

// section is what a stack says of the set itself.
func (b *bundle) section() object {
	set := written(b.Node)
	out := object{"name": b.Name}
	for _, field := range []string{"slices", "placementPolicy"} {
		if v := at(set, "spec", field); v != nil && text(v, "type") != "None" {
			out[field] = freeform.Copy(v)
		}
	}
	return out
}

// loose are the sets that stacks cannot have as one: those with roles that a stack does not have,
// or that share a pool with other servers.
func loose(all []*group) map[string]bool {
	out := map[string]bool{}
	for _, g := range all {
		var servers []member
		counts := []int{len(g.workloads(decodes)), len(g.workloads(prefills)), len(g.workloads(encodes))}
		servers = append(append(g.workloads(decodes), g.workloads(prefills)...), g.workloads(encodes)...)
		for _, b := range g.in.sets {
			own := 0
			for _, m := range servers {
				if b.has(m) {
					own++
				}
			}
			if own > 0 && (own < len(servers) || own < len(b.names) || slices.Max(counts) > 1 || own < 2) {
				out[b.Namespace+"/"+b.Name] = true
			}
		}
	}
	return out
}

// workload is a role of a DisaggregatedSet. Its spec is that of a LeaderWorkerSet, and there are
// as many as the set has slices.
func workload(set object, role any) object {
	meta := object{"name": text(set, "metadata", "name") + "-" + text(role, "name")}
	for _, field := range []string{"namespace", "labels", "annotations"} {
		if v := at(set, "metadata", field); v != nil {
			meta[field] = v
		}
		if v := at(role, "metadata", field); v != nil {
			meta[field] = v
		}
	}
	spec := mapping(freeform.Copy(at(role, "spec")))
	if spec == nil {
		spec = object{}
	}
	if parts, ok := at(set, "spec", "slices").(int); ok {
		replicas, written := spec["replicas"].(int)
		if !written {
			replicas = 1
		}
		spec["replicas"] = parts * replicas
	}
	template := at(spec, "leaderWorkerTemplate")
	if size, ok := at(template, "size").(int); ok && size > 1 || at(template, "leaderTemplate") != nil {
		return object{"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet", "metadata": meta, "spec": spec}
	}
	pods := mapping(at(template, "workerTemplate"))
	deployment := object{"replicas": spec["replicas"], "selector": object{"matchLabels": at(pods, "metadata", "labels")}, "template": pods}
	if r := at(spec, "rolloutStrategy", "rollingUpdateConfiguration"); r != nil {
		deployment["strategy"] = object{"type": "RollingUpdate", "rollingUpdate": r}
	}
	return object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": deployment}
}

// has reports whether an object is a workload of the set.
func (b *bundle) has(m member) bool {
	return b.Namespace == m.Namespace && slices.Contains(b.names, m.ref.Kind+" "+m.ref.Name)
}

// bundleOf is the DisaggregatedSet of which an object is a workload, or nil.
func (in *input) bundleOf(m member) *bundle {
	if i := slices.IndexFunc(in.sets, func(b *bundle) bool { return b.has(m) }); i >= 0 {
		return in.sets[i]
	}
	return nil
}

// set is the DisaggregatedSet that the servers of the group are, or nil.
func (g *group) set() *bundle {
	for _, m := range g.members {
		if b := g.in.bundleOf(m); b != nil && b.whole {
			return b
		}
	}
	return nil
}

// problems say what becomes of the set.
func (b *bundle) problems() schema.Problems {
	if b.whole {
		return nil
	}
	out := schema.Problems{b.Problem(schema.Warning, "kind", "a stack makes %s in place of DisaggregatedSet %s: delete that when their pods are ready", strings.Join(b.names, " and "), b.Name)}
	if b.Has("spec.slices") {
		out = append(out, b.Problem(schema.Warning, "spec.slices", "slices are not kept apart: the replicas of each role are those of all slices"))
	}
	if b.Has("spec.placementPolicy") {
		out = append(out, b.Problem(schema.Warning, "spec.placementPolicy", "left out: a stack has no slices to place; the annotation leaderworkerset.sigs.k8s.io/exclusive-topology, in annotations of a role, keeps each group in a domain"))
	}
	return out
}
