package wiring

var workloadRules = []Rule{{
	ID: "workload-selector", Severity: Error,
	Doc: "A workload's spec.selector does not take the labels of its own pod template. The API server refuses it: selector does not match " +
		"template labels.",
	each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
		switch p.Kind {
		case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet":
		default:
			return // the others make their selectors themselves
		}
		selector, labels := p.at("spec", "selector"), p.template.at("metadata", "labels")
		if selector.is() && !selectsAll(selector, p.labels) && !templated(pairs(selector.at("matchLabels"))+pairs(labels)) {
			r.add(place{p.Object, selector}, Ref{}, "selects %s, and its own pods have %s", pairs(selector.at("matchLabels")), pairs(labels)).
				fix("select by labels that the pod template has")
		}
	}},
}, {
	ID: "workloads-overlap", Severity: Warning,
	Doc: "A Deployment or StatefulSet with model servers selects the pods of another one too. Each counts the pods of both: autoscalers stop " +
		"with AmbiguousSelector, and disruption budgets and rollouts go by the wrong number (Kubernetes documentation, Deployments: do not overlap).",
	each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
		selector := p.at("spec", "selector")
		if p.Kind != "Deployment" && p.Kind != "StatefulSet" || !selector.is() || p.server() == nil {
			return
		}
		for _, other := range g.pods.take(p.Namespace, selecting(selector)) {
			if other.Ref != p.Ref && other.Kind == p.Kind && other.Namespace == p.Namespace {
				r.add(place{p.Object, selector}, other.Ref, "selects %s, which the pods of %s have too", pairs(selector.at("matchLabels")), other.Name).
					fix("add a label to the pods and the selector of each that tells them apart, such as inferstack.dev/variant")
				break
			}
		}
	}},
}}
