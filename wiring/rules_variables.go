package wiring

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/pattern"
)

var variableRules = []Rule{{
	ID: "undefined-variable", Severity: Error,
	Doc: "A command, an argument or a variable's value refers to $(NAME), and the container has no variable of that name, or for a value none " +
		"before it. The kubelet then leaves the text as it is: a server gets the literal $(POD_IP). $$(NAME) is meant to stay. Variables of " +
		"an envFrom that is not in the set, of Services and of the workload's controller count as defined.",
	each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
		for _, c := range p.containers {
			v := g.variables(p, c)
			if v.open {
				continue
			}
			v.commands(r)
			v.values(r)
		}
	}},
}}

// variables are those that the kubelet knows when it starts a container
// (pkg/kubelet/kubelet_pods.go makeEnvironmentVariables).
type variables struct {
	pods *Pods
	*container
	defined map[string]bool
	// open says that there are others: an envFrom names what is not in the set, or the
	// object is a patch.
	open bool
	set  *G
}

// patch reports whether a container is written to be merged into another: it has no image,
// or its workload none of the selector that it must have.
func (p *Pods) patch(c *container) bool {
	switch p.Kind {
	case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet":
		return c.image == "" || !p.at("spec", "selector").is()
	default:
		return c.image == ""
	}
}

func (g *G) variables(p *Pods, c *container) variables {
	v := variables{pods: p, container: c, defined: map[string]bool{}, open: p.patch(c), set: g}
	for name := range c.env {
		v.defined[name] = true
	}
	for _, from := range c.at("envFrom").list() {
		kind, name := "ConfigMap", from.at("configMapRef", "name").text()
		if name == "" {
			kind, name = "Secret", from.at("secretRef", "name").text()
		}
		source := g.Object(Ref{Kind: kind, Namespace: p.Namespace, Name: name})
		if source == nil {
			v.open = true
			continue
		}
		for _, key := range append(source.at("data").keys(), source.at("stringData").keys()...) {
			v.defined[from.at("prefix").text()+key] = true
		}
	}
	return v
}

// commands looks at what is started.
func (v *variables) commands(r *report) {
	for _, list := range []string{"command", "args"} {
		for _, item := range v.at(list).list() {
			for _, name := range references(item.text()) {
				if !v.defined[name] && !v.injected(name) && v.meant(item.text(), name) {
					r.add(v.pods.place(item), Ref{}, "%s has no variable %s, so that $(%s) stays as it is", v.name, name, name).
						fix("%s", v.remedy(name))
				}
			}
		}
	}
}

// values looks at variables that are made of others: of those before them.
func (v *variables) values(r *report) {
	before := map[string]bool{}
	for _, e := range v.at("env").list() {
		for _, name := range references(e.at("value").text()) {
			if before[name] || v.injected(name) || !v.meant(e.at("value").text(), name) || v.at("envFrom").is() {
				continue
			}
			found := r.add(v.pods.place(e.at("value")), Ref{}, "%s has no variable %s before %s, so that $(%s) stays as it is", v.name, name, e.at("name").text(), name)
			if v.defined[name] && name != e.at("name").text() {
				found.fix("define %s before it", name)
			} else {
				found.fix("%s", v.remedy(name))
			}
		}
		before[e.at("name").text()] = true
	}
}

// downward is where a pod learns what its usual variables are named after.
var downward = map[string]string{"POD_IP": "status.podIP", "POD_NAME": "metadata.name", "POD_NAMESPACE": "metadata.namespace", "NAMESPACE": "metadata.namespace", "NODE_NAME": "spec.nodeName", "HOST_IP": "status.hostIP"}

func (v *variables) remedy(name string) string {
	if path := downward[name]; path != "" {
		return "add the variable " + name + " from fieldRef " + path
	}
	var names []string
	if v.grouped() {
		names = slices.Clone(groupVariables)
	}
	for known := range v.defined {
		names = append(names, known)
	}
	slices.Sort(names)
	if meant := Near(name, names); meant != "" {
		return "did you mean $(" + meant + ")?"
	}
	return "add the variable " + name + ", or write $$(" + name + ") for the text"
}

var (
	reference   = pattern.Lazy(`\$\$|\$\(([A-Za-z_][A-Za-z0-9_]*)\)`)
	serviceLink = pattern.Lazy(`^(.+?)_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`)
)

// references are the names that the kubelet looks for in a text; $$ stands for a $.
func references(text string) (names []string) {
	if !strings.Contains(text, "$(") {
		return nil
	}
	for _, m := range reference().FindAllStringSubmatch(text, -1) {
		if m[1] != "" && !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// meant reports whether a text means a variable: not the command of a shell, as in
// $(hostname).
func (v *variables) meant(text, name string) bool {
	return strings.ToUpper(name) == name || !strings.ContainsAny(text, " \n;|") && len(v.words) > 0 && !slices.ContainsFunc(v.words, isShell)
}

func isShell(word string) bool {
	return slices.Contains([]string{"sh", "bash"}, word[strings.LastIndexByte(word, '/')+1:])
}

// groupVariables are those that LeaderWorkerSet adds to its pods (sigs.k8s.io/lws v0.9.0
// api/leaderworkerset/v1/leaderworkerset_types.go).
var groupVariables = []string{"LWS_LEADER_ADDRESS", "LWS_GROUP_SIZE", "LWS_WORKER_INDEX"}

// grouped reports whether a LeaderWorkerSet makes the pods.
func (v *variables) grouped() bool {
	return v.pods.Kind == "LeaderWorkerSet" || v.pods.Kind == "DisaggregatedSet"
}

// injected reports whether a controller, or the kubelet for a Service, adds the variable:
// LeaderWorkerSet (sigs.k8s.io/lws pkg/utils/pod), an indexed Job, GKE for TPUs.
func (v *variables) injected(name string) bool {
	switch {
	case strings.HasPrefix(name, "LWS_"):
		return v.grouped() && slices.Contains(groupVariables, name)
	case strings.HasPrefix(name, "TPU_"):
		return v.at("resources", "limits", "google.com/tpu").is() || v.at("resources", "requests", "google.com/tpu").is()
	case name == "JOB_COMPLETION_INDEX":
		return v.pods.Kind == "Job" || v.pods.Kind == "CronJob"
	default:
		return v.linked(name)
	}
}

// linked reports whether the kubelet makes the variable of a Service. The names that only
// Services have count also when the Service is not in the set.
func (v *variables) linked(name string) bool {
	m := serviceLink().FindStringSubmatch(name)
	if m == nil || m[1] == "KUBERNETES" {
		return m != nil
	}
	service := Ref{Kind: "Service", Namespace: v.pods.Namespace, Name: strings.ReplaceAll(strings.ToLower(m[1]), "_", "-")}
	return v.pods.spec.at("enableServiceLinks").text() != "false" && (strings.HasPrefix(m[2], "SERVICE_") || v.set.Object(service) != nil)
}
