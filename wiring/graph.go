package wiring

import (
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/kubeschema"
)

// State reports whether an edge arrives.
type State string

const (
	// Present is an edge to an object of the set.
	Present State = "present"
	// Prerequisite is an edge to something that must already exist.
	Prerequisite State = "prerequisite"
	// Missing is an edge to something that should be in the set and is not.
	Missing State = "missing"
)

// An Edge is a reference from one object to another.
type Edge struct {
	From, To Ref
	// Type says what kind of reference it is, such as selects, routes to or mounts.
	Type string
	// Detail is the port, section or key of the reference.
	Detail string
	State  State

	at   place
	near string
}

// G is the graph of references over a set of objects.
type G struct {
	// Objects in the order given.
	Objects []*Object
	// Edges in the order of the objects they come from.
	Edges []Edge
	// Pods are the pod templates of the objects.
	Pods []*Pods

	epps    []*epp
	proxies []*proxy
	lacks   []lack
	// addresses are Services that flags and configurations name by their address.
	addresses []portUse
	platform  map[string]string
	// misfitting is what was found against objects by the schemas of their kinds.
	misfitting map[*Object][]kubeschema.Problem
	// spans are the last lines of lists that are refused as a whole, by their first.
	spans map[line]int

	index    *index
	pods     *shelf[*Pods]
	services *shelf[*Object]
	pickable *shelf[*epp]
	// podsOf are the pod templates of an object.
	podsOf map[*Object][]*Pods
	// crowded says that what selectors take is not looked at whole; see limit.go.
	crowded bool

	// policies, routing and the like are found out when the first asks, since not all do.
	policies func() policies
	routing  func() *routing
	asking   func() *asking
	bindings func() *bindings
	filters  func() *filters
	nearest  remembered[string, *Pods]
	// idleRoles are roles for endpoint pickers, absent pools of which no server is in the set.
	idleRoles  func() *spread[*Object]
	serverless func() *rack[*Object]
	// poolServices are pools by the Services that Istio makes of them.
	poolServices func() map[slot]*Object
	// unnamed are the objects that no reference names, by kind and namespace.
	unnamed func() map[slot][]*Object
}

// Graph follows every reference between the objects that it knows.
func Graph(objects []*Object) *G {
	g := &G{Objects: objects, index: newIndex(objects), podsOf: map[*Object][]*Pods{}}
	for _, o := range objects {
		if pods := podsOf(o); len(pods) > 0 {
			g.podsOf[o] = pods
			g.Pods = append(g.Pods, pods...)
		}
	}
	g.findEPPs()
	g.shelve()
	g.findProxies()
	for _, p := range g.Pods {
		g.linkPods(p)
	}
	for _, e := range g.epps {
		g.linkEPP(e)
	}
	for _, x := range g.proxies {
		g.linkProxy(x)
	}
	for _, o := range objects {
		if link := links[o.Kind]; link != nil {
			link(g, o)
		}
	}
	return g
}

// shelve makes what selectors are asked of.
func (g *G) shelve() {
	ofPods := func(p *Pods) string { return p.Namespace }
	g.pods = newShelf(g.Pods, ofPods, func(p *Pods) map[string]string { return p.labels })
	g.services = newShelf(g.index.ofKinds("Service"), func(o *Object) string { return o.Namespace }, func(o *Object) map[string]string { return o.labels })
	g.pickable = newShelf(g.epps, func(e *epp) string { return e.pods.Namespace }, func(e *epp) map[string]string { return e.pods.labels })
	g.measure()
	g.policies = sync.OnceValue(g.findPolicies)
	g.routing = sync.OnceValue(g.findRouting)
	g.asking = sync.OnceValue(g.findAsking)
	g.bindings = sync.OnceValue(g.findBindings)
	g.filters = sync.OnceValue(g.findFilters)
	g.idleRoles = sync.OnceValue(g.findIdleRoles)
	g.serverless = sync.OnceValue(g.findServerless)
	g.poolServices = sync.OnceValue(g.findPoolServices)
	g.unnamed = sync.OnceValue(g.findUnnamed)
}

// links follow the references of a kind.
var links = map[string]func(*G, *Object){
	"Service":                 linkSelector("spec", "selector"),
	"InferencePool":           linkPool,
	"InferenceObjective":      linkPoolRef,
	"InferenceModelRewrite":   linkPoolRef,
	"Gateway":                 linkGateway,
	"HTTPRoute":               linkRoute,
	"GRPCRoute":               linkRoute,
	"Ingress":                 linkIngress,
	"EnvoyFilter":             linkEnvoyFilter,
	"DestinationRule":         linkDestinationRule,
	"RoleBinding":             linkBinding,
	"ClusterRoleBinding":      linkBinding,
	"HorizontalPodAutoscaler": linkScaler,
	"ScaledObject":            linkScaler,
	"VariantAutoscaling":      linkVariant,
	"PodDisruptionBudget":     linkBudget,
	"NetworkPolicy":           linkSelector("spec", "podSelector", "matchLabels"),
	"PodMonitor":              linkSelector("spec", "selector", "matchLabels"),
	"ServiceMonitor":          linkServiceMonitor,
	"HealthCheckPolicy":       linkTarget,
	"GCPBackendPolicy":        linkTarget,
}

// Kinds returns the objects of some kinds, in order.
func (g *G) Kinds(kinds ...string) []*Object { return g.index.ofKinds(kinds...) }

// Object returns the object that a reference names, nil when it is not in the set. A
// reference without a group takes any.
func (g *G) Object(to Ref) *Object { return g.index.object(to) }

// expected are the kinds that are part of what is deployed together: when one is named
// and not there, something was forgotten. What is of another kind is taken to be there,
// and so is a pool in a set without pools: charts make those, and routes and objectives
// are written beside (gateway-api-inference-extension, config/manifests).
var expected = map[string]bool{
	"Service": true, "InferencePool": true, "Role": true, "HTTPRoute": true,
	"Deployment": true, "StatefulSet": true, "LeaderWorkerSet": true, "DisaggregatedSet": true,
}

// link adds an edge and returns the object at its end, if it is in the set.
func (g *G) link(from place, to Ref, kind, detail string) *Object {
	e := Edge{From: from.object.Ref, To: to, Type: kind, Detail: detail, State: Present, at: from}
	o := g.Object(to)
	switch {
	case o != nil:
		e.To = o.Ref
	case to.Name == "":
		return nil
	case templated(to.Name):
		e.State = Prerequisite
	default:
		e.State, e.near = g.absent(to)
	}
	g.Edges = append(g.Edges, e)
	return o
}

// absent says what it means that the object is not in the set, and which one may be meant.
func (g *G) absent(to Ref) (State, string) {
	name := g.index.near(to)
	pools := len(g.index.kinds["InferencePool"]) > 0
	if name != "" || expected[to.Kind] && g.index.spaces[to.Namespace] && (pools || to.Kind != "InferencePool") {
		return Missing, name
	}
	return Prerequisite, ""
}

// ofOtherGroup is the object that a reference would name if it were of its API group.
func (g *G) ofOtherGroup(to Ref) *Object {
	if o := g.Object(Ref{Kind: to.Kind, Namespace: to.Namespace, Name: to.Name}); o != nil && o.Group != to.Group {
		return o
	}
	return nil
}

// linkSelected adds an edge to each workload whose pods the selector takes.
func (g *G) linkSelected(from *Object, pods []*Pods) {
	for _, p := range pods {
		g.link(from.in(), p.Ref, "selects", "")
	}
}

func linkSelector(path ...any) func(*G, *Object) {
	return func(g *G, o *Object) { g.linkSelected(o, g.selected(o, o.at(path...))) }
}

// linkBudget follows a budget's selector; without one it takes no pods.
func linkBudget(g *G, o *Object) {
	if o.at("spec", "selector").is() {
		linkSelector("spec", "selector", "matchLabels")(g, o)
	}
}

// selected are the pods beside an object that the matchLabels take. The list is shared: it is
// not to be changed.
func (g *G) selected(o *Object, matchLabels field) []*Pods {
	return first(g, g.pods.take(o.Namespace, matching(matchLabels)))
}

// hasPods reports whether any pods of the set are in the namespace.
func (g *G) hasPods(namespace string) bool { return g.pods.any(namespace) }

func scalar(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}
