package wiring

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

var watchRules = []Rule{
	{
		ID: "pool-not-watched", Severity: Error,
		Doc: "A pool names an endpoint picker that watches another pool (--pool-name). An endpoint picker watches one: it answers the requests of " +
			"both with servers of its own pool.",
		each: ofKinds{[]string{"InferencePool"}, func(g *G, r *report, pool *Object) {
			for _, e := range g.pickers(pool) {
				f, given := e.given("pool-name")
				if given && f.value != pool.Name && !templated(f.value+pool.Name) && sameNamespace(e.poolNamespace(), pool.Namespace) {
					r.add(pool.in("spec", "endpointPickerRef", "name"), e.pods.Ref, "%s watches the pool %s, and not this one", e.pods.Ref, f.value).
						fix("give the pool an endpoint picker of its own")
				}
			}
		}},
	},
	{
		ID: "workload-unread", Severity: Info,
		Doc: "The pods that a pool selects are made by an object that is not looked into, such as a RayCluster, a Rollout of Argo, KServe's " +
			"LLMInferenceService or one of a controller that is not known. Nothing is checked of them.",
		each: ofKinds{[]string{"InferencePool"}, func(g *G, r *report, pool *Object) {
			selector := poolSelector(pool)
			if len(selector.keys()) == 0 || templated(pairs(selector)) || len(g.selected(pool, selector)) > 0 {
				return
			}
			for _, o := range g.Objects {
				if sameNamespace(o.Namespace, pool.Namespace) && o.mayMake(selector.texts()) {
					r.add(pool.in("spec", "selector"), o.Ref, "%s may make what it selects, and is not looked into", o.Ref).fix("check its pods by hand")
				}
			}
		}},
	},
}

// unreadKinds are those of controllers that make pods with labels of their own.
var unreadKinds = map[string]string{
	"LLMInferenceService": "serving.kserve.io", "InferenceService": "serving.kserve.io",
	"RayCluster": "ray.io", "RayService": "ray.io", "RayJob": "ray.io",
	"Rollout": "argoproj.io",
}

// mayMake reports whether an object that is not looked into may make pods with some labels: it has
// a pod template with them, or its controller adds labels of its own.
func (o *Object) mayMake(labels map[string]string) bool {
	if _, read := templates[o.Kind]; read || len(groupsOf(o)) > 0 || o.Kind == "InferencePool" {
		return false
	}
	if group := unreadKinds[o.Kind]; group != "" && group == o.Group && (o.Group != "argoproj.io" || len(templatesIn(o.at("spec"))) == 0) {
		return true
	}
	return o.hasTemplateWith(labels)
}

// hasTemplateWith reports whether an object has a pod template with some labels.
func (o *Object) hasTemplateWith(labels map[string]string) bool {
	return slices.ContainsFunc(templatesIn(o.at("spec")), func(t field) bool { return selects(labels, t.at("metadata", "labels").texts()) })
}

// templatesIn are the pod templates anywhere in a spec.
func templatesIn(spec field) (out []field) {
	spec.walk(func(_ string, f field) {
		if f.is() && f.node.Kind == yaml.MappingNode && f.at("spec", "containers").is() && f.at("metadata").is() {
			out = append(out, f)
		}
	})
	return out
}
