// Package status says of live objects whether they do what they are for, and if not, why.
// Workloads, claims, Services and pods are judged as kstatus does; Gateway API objects,
// InferencePools, LeaderWorkerSets and DisaggregatedSets, on which kstatus has nothing to say, by
// their own conditions. It reads only the objects it is given.
package status

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

// State is how far an object has come.
type State string

// The states, the worst first.
const (
	Failing     State = "failing"     // something has to be done
	Progressing State = "progressing" // wait
	Ready       State = "ready"
)

var order = []State{Failing, Progressing, Ready}

// worse is the one of two states that matters.
func worse(a, b State) State {
	if slices.Index(order, a) < slices.Index(order, b) {
		return a
	}
	return b
}

// Verdict is a state and why it is so.
type Verdict struct {
	State  State  `json:"state"`
	Reason string `json:"reason,omitempty"`
}

// missing is the reason of what is wanted and not there.
const missing = "is not in the cluster"

// Object is a judged object.
type Object struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Verdict
	// Warning is what is not well with an object that is ready all the same.
	Warning string `json:"warning,omitempty"`
	// Pods of a workload.
	Pods []Pods `json:"pods,omitempty"`
}

// Component is a part of a stack, such as its endpoint picker; its state is the worst of
// its objects'.
type Component struct {
	Namespace string `json:"namespace,omitempty"`
	Stack     string `json:"stack,omitempty"`
	Component string `json:"component"`
	State     State  `json:"state"`
	// Pods are those of its workloads, by role.
	Pods    []Pods   `json:"pods,omitempty"`
	Objects []Object `json:"objects"`
}

// Report is all components.
type Report struct {
	State      State       `json:"state"`
	Components []Component `json:"components"`
	// places of the components while they are found.
	places map[[3]string]int
}

// Of judges objects and sorts them by stack and component, the worst of each first. What
// is wanted and not among them is missing; nothing need be wanted.
func Of(objects, wanted []*unstructured.Unstructured) Report {
	report := Report{State: Ready, Components: []Component{}}
	around := surroundings{routedPools(objects), groupsOfSets(objects)}
	for _, u := range objects {
		report.add(u, judge(u, around), around)
	}
	live := identities(objects)
	for _, w := range wanted {
		if !live[identityOf(w)] {
			report.add(w, Verdict{Failing, missing}, around)
		}
	}
	for i := range report.Components {
		slices.SortFunc(report.Components[i].Objects, func(a, b Object) int {
			return cmp.Or(
				cmp.Compare(slices.Index(order, a.State), slices.Index(order, b.State)),
				cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
		})
	}
	report.places = nil
	slices.SortFunc(report.Components, func(a, b Component) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Stack, b.Stack), cmp.Compare(a.Component, b.Component))
	})
	return report
}

// An identity is what tells an object from others, of whatever version.
type identity struct {
	kind            schema.GroupKind
	namespace, name string
}

func identityOf(u *unstructured.Unstructured) identity {
	return identity{u.GroupVersionKind().GroupKind(), u.GetNamespace(), u.GetName()}
}

// identities are those of live objects, each also without its namespace: an object that is
// wanted without one is in that of whoever applied it.
func identities(objects []*unstructured.Unstructured) map[identity]bool {
	out := make(map[identity]bool, 2*len(objects))
	for _, u := range objects {
		id := identityOf(u)
		out[id] = true
		id.namespace = ""
		out[id] = true
	}
	return out
}

func (r *Report) add(u *unstructured.Unstructured, v Verdict, around surroundings) {
	c := r.component(u)
	o := Object{Kind: u.GetKind(), Namespace: u.GetNamespace(), Name: u.GetName(), Verdict: v}
	o.Pods = podsOf(u, around.groups[u.GetNamespace()+"/"+u.GetName()])
	c.Pods = sum(c.Pods, o.Pods)
	if o.Kind == "Pod" && v.State == Ready {
		o.Warning = restarts(u)
	}
	c.Objects = append(c.Objects, o)
	c.State = worse(c.State, v.State)
	r.State = worse(r.State, v.State)
}

// component finds the component of an object by the recommended labels of Kubernetes, or
// makes it. An object without them is a component by its kind.
func (r *Report) component(u *unstructured.Unstructured) *Component {
	labels := u.GetLabels()
	c := Component{
		Namespace: u.GetNamespace(), Stack: labels["app.kubernetes.io/instance"],
		Component: cmp.Or(labels["app.kubernetes.io/component"], u.GetKind()), State: Ready,
	}
	at := [3]string{c.Namespace, c.Stack, c.Component}
	if i, known := r.places[at]; known {
		return &r.Components[i]
	}
	if r.places == nil {
		r.places = map[[3]string]int{}
	}
	r.places[at] = len(r.Components)
	r.Components = append(r.Components, c)
	return &r.Components[len(r.Components)-1]
}

// surroundings are what other objects say of one: the pools to which a route leads, and the
// LeaderWorkerSets of each DisaggregatedSet, by namespace/name.
type surroundings struct {
	routed map[string]bool
	groups map[string][]*unstructured.Unstructured
}

// judge picks the rules for a kind.
func judge(u *unstructured.Unstructured, around surroundings) Verdict {
	if u.GetDeletionTimestamp() != nil {
		return Verdict{Progressing, "is being deleted"}
	}
	switch gk := u.GroupVersionKind().GroupKind(); gk.String() {
	case "Gateway.gateway.networking.k8s.io":
		return gateway(u)
	case "HTTPRoute.gateway.networking.k8s.io":
		return route(u)
	case "InferencePool.inference.networking.k8s.io", "InferencePool.inference.networking.x-k8s.io":
		return pool(u, around.routed[u.GetNamespace()+"/"+u.GetName()])
	case "LeaderWorkerSet.leaderworkerset.x-k8s.io":
		return leaderWorkerSet(u)
	case "DisaggregatedSet.disaggregatedset.x-k8s.io":
		return disaggregatedSet(u, around.groups[u.GetNamespace()+"/"+u.GetName()])
	case "HorizontalPodAutoscaler.autoscaling":
		return conditions(u, u.Object["status"], "AbleToScale", "ScalingActive")
	case "ScaledObject.keda.sh": // keda v2.18 apis/keda/v1alpha1/condition_types.go
		return conditions(u, u.Object["status"], "Ready")
	case "Deployment.apps", "ReplicaSet.apps":
		return workload(u)
	case "GCPBackendPolicy.networking.gke.io", "HealthCheckPolicy.networking.gke.io":
		return attached(u)
	case "Pod":
		return pod(u)
	}
	return general(u)
}

// general is what kstatus says.
func general(u *unstructured.Unstructured) Verdict {
	r, err := status.Compute(u)
	if err != nil {
		return Verdict{Failing, fmt.Sprintf("a status that cannot be read: %v", err)}
	}
	switch r.Status {
	case status.CurrentStatus:
		return Verdict{State: Ready}
	case status.FailedStatus:
		return Verdict{Failing, r.Message}
	default:
		return Verdict{Progressing, r.Message}
	}
}
