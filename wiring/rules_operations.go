package wiring

import (
	"slices"
	"strings"
)

var operationRules = []Rule{
	{
		ID: "replicas-and-autoscaler", Severity: Warning,
		Doc: "A workload that an autoscaler scales also says replicas. Each time the manifests are applied it falls back to that number, and " +
			"GPU pods are killed under load.",
		each: of[Edge]{allEdges, func(g *G, r *report, e Edge) {
			workload := g.Object(e.To)
			if e.Type != "scales" || workload == nil {
				return
			}
			if replicas := workload.at("spec", "replicas"); replicas.is() {
				r.add(place{workload, replicas}, e.From, "%s scales it, and replicas: %s is applied again and again", e.From, replicas.text()).fix("leave replicas out")
			}
		}},
	},
	{
		ID: "autoscaler-twice", Severity: Error,
		Doc:  "Two autoscalers scale the same workload and undo each other's work. A ScaledObject makes an HPA of its own.",
		find: findTwoScalers,
	},
	{
		ID: "autoscaler-flow-control", Severity: Error,
		Doc: "An autoscaler reads a metric of the endpoint picker's flow control, and its configuration does not switch the feature gate " +
			"flowControl on. The metric does not exist and nothing is scaled.",
		each: ofKinds{[]string{"ScaledObject", "HorizontalPodAutoscaler"}, func(g *G, r *report, o *Object) {
			if !mentions(o.at("spec"), "flow_control_") {
				return
			}
			for _, e := range first(g, g.pickable.take(o.Namespace, anything)) {
				gates := strings.Join(e.config.at("featureGates").words(), " ")
				if e.configAt != nil && !strings.Contains(gates, "flowControl") {
					r.add(o.in("spec"), e.configAt.Ref, "reads a metric of flow control, which is off in %s", e.configAt.Ref).fix("add featureGates: [flowControl]")
				}
			}
		}},
	},
	{
		ID: "budget-without-selector", Severity: Warning,
		Doc: "A PodDisruptionBudget has no selector. It protects no pod (kubernetes policy/v1, PodDisruptionBudgetSpec).",
		each: ofKinds{[]string{"PodDisruptionBudget"}, func(g *G, r *report, o *Object) {
			if o.at("spec").is() && !o.at("spec", "selector").is() && !o.namedPatch() {
				r.add(o.in("spec"), Ref{}, "protects no pod without a selector").fix("add selector: {matchLabels: {…}} with labels of the pods")
			}
		}},
	},
	{
		ID: "autoscaler-without-scale", Severity: Error,
		Doc: "An autoscaler's target is of a kind that has no number of replicas to set, such as a DisaggregatedSet or a DaemonSet, or an " +
			"HPA's target has no apiVersion. The autoscaler reports FailedGetScale and does nothing.",
		each: ofKinds{[]string{"ScaledObject", "HorizontalPodAutoscaler"}, func(g *G, r *report, o *Object) {
			switch kind := o.at("spec", "scaleTargetRef", "kind"); kind.text() {
			case "DaemonSet", "DisaggregatedSet", "InferencePool", "Job", "Pod", "Service":
				r.add(place{o, kind}, Ref{}, "a %s has no scale subresource", kind.text()).fix("scale a Deployment, a StatefulSet or a LeaderWorkerSet")
			case "Deployment", "StatefulSet", "LeaderWorkerSet":
				if o.Kind == "HorizontalPodAutoscaler" && !o.at("spec", "scaleTargetRef", "apiVersion").is() { // KEDA's default is apps/v1
					r.add(place{o, kind}, Ref{}, "the target has no apiVersion, and a %s is not of v1", kind.text()).fix("add its apiVersion")
				}
			}
		}},
	},
	{
		ID: "budgets-overlap", Severity: Error,
		Doc: "Two PodDisruptionBudgets select the same pods. The API server refuses to evict a pod that has more than one, so that nodes cannot be " +
			"drained (kubernetes pkg/registry/core/pod/storage/eviction.go).",
		find: findTwoBudgets,
	},
	{
		ID: "selector-selects-nothing", Severity: Warning,
		Doc: "A PodDisruptionBudget, NetworkPolicy, PodMonitor or ServiceMonitor selects nothing, though there are pods in its namespace. It is " +
			"without effect, and what it protects is not protected.",
		find: findIdleSelectors,
	},
	{
		ID: "monitor-port", Severity: Error,
		Doc: "A PodMonitor names a port that none of the pods it selects has, or selects pods that have none of its ports, or a ServiceMonitor names " +
			"one that the Service does not have. " +
			"Prometheus scrapes nothing and says nothing.",
		find: findMonitorPorts,
	},
}

func findTwoScalers(g *G, r *report) {
	first := map[Ref]Ref{}
	for _, e := range g.Edges {
		if e.Type != "scales" {
			continue
		}
		if other, ok := first[e.To]; ok && other != e.From {
			r.add(e.at, e.To, "%s scales %s too", other, e.To).fix("keep one")
		}
		first[e.To] = e.From
	}
}

func mentions(f field, text string) bool {
	if f.node == nil {
		return false
	}
	if strings.Contains(f.node.Value, text) {
		return true
	}
	for _, n := range f.node.Content {
		if mentions(field{node: resolved(n)}, text) {
			return true
		}
	}
	return false
}

func findIdleSelectors(g *G, r *report) {
	for _, o := range g.Kinds("PodDisruptionBudget", "NetworkPolicy", "PodMonitor", "ServiceMonitor") {
		selector := o.at("spec", "selector")
		if o.Kind == "NetworkPolicy" {
			selector = o.at("spec", "podSelector")
		}
		if len(selector.keys()) == 0 || selector.at("matchLabels", gatewayLabel).is() {
			continue
		}
		candidates := len(g.Kinds("Service"))
		if o.Kind != "ServiceMonitor" {
			candidates = len(seen(o, g.pods, anything))
		}
		if g.takenBy(o) == 0 && candidates > 0 {
			r.add(place{o, selector}, Ref{}, "selects nothing").fix("select by labels that the pods, or for a ServiceMonitor the Service, have")
		}
	}
}

func findMonitorPorts(g *G, r *report) {
	for _, o := range g.Kinds("PodMonitor") {
		findPodPorts(o, first(g, seen(o, g.pods, selecting(o.at("spec", "selector")))), r)
	}
	for _, o := range g.Kinds("ServiceMonitor") {
		for _, e := range o.at("spec", "endpoints").list() {
			for _, s := range g.monitored(o) {
				if port := e.at("port"); port.is() && !named(s, port.text()) {
					r.add(place{o, port}, s.Ref, "%s has no port named %s", s.Ref, port.text()).fix("it has %s", list(portsOf(s)))
				}
			}
		}
	}
}

// findPodPorts reports ports of a PodMonitor that none of its pods have, and pods that have none
// of its ports. Prometheus drops a port that a pod lacks (prometheus-operator
// pkg/prometheus/promcfg.go keeps targets by the port's name), so that one PodMonitor can scrape
// pods of one rank and of several.
func findPodPorts(o *Object, pods []*Pods, r *report) {
	var ports []field
	every := true // endpoints name a port
	for _, e := range o.at("spec", "podMetricsEndpoints").list() {
		switch port := e.at("port"); {
		case !port.is():
			every = false
		case len(pods) > 0 && !slices.ContainsFunc(pods, func(p *Pods) bool { return p.hasPort(port.text()) }):
			r.add(place{o, port}, pods[0].Ref, "the pods of %s have no port %s", pods[0].Ref, port.text()).fix("name a containerPort %s", port.text())
			every = false // one finding is enough
		default:
			ports = append(ports, port)
		}
	}
	for _, p := range pods {
		if every && len(ports) > 0 && !slices.ContainsFunc(ports, func(port field) bool { return p.hasPort(port.text()) }) {
			r.add(place{o, ports[0]}, p.Ref, "the pods of %s have no port %s", p.Ref, ports[0].text()).fix("name a containerPort %s", ports[0].text())
		}
	}
}

// named reports whether the Service has a port of that name; a monitor knows no numbers.
func named(s *Object, port string) bool {
	return slices.ContainsFunc(s.at("spec", "ports").list(), func(p field) bool { return p.at("name").text() == port })
}

func findTwoBudgets(g *G, r *report) {
	budgets := map[*Pods]*Object{}
	for _, o := range g.Kinds("PodDisruptionBudget") {
		if !o.at("spec", "selector").is() {
			continue // it protects none
		}
		for _, p := range first(g, g.pods.take(o.Namespace, selecting(o.at("spec", "selector")))) {
			if other := budgets[p]; other != nil && other.Ref != o.Ref {
				r.add(o.in("spec", "selector"), other.Ref, "selects %s, as %s does", p.Ref, other.Ref).fix("keep one")
				break
			}
			budgets[p] = o
		}
	}
}
