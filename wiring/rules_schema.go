package wiring

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/kubeschema"
)

var schemaRules = []Rule{
	{
		ID: "unknown-field", Severity: Error,
		Doc: "An object has a field that its kind does not have, such as extensionRef and targetPortNumber in an InferencePool of v1, whose " +
			"names are endpointPickerRef and targetPorts now. The API server refuses it with strict validation, as kubectl asks for, and drops " +
			"it silently without. Known are the kinds of Kubernetes, of the Gateway API and its Inference Extension, and those of Istio, " +
			"kgateway, KEDA, LeaderWorkerSet and the Prometheus Operator; a field of these that resembles none that is known is a warning, " +
			"since a newer version may have it.",
		each: visit2[*Object, kubeschema.Problem]{eachProblem, func(g *G, r *report, o *Object, p kubeschema.Problem) {
			if p.Unknown == "" {
				return
			}
			f := r.add(place{o, field{node: p.Node}}, Ref{}, "%s has no field %s", o.Kind, p.Path)
			switch instead, meant := successor(o, p.Path).instead, Near(p.Unknown, p.Known); {
			case instead != "":
				f.fix("%s", instead)
			case meant != "":
				f.fix("did you mean %s?", meant)
			default:
				if evolving(o) {
					f.Severity = Warning
				}
				f.fix("there are %s", list(p.Known))
			}
		}},
	},
	{
		ID: "invalid-field", Severity: Error,
		Doc: "An object lacks a field that its kind requires, or has a value of another type or out of the range of its schema: a number or a " +
			"boolean in place of text (a variable's value 8000, a label's value true), a port that is a number where an object is expected. The " +
			"API server refuses it.",
		each: visit2[*Object, kubeschema.Problem]{eachProblem, func(g *G, r *report, o *Object, p kubeschema.Problem) {
			switch at := (place{o, field{node: p.Node}}); {
			case p.Unknown != "" || p.Path == "spec.endpointPickerRef.failureMode": // pool-failure-mode says so
			case p.Missing != "":
				if !partial(o, p) && !g.renamed(o, p) {
					r.add(at, Ref{}, "%s is required", p.Path).fix("%s", cmp.Or(requirement(o, p.Path), "add "+p.Missing))
				}
			case !strings.HasPrefix(p.Path, "metadata.name"): // some patches name what they are merged into 0
				r.add(at, Ref{}, "%s %s", p.Path, p.Message)
			}
		}},
	},
}

func eachProblem(g *G, visit func(o *Object, p kubeschema.Problem)) {
	for _, o := range g.Objects {
		for _, p := range g.misfits(o) {
			visit(o, p)
		}
	}
}

// misfits are what the schema of its kind has against an object.
func (g *G) misfits(o *Object) []kubeschema.Problem {
	if found, ok := g.misfitting[o]; ok {
		return found
	}
	var found []kubeschema.Problem
	if s := kubeschema.Of(o.APIVersion, o.Kind); s != nil {
		found = kubeschema.Check(o.root.node, s, templated)
		found = slices.DeleteFunc(found, func(p kubeschema.Problem) bool { return strings.HasPrefix(p.Unknown, "$") || templated(p.Unknown) })
	}
	if g.misfitting == nil {
		g.misfitting = map[*Object][]kubeschema.Problem{}
	}
	g.misfitting[o] = found
	return found
}

// evolving reports whether a kind gets new fields now and then, in versions that the schemas
// here may not know.
func evolving(o *Object) bool {
	switch o.Group {
	case gatewayGroup, poolGroup, poolGroupOld:
		return false
	default:
		return strings.Contains(o.Group, ".") && !strings.HasSuffix(o.Group, ".k8s.io") || strings.HasSuffix(o.Group, ".x-k8s.io")
	}
}

// partial reports whether an object may get the field from another that it is merged with: by
// the name of its file, or since it is one that overlays usually complete, such as a Gateway
// with the class here and the listeners there.
func partial(o *Object, p kubeschema.Problem) bool {
	nested := strings.Count(p.Path, ".") > 1 || strings.Contains(p.Path, "[")
	return o.namedPatch() || !o.at("spec").is() || !nested && o.Kind != "InferencePool"
}

// namedPatch reports whether the object's file is called a patch.
func (o *Object) namedPatch() bool { return strings.Contains(path.Base(o.File), "patch") }

// A move is what took the place of a field.
type move struct {
	path    func() *regexp.Regexp
	instead string
	// to is the field beside it that took its place, where a finding about the old one is enough.
	to string
}

// moves are fields of older versions by kind and group (gateway-api-inference-extension,
// api/v1 against apix/v1alpha2 of v1.0.0).
var moves = map[string][]move{
	"InferencePool " + poolGroup: {
		{path: pattern.Lazy(`^spec\.extensionRef$`), instead: "in v1 it is endpointPickerRef: {name: …, port: {number: 9002}}", to: "endpointPickerRef"},
		{path: pattern.Lazy(`^spec\.targetPortNumber$`), instead: "in v1 it is targetPorts: [{number: …}]"},
		{path: pattern.Lazy(`^spec\.selector\.[^.]+`), instead: "in v1 labels stand below selector.matchLabels"},
		{path: pattern.Lazy(`^spec\.targetPorts\[\d+\]\.`), instead: "a target port is written {number: …}"},
		{path: pattern.Lazy(`^spec\.endpointPickerRef\.(portNumber|targetPortNumber|targetPort)$`), instead: "in v1 it is port: {number: …}"},
		{path: pattern.Lazy(`^spec\.endpointPickerRef\.namespace$`), instead: "the endpoint picker's Service is in the pool's namespace"},
	},
	"InferencePool " + poolGroupOld: {
		{path: pattern.Lazy(`^spec\.endpointPickerRef$`), instead: "before v1 it is extensionRef; or set apiVersion: " + poolGroup + "/v1"},
		{path: pattern.Lazy(`^spec\.targetPorts$`), instead: "before v1 it is targetPortNumber; or set apiVersion: " + poolGroup + "/v1"},
	},
	"HorizontalPodAutoscaler autoscaling": {
		{path: pattern.Lazy(`^spec\.(metrics|behavior)$`), instead: "only autoscaling/v2 has it; set apiVersion: autoscaling/v2"},
	},
	"InferenceObjective " + poolGroupOld: objectiveMoves,
	"InferenceObjective llm-d.ai":        objectiveMoves,
}

var objectiveMoves = []move{
	{path: pattern.Lazy(`^spec\.criticality$`), instead: "an InferenceObjective has a priority, a number"},
	{path: pattern.Lazy(`^spec\.(targetModels|modelName)$`), instead: "models are rewritten by an InferenceModelRewrite"},
}

func successor(o *Object, path string) move {
	return lists.First(moves[o.Kind+" "+o.Group], func(m move) bool { return m.path().MatchString(path) })
}

// renamed reports whether a field that is missing is there under its former name, which is
// reported as unknown.
func (g *G) renamed(o *Object, missing kubeschema.Problem) bool {
	return slices.ContainsFunc(g.misfits(o), func(p kubeschema.Problem) bool {
		return p.Unknown != "" && successor(o, p.Path).to == missing.Missing && strings.TrimSuffix(p.Path, p.Unknown) == strings.TrimSuffix(missing.Path, missing.Missing)
	})
}

// requirement is how to write a required field that people leave out.
func requirement(o *Object, path string) string {
	if o.Kind != "InferencePool" || o.Group != poolGroup {
		return ""
	}
	switch {
	case path == "spec.endpointPickerRef":
		return "add endpointPickerRef: {name: …, port: {number: 9002}} with the endpoint picker's Service"
	case path == "spec.targetPorts":
		return "add targetPorts: [{number: …}] with the servers' port"
	case path == "spec.selector.matchLabels":
		return "write selector: {matchLabels: {…}} with labels of the servers' pods"
	case strings.HasPrefix(path, "spec.targetPorts[") && strings.HasSuffix(path, ".number"):
		return "write {number: …}"
	default:
		return ""
	}
}
