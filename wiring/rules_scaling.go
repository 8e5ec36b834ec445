package wiring

import (
	"slices"
	"strconv"

	apipath "k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
)

var scalingRules = []Rule{
	{
		ID: "scaling-request", Severity: Warning,
		Doc: "An autoscaler follows a share of the CPU or memory that its pods request, and a container of theirs requests none: it never scales, " +
			"unless a LimitRange of the namespace fills the request in. Or it follows another resource, such as a GPU, of which there are no metrics of " +
			"this kind. Containers that are added beside the server count, and init containers " +
			"that keep running.",
		find: findScaledRequests,
	},
	{
		ID: "scaled-object", Severity: Error,
		Doc: "KEDA refuses the ScaledObject: two triggers have one name, the formula names no trigger, its least replicas are above the most, a " +
			"trigger's kind of target is one that its scaler does not have, or a setting is missing that its scaler needs. A trigger of a type " +
			"that KEDA does not have is a warning where it resembles none, since a newer KEDA may have it.",
		each: ofKinds{[]string{"ScaledObject"}, func(g *G, r *report, o *Object) {
			for _, flaw := range scalingOf(o).Flaws() {
				r.add(o.along(flaw.Path), Ref{}, "%s: %s", flaw.Path, flaw.Message).fix("correct it")
			}
			for _, t := range o.at("spec", "triggers").list() {
				r.unknownScaler(place{o, t.at("type")})
			}
		}},
	},
	{
		ID: "scaled-object-formula", Severity: Warning,
		Doc: "A ScaledObject has scaling modifiers, and a trigger that their formula does not name. The workload follows the formula alone, so " +
			"the trigger has no effect.",
		each: ofKinds{[]string{"ScaledObject"}, func(g *G, r *report, o *Object) {
			for _, t := range scalingOf(o).Idle() {
				r.add(o.along(t.At.String()), Ref{}, "the formula does not name the trigger").fix("name it in the formula, or remove it")
			}
		}},
	},
}

// scalingOf is a ScaledObject as admission judges it, with paths from the object's top.
func scalingOf(o *Object) admission.Scaling {
	at := apipath.NewPath("spec")
	spec := o.at("spec")
	most, _ := spec.at("maxReplicaCount").number()
	out := admission.Scaling{Min: 1, Max: most, MinAt: at.Child("minReplicaCount")}
	if n, ok := spec.at("minReplicaCount").number(); ok || !spec.at("minReplicaCount").is() {
		out.Min = n // KEDA's default is 0
	}
	for i, t := range spec.at("triggers").list() {
		out.Triggers = append(out.Triggers, admission.Trigger{
			At: at.Child("triggers").Index(i), Type: t.at("type").text(), Name: t.at("name").text(),
			MetricType: metricTypeOf(t), Cached: t.at("useCachedMetrics").text() == "true", Metadata: settingsOf(t),
		})
	}
	if spec.at("fallback").is() {
		out.Fallback = at.Child("fallback")
	}
	if m := spec.at("advanced", "scalingModifiers"); m.at("formula").is() {
		at := at.Child("advanced", "scalingModifiers")
		out.Formula, out.FormulaAt = m.at("formula").text(), at.Child("formula")
		out.Target, out.TargetAt = m.at("target").text(), at.Child("target")
	}
	return out
}

// metricTypeOf is the kind of a trigger's target; before KEDA 2.18 it could stand in the metadata
// of the scalers cpu and memory.
func metricTypeOf(trigger field) string {
	return trigger.at("metricType").or(trigger.at("metadata", "type").text())
}

// along is the place of a path such as spec.triggers[0].name.
func (o *Object) along(path string) place {
	f := o.root
	for _, step := range finding.Steps(path) {
		if i, err := strconv.Atoi(step); err == nil {
			f = f.at(i)
		} else {
			f = f.at(step)
		}
	}
	return place{o, f}
}

// settingsOf are those of a trigger, nil where some are filled in later.
func settingsOf(trigger field) map[string]string {
	metadata := trigger.at("metadata")
	if !metadata.is() || templatedBelow(metadata) {
		return nil
	}
	return metadata.texts()
}

func (r *report) unknownScaler(at place) {
	kind := at.field.text()
	known, meant := admission.KnownScaler(kind)
	switch {
	case known || kind == "" || templated(kind):
	case meant != "":
		r.add(at, Ref{}, "KEDA has no scaler %s", kind).fix("did you mean %s?", meant)
	default:
		r.add(at, Ref{}, "no KEDA that is known here has a scaler %s", kind).warn().fix("name one of KEDA's scalers, such as prometheus")
	}
}

// A share is a resource of which an autoscaler follows how much of the request is used, in one
// container or in all.
type share struct {
	resource, container string
	at                  field
}

func findScaledRequests(g *G, r *report) {
	for _, e := range g.Edges {
		scaler, workload := g.Object(e.From), g.Object(e.To)
		if e.Type != "scales" || scaler == nil || workload == nil {
			continue
		}
		for _, s := range sharesOf(scaler) {
			if s.resource != "cpu" && s.resource != "memory" && !templated(s.resource) {
				r.add(place{scaler, s.at}, Ref{}, "follows the use of %s, and metrics of resources are there for cpu and memory only", s.resource).
					fix("follow a metric of the servers or of the endpoint picker, of type Pods, Object or External")
				continue
			}
			for _, p := range g.podsOf[workload] {
				for _, c := range p.containers {
					if s.without(c) {
						r.add(place{scaler, s.at}, p.Ref, "follows the %s that its pods request, and container %s of %s requests none", s.resource, c.name, p.Ref).
							fix("add resources.requests.%s to it, or follow one container that has it", s.resource)
					}
				}
			}
		}
	}
}

// without reports whether the container counts and requests nothing of the resource; a limit
// is a request too. The autoscaler adds up what all containers request that run beside each
// other (kubernetes v1.36 pkg/controller/podautoscaler/replica_calculator.go,
// calculatePodRequestsFromContainers).
func (s share) without(c *container) bool {
	if c.init && c.at("restartPolicy").text() != "Always" || s.container != "" && s.container != c.name {
		return false
	}
	resources := c.at("resources")
	return !resources.at("requests", s.resource).is() && !resources.at("limits", s.resource).is()
}

func sharesOf(scaler *Object) (out []share) {
	for _, m := range scaler.at("spec", "metrics").list() {
		for _, kind := range []string{"resource", "containerResource"} {
			if one := m.at(kind); one.at("target", "averageUtilization").is() {
				out = append(out, share{one.at("name").text(), one.at("container").text(), one})
			}
		}
	}
	for _, t := range scaler.at("spec", "triggers").list() {
		if kind := t.at("type").text(); slices.Contains([]string{"cpu", "memory"}, kind) && metricTypeOf(t) != "AverageValue" {
			out = append(out, share{kind, t.at("metadata", "containerName").text(), t})
		}
	}
	return out
}
