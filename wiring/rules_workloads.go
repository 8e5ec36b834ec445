package wiring

var workloadRules = []Rule{{
	ID: "workload-selector", Severity: Error,
	Doc: "A workload's spec.selector does not take the labels of its own pod template. The API server refuses it: selector does not match " +
		"template labels.",
	find: func(g *G, r *report) {
		for _, p := range g.Pods {
			switch p.Kind {
			case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet":
			default:
				continue // the others make their selectors themselves
			}
			selector, labels := p.at("spec", "selector"), p.template.at("metadata", "labels")
			if selector.is() && !selectsAll(selector, p.labels) && !templated(pairs(selector.at("matchLabels"))+pairs(labels)) {
				r.add(place{p.Object, selector}, Ref{}, "selects %s, and its own pods have %s", pairs(selector.at("matchLabels")), pairs(labels)).
					fix("select by labels that the pod template has")
			}
		}
	},
}}
