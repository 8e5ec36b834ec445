package wiring

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/apis"
	"github.com/inferstack/inferstack/internal/lazyjson"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/parallel"
	"github.com/inferstack/inferstack/kubeschema"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// refusedField is the rule that yields to others about the same line, which know more.
const refusedField = "refused-field"

var admissionRules = []Rule{{
	ID: refusedField, Severity: Error,
	Doc: "A field has the right type, and a value that the API server or the webhook of its kind refuses: a request above its limit, a port name " +
		"that is there twice, a volume without a source, roles of a DisaggregatedSet of which one has no servers, a host name with a " +
		"port, a listener's name that is there twice. Kubernetes' own kinds are judged by its rules, and custom resources by the patterns, " +
		"lists and CEL rules of their CRDs.",
	find: findRefusals,
}}

func findRefusals(g *G, r *report) {
	for _, o := range g.Objects {
		g.misfits(o) // remembers them, before several look
	}
	found := parallel.Map(len(g.Objects), func(i int) []refusal { return refusals(g.Objects[i], g.misfitting[g.Objects[i]]) })
	for i, o := range g.Objects {
		for _, x := range found[i] {
			if at := (place{o, x.at}); !templatedBelow(at.field) {
				g.span(at)
				r.add(at, Ref{}, "%s: %s", x.path, x.message)
			}
		}
	}
}

// A refusal is a field that the API server refuses.
type refusal struct {
	path, message string
	at            field
}

// refusals are what is wrong with an object that is whole: by the rules that are known here, and where
// those say nothing by the limits of its CRD.
func refusals(o *Object, misfits []kubeschema.Problem) []refusal {
	if !whole(o) {
		return nil
	}
	out := lists.Map(flaws(o, misfits), func(f admission.Flaw) refusal { return refusal{f.Path, f.Message, o.along(f.Path).field} })
	limits := kubeschema.LimitsOf(o.APIVersion, o.Kind)
	if limits == nil {
		return out
	}
	known := out
	for _, p := range kubeschema.Breaches(o.Node(), limits, templated, misfits) {
		if !slices.ContainsFunc(known, func(x refusal) bool { return finding.Within(x.path, p.Path) || finding.Within(p.Path, x.path) }) {
			out = append(out, refusal{p.Path, p.Message, field{node: p.Node}})
		}
	}
	return out
}

// admitted makes an empty object of each kind that admission judges.
var admitted = map[string]func() metav1.Object{
	"v1 ConfigMap":                                func() metav1.Object { return new(corev1.ConfigMap) },
	"v1 PersistentVolumeClaim":                    func() metav1.Object { return new(corev1.PersistentVolumeClaim) },
	"v1 Service":                                  func() metav1.Object { return new(corev1.Service) },
	"apps/v1 DaemonSet":                           func() metav1.Object { return new(appsv1.DaemonSet) },
	"apps/v1 Deployment":                          func() metav1.Object { return new(appsv1.Deployment) },
	"apps/v1 StatefulSet":                         func() metav1.Object { return new(appsv1.StatefulSet) },
	"batch/v1 Job":                                func() metav1.Object { return new(batchv1.Job) },
	"autoscaling/v2 HorizontalPodAutoscaler":      func() metav1.Object { return new(autoscalingv2.HorizontalPodAutoscaler) },
	"policy/v1 PodDisruptionBudget":               func() metav1.Object { return new(policyv1.PodDisruptionBudget) },
	"resource.k8s.io/v1 ResourceClaimTemplate":    func() metav1.Object { return new(resourcev1.ResourceClaimTemplate) },
	"gateway.networking.k8s.io/v1 HTTPRoute":      func() metav1.Object { return new(gwapiv1.HTTPRoute) },
	"leaderworkerset.x-k8s.io/v1 LeaderWorkerSet": func() metav1.Object { return new(lwsv1.LeaderWorkerSet) },
	"disaggregatedset.x-k8s.io/v1 DisaggregatedSet": func() metav1.Object {
		return new(apis.DisaggregatedSet)
	},
}

// flaws are what the API server refuses of an object by rules that are known here. Where a value has the
// wrong type or a field is not known, what follows from that is not said as well.
func flaws(o *Object, misfits []kubeschema.Problem) []admission.Flaw {
	create := admitted[o.APIVersion+" "+o.Kind]
	if create == nil {
		return nil
	}
	typed := create()
	if len(misfits) == 0 && kubeschema.Of(o.APIVersion, o.Kind) != nil && lazyjson.Decode(document.JSON(o.Node()), typed) == nil {
		return admission.Object(typed)
	}
	var out []admission.Flaw
	var blind []string
	for _, p := range misfits {
		if p.Missing != "" {
			blind = append(blind, above(p.Path))
		}
	}
	wrong := map[*yaml.Node]bool{}
	for _, p := range document.Decode(document.Document{Node: o.Node()}, create()) {
		if p.Rule == document.RuleMissing { // what its kind's schema does not ask for has a default
			continue
		}
		blind, wrong[o.along(p.Path).field.node] = append(blind, unseen(o, p, misfits)), true
		if p.Rule != document.RuleUnknown {
			out = append(out, admission.Flaw{Path: p.Path, Message: p.Message})
		}
	}
	typed = create()
	if lazyjson.Decode(document.JSON(without(o.Node(), wrong)), typed) != nil {
		return out
	}
	for _, f := range admission.Object(typed) {
		if !slices.ContainsFunc(blind, func(path string) bool { return finding.Within(f.Path, path) || finding.Within(path, f.Path) }) {
			out = append(out, f)
		}
	}
	return out
}

// without is a tree without some of the values in its mappings.
func without(n *yaml.Node, wrong map[*yaml.Node]bool) *yaml.Node {
	n = resolved(n)
	if n == nil || n.Kind == yaml.ScalarNode {
		return n
	}
	out := *n
	out.Content = nil
	for i, inner := range n.Content {
		if n.Kind == yaml.MappingNode && wrong[resolved(n.Content[i|1])] {
			continue
		}
		out.Content = append(out.Content, without(inner, wrong))
	}
	return &out
}

// unseen is around what nothing can be said, since a value in it cannot be read or may stand for
// another: an amount for those that are compared with it, a name for what refers to it, anything else that is
// no plain value for all beside it. A misspelt field stands for the one that is meant.
func unseen(o *Object, p schema.Problem, misfits []kubeschema.Problem) string {
	for _, m := range misfits {
		if m.Path == p.Path && Near(m.Unknown, m.Known) != "" {
			return above(p.Path) + "." + Near(m.Unknown, m.Known)
		}
	}
	at := o.along(p.Path).field
	_, afterResources, amount := strings.Cut(p.Path, ".resources.")
	switch {
	case amount:
		return strings.TrimSuffix(p.Path, "."+afterResources)
	case strings.HasSuffix(p.Path, ".name") || strings.HasSuffix(p.Path, "Name"):
		return above(above(above(p.Path)))
	case p.Rule == document.RuleUnknown || len(at.keys()) > 0 || len(at.list()) > 0:
		return above(p.Path)
	}
	return p.Path
}

// above is the path of what a field or an item is in.
func above(path string) string {
	return path[:max(0, strings.LastIndexAny(path, ".["))]
}

// whole reports whether an object is one, and not a patch of one: those are rarely of a workload
// with its selector, and name containers without their images.
func whole(o *Object) bool {
	if o.namedPatch() {
		return false
	}
	switch o.Kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		return o.at("spec", "selector").is()
	case "LeaderWorkerSet":
		return o.at("spec", "leaderWorkerTemplate", "workerTemplate", "spec", "containers", 0, "image").is()
	default:
		return o.at("spec").is() || o.at("data").is() || o.at("binaryData").is()
	}
}

// templatedBelow reports whether a value is filled in later, or a part of it.
func templatedBelow(f field) bool {
	if !f.is() {
		return false
	}
	return templated(f.node.Value) || slices.ContainsFunc(f.node.Content, func(n *yaml.Node) bool { return templatedBelow(field{node: resolved(n)}) })
}
