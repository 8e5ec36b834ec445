package wiring

import (
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
)

// Pods are what a workload's pod template makes.
type Pods struct {
	// Workload that has the template.
	*Object
	labels      map[string]string
	annotations map[string]string
	template    field
	spec        field
	containers  []*container
	// group is the LeaderWorkerSet's spec that the template is part of.
	group field
}

// templates are where the pod templates of a kind are; a LeaderWorkerSet's are in groups.go.
var templates = map[string][][]any{
	"Pod":         {{}},
	"Deployment":  {{"spec", "template"}},
	"StatefulSet": {{"spec", "template"}},
	"DaemonSet":   {{"spec", "template"}},
	"ReplicaSet":  {{"spec", "template"}},
	"Job":         {{"spec", "template"}},
	"CronJob":     {{"spec", "jobTemplate", "spec", "template"}},
}

func podsOf(o *Object) []*Pods {
	var all []*Pods
	for _, path := range templates[o.Kind] {
		if p := podsFrom(o, o.at(path...)); p != nil {
			all = append(all, p)
		}
	}
	if o.Kind == "StatefulSet" {
		for _, p := range all {
			p.numbered()
		}
	}
	return append(all, groupsOf(o)...)
}

// podsFrom are the pods of a template, nil when it is none.
func podsFrom(o *Object, template field) *Pods {
	spec := template.at("spec")
	if !spec.at("containers").is() {
		return nil
	}
	p := &Pods{
		Object: o, template: template, spec: spec,
		labels:      template.at("metadata", "labels").texts(),
		annotations: template.at("metadata", "annotations").texts(),
	}
	p.addContainers("initContainers")
	p.addContainers("containers")
	return p
}

func (p *Pods) addContainers(list string) {
	for _, c := range p.spec.at(list).list() {
		p.containers = append(p.containers, newContainer(c, list == "initContainers"))
	}
}

// place is a field of the template's object.
func (p *Pods) place(f field) place { return place{p.Object, f} }

// replicas the workload asks for; 1 when it does not say.
func (p *Pods) replicas() int {
	replicas := p.at("spec", "replicas")
	if p.group.is() {
		replicas = p.group.at("replicas")
	}
	if n, ok := replicas.number(); ok {
		return n
	}
	return 1
}

// hasPort reports whether a container has a port of that name or number.
func (p *Pods) hasPort(port string) bool {
	return slices.ContainsFunc(p.containers, func(c *container) bool { return c.hasPort(port) })
}

// numberOf is the number of a port that is given by name or number, 0 when unknown.
func (p *Pods) numberOf(port string) int {
	if n, err := strconv.Atoi(port); err == nil {
		return n
	}
	for _, c := range p.containers {
		for _, f := range c.at("ports").list() {
			if f.at("name").text() == port {
				n, _ := f.at("containerPort").number()
				return n
			}
		}
	}
	return 0
}

// selects reports whether labels have all that a selector's matchLabels ask for. An empty
// selector selects nothing here: it is not one that names pods.
func selects(selector, labels map[string]string) bool {
	for k, v := range selector {
		if labels[k] != v {
			return false
		}
	}
	return len(selector) > 0
}

// selectsAll is selects for a label selector with expressions, where {} takes all.
func selectsAll(selector field, labels map[string]string) bool {
	match := selector.at("matchLabels").texts()
	if len(match) > 0 && !selects(match, labels) {
		return false
	}
	for _, e := range selector.at("matchExpressions").list() {
		key := e.at("key").text()
		value, has := labels[key]
		in := false
		for _, v := range e.at("values").words() {
			in = in || has && canonical(key, v) == value
		}
		switch e.at("operator").text() {
		case "In":
			if !in {
				return false
			}
		case "NotIn":
			if in {
				return false
			}
		case "Exists":
			if !has {
				return false
			}
		case "DoesNotExist":
			if has {
				return false
			}
		}
	}
	return true
}

// sameNamespace reports whether two namespaces may be one: an empty one is whatever the
// objects are applied to.
func sameNamespace(a, b string) bool {
	return a == b || a == "" || b == "" || templated(a) || templated(b)
}

// pairs writes labels as kubectl does.
func pairs(labels field) string {
	return strings.Join(lists.Map(labels.keys(), func(k string) string { return k + "=" + labels.at(k).text() }), ",")
}
