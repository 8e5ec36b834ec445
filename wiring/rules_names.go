package wiring

import (
	"slices"

	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/release"
)

var nameRules = []Rule{
	{
		ID: "name-too-long", Severity: Error,
		Doc: "A name is longer than what is made of it may be: a Service has 63 characters, a Gateway 63 with the class that its " +
			"Service's name gets, a StatefulSet's or LeaderWorkerSet's name 52 since pods get a label with a hash.",
		each: of[*Object]{allObjects, func(g *G, r *report, o *Object) {
			if most, why := longest(o); most > 0 && len(o.Name) > most && !templated(o.Name) {
				r.add(o.in("metadata", "name"), Ref{}, "the name has %d characters, and at most %d are possible: %s", len(o.Name), most, why).fix("shorten it")
			}
		}},
	},
	{
		ID: "pool-name-long", Severity: Warning,
		Doc: "The name of a pool behind a Gateway of Istio has more than 50 characters. Istio makes a Service <pool>-ip-<hash> of it, of at most 63: " +
			"newer versions cut the name, older ones make none.",
		each: ofKinds{[]string{"InferencePool"}, func(g *G, r *report, pool *Object) {
			if len(pool.Name) > 50 && !templated(pool.Name) && g.istioServes(pool) {
				r.add(pool.in("metadata", "name"), Ref{}, "the name has %d characters; Istio's Service for it gets 12 more", len(pool.Name)).fix("use at most 50")
			}
		}},
	},
	{
		ID: "label-value", Severity: Error,
		Doc: "A label's value is not a label value: at most 63 characters of letters, digits, - _ and ., and no slash as in a model's name. The " +
			"API server refuses the object.",
		find: func(g *G, r *report) {
			for _, p := range g.Pods {
				checkLabels(r, p.Object, p.template.at("metadata", "labels"))
			}
			for _, o := range g.Objects {
				checkLabels(r, o, o.at("metadata", "labels"))
				if o.Kind == "InferencePool" {
					checkLabels(r, o, poolSelector(o))
				}
			}
		},
	},
	{
		ID: "api-version-gone", Severity: Error,
		Doc: "An object is of an API version or kind that is no longer served: InferenceModel became InferenceObjective, the autoscaling betas " +
			"and policy/v1beta1 left Kubernetes in 1.25 and 1.26. With --platform the version that is named decides.",
		each: of[*Object]{allObjects, func(g *G, r *report, o *Object) {
			l, known := release.ServedBy(o.APIVersion, o.Kind)
			if _, declared := g.platform[l.Component]; known && l.Until != "" && !declared && l.Leaving == "" {
				r.add(o.in("apiVersion"), Ref{}, "%s %s is no longer served", o.APIVersion, o.Kind).fix("use %s", l.Instead)
			}
		}},
	},
	{
		ID: "api-version-unserved", Severity: Error,
		Doc: "An object is of an API version that the platform named with --platform does not serve yet, or no longer. kubectl says that no " +
			"matches are found for its kind.",
		each: of[*Object]{allObjects, func(g *G, r *report, o *Object) {
			l, _ := release.ServedBy(o.APIVersion, o.Kind)
			version, declared := g.platform[l.Component]
			switch {
			case !declared:
			case l.Since != "" && older(version, l.Since):
				r.add(o.in("apiVersion"), Ref{}, "%s %s is not served before %s %s, and %s is declared", o.APIVersion, o.Kind, l.Component, l.Since, version).fix("use an older version of the API, or upgrade")
			case l.Until != "" && !older(version, l.Until):
				r.add(o.in("apiVersion"), Ref{}, "%s %s is not served from %s %s on, and %s is declared", o.APIVersion, o.Kind, l.Component, l.Until, version).fix("use %s", l.Instead)
			}
		}},
	},
	{
		ID: "field-unserved", Severity: Error,
		Doc: "An object has a field that the platform named with --platform does not have yet, or no longer. The API server refuses it with strict " +
			"validation, and drops it silently without.",
		each: of[*Object]{allObjects, func(g *G, r *report, o *Object) {
			l, _ := release.ServedBy(o.APIVersion, o.Kind)
			version, declared := g.platform[l.Component]
			for _, f := range l.Fields {
				absent := f.Since != "" && older(version, f.Since) || f.Until != "" && !older(version, f.Until)
				if at := o.along(f.Path); declared && absent && at.field.is() {
					r.add(at, Ref{}, "%s of %s %s has no %s", o.Kind, l.Component, version, f.Path).fix("leave it out, or use a version that has it")
				}
			}
		}},
	},
	{
		ID: "api-version-deprecated", Severity: Warning,
		Doc: "An object is of an API version that is on its way out: an InferencePool of " + poolGroupOld + ", which newer CRDs and llm-d's " +
			"endpoint picker do not serve, or an InferenceObjective of the group that the image's release line has left.",
		find: func(g *G, r *report) {
			for _, o := range g.Objects {
				if l, _ := release.ServedBy(o.APIVersion, o.Kind); l.Leaving != "" {
					r.add(o.in("apiVersion"), Ref{}, "%s %s is on its way out", o.APIVersion, o.Kind).fix("use %s", l.Leaving)
				}
			}
			findObjectives(g, r)
		},
	},
}

// longest is the greatest length of an object's name, 0 for no particular one.
func longest(o *Object) (int, string) {
	switch o.Kind {
	case "Service":
		return 63, "it is a DNS label"
	case "Gateway":
		if class := o.at("spec", "gatewayClassName").text(); isIstio(o) {
			return 63 - len(class) - 1, "the Service gets -" + class
		}
		return 63, "its pods are labelled with it"
	case "StatefulSet", "LeaderWorkerSet":
		return 52, "pods are labelled with it and a hash of 10"
	default:
		return 0, ""
	}
}

var labelValue = pattern.Lazy(`^([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?$`)

func checkLabels(r *report, o *Object, labels field) {
	for _, k := range labels.keys() {
		if v := labels.at(k); !templated(v.text()) && (len(v.text()) > 63 || !labelValue().MatchString(v.text())) {
			r.add(place{o, v}, Ref{}, "%s: %s is not a label value", k, v.text()).fix("use at most 63 letters, digits, - _ and .")
		}
	}
}

// findObjectives holds InferenceObjectives against the release line of their pool's EPP.
func findObjectives(g *G, r *report) {
	for _, o := range g.Kinds("InferenceObjective") {
		pool := g.Object(Ref{Kind: "InferencePool", Namespace: o.Namespace, Name: o.at("spec", "poolRef", "name").text()})
		epps := g.asking().epps[pool]
		i := slices.IndexFunc(epps, func(e *epp) bool { return e.catalogue != nil })
		if i >= 0 && o.APIVersion != epps[i].catalogue.APIs.Objective {
			r.add(o.in("apiVersion"), epps[i].pods.Ref, "%s is another version than that of release line %s", o.APIVersion, epps[i].catalogue.Name).fix("use %s", epps[i].catalogue.APIs.Objective)
		}
	}
}
