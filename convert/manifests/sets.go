package manifests

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/schema"
)

// A bundle is a DisaggregatedSet of the LeaderWorkerSet project, and the workloads that a stack
// makes in its place.
type bundle struct {
	schema.Document
	names []string
}

// workloads takes a DisaggregatedSet apart into a workload for each role, as its controller does
// (sigs.k8s.io/lws api/disaggregatedset/v1); other documents are left as they are. Where a
// group is one pod a stack makes a Deployment. The controller's own names end with a revision,
// so there are none to keep.
func workloads(doc schema.Document) (objects []*yaml.Node, of *bundle) {
	if group, _, _ := strings.Cut(doc.APIVersion, "/"); doc.Kind != "DisaggregatedSet" || group != "disaggregatedset.x-k8s.io" {
		return []*yaml.Node{doc.Node}, nil
	}
	whole := written(doc.Node)
	of = &bundle{Document: doc}
	for _, r := range list(at(whole, "spec", "roles")) {
		o := workload(whole, r)
		n := &yaml.Node{}
		if n.Encode(o) == nil {
			objects = append(objects, n)
			of.names = append(of.names, text(o, "kind")+" "+text(o, "metadata", "name"))
		}
	}
	return objects, of
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

// bundled reports whether an object is a workload of a DisaggregatedSet.
func (in *input) bundled(m member) bool {
	return slices.ContainsFunc(in.sets, func(b *bundle) bool {
		return b.Namespace == m.ref.Namespace && slices.Contains(b.names, m.ref.Kind+" "+m.ref.Name)
	})
}

// problems say what becomes of the set.
func (b *bundle) problems() schema.Problems {
	out := schema.Problems{b.Problem(schema.Warning, "kind", "a stack makes %s in place of DisaggregatedSet %s: delete that when their pods are ready", strings.Join(b.names, " and "), b.Name)}
	if b.Has("spec.slices") {
		out = append(out, b.Problem(schema.Warning, "spec.slices", "slices are not kept apart: the replicas of each role are those of all slices"))
	}
	if b.Has("spec.placementPolicy") {
		out = append(out, b.Problem(schema.Warning, "spec.placementPolicy", "left out: a stack has no slices to place; the annotation leaderworkerset.sigs.k8s.io/exclusive-topology, in annotations of a role, keeps each group in a domain"))
	}
	return out
}
