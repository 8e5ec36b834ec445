package wiring

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/release"
)

var rbacRules = []Rule{
	{
		ID: "epp-rbac", Severity: Error,
		Doc: "The endpoint picker's ServiceAccount may not read what the endpoint picker of this image watches: pods, inferencepools, " +
			"inferenceobjectives and inferencemodelrewrites. Its cache never syncs and it ends in a crash loop (llm-d-benchmark#775). The same " +
			"when no binding names the ServiceAccount, though it or a Role for an endpoint picker is in the set.",
		find: findRights,
	},
	{
		ID: "rbac-verb", Severity: Warning,
		Doc: "A Role or ClusterRole has a verb that is nearly one of Kubernetes: lists for list, read for get. The API server takes any word, and " +
			"the rule grants nothing by it.",
		each: ofKinds{[]string{"Role", "ClusterRole"}, func(g *G, r *report, o *Object) {
			for _, rule := range o.at("rules").list() {
				for _, verb := range rule.at("verbs").list() {
					if meant := misspeltVerb(verb.text()); meant != "" {
						r.add(place{o, verb}, Ref{}, "there is no verb %s", verb.text()).fix("did you mean %s?", meant)
					}
				}
			}
		}},
	},
	{
		ID: "binding-subject", Severity: Error,
		Doc: "A ClusterRoleBinding names a ServiceAccount without its namespace. The API server refuses it; a RoleBinding means its own namespace " +
			"(kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateRoleBindingSubject). A set of which no object has a namespace is " +
			"taken to get one later.",
		each: ofKinds{[]string{"ClusterRoleBinding"}, func(g *G, r *report, o *Object) {
			for _, s := range o.at("subjects").list() {
				if s.at("kind").text() == "ServiceAccount" && s.at("namespace").text() == "" && g.namespaced() {
					r.add(place{o, s.at("name")}, Ref{}, "names ServiceAccount %s without its namespace", s.at("name").text()).fix("add namespace")
				}
			}
		}},
	},
	{
		ID: "epp-leases", Severity: Error,
		Doc: "The endpoint picker is started with leader election, and its ServiceAccount may not write leases. No replica becomes ready.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			rights, bound := g.rights(e.account())
			if bound && e.leads() && !rights.allow("coordination.k8s.io", "leases", "update") {
				f, _ := e.given("ha-enable-leader-election")
				r.add(e.pods.place(f.at), e.account(), "%s may not write leases, which leader election needs", e.account()).fix("grant get, list, watch, create, update and patch on leases of coordination.k8s.io")
			}
		}},
	},
	{
		ID: "metrics-auth", Severity: Warning,
		Doc: "The endpoint picker asks who scrapes its metrics unless --metrics-endpoint-auth=false. For that its ServiceAccount needs a " +
			"ClusterRole that creates tokenreviews and subjectaccessreviews; in a Role they have no effect (llm-d-router#2370). Without it " +
			"every scrape gets 401 or 500.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			rights, bound := g.rights(e.account())
			f, ok := e.given("metrics-endpoint-auth")
			if !ok {
				f.at = e.at("args")
			}
			if bound && e.on("metrics-endpoint-auth", true) && !rights.cluster().allow("authentication.k8s.io", "tokenreviews", "create") {
				r.add(e.pods.place(f.at), e.account(), "metrics ask for authentication, and %s has no ClusterRole to review tokens", e.account()).
					fix("%sbind a ClusterRole for tokenreviews and subjectaccessreviews", e.openMetrics())
			}
		}},
	},
	{
		ID: "cluster-name-collision", Severity: Info,
		Doc: "A ClusterRole or ClusterRoleBinding of an endpoint picker does not carry its namespace in the name. A second installation in " +
			"another namespace overwrites it (gateway-api-inference-extension#1393).",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			for _, b := range g.naming(e.account()) {
				ns := e.pods.Namespace
				if ns != "" && b.Kind == "ClusterRoleBinding" && !strings.Contains(b.Name, ns) {
					r.add(b.in("metadata", "name"), e.account(), "a second installation would overwrite it").fix("put %s into the name", ns)
				}
			}
		}},
	},
}

// namespaced reports whether any object of the set has a namespace.
func (g *G) namespaced() bool {
	for space := range g.index.spaces {
		if space != "" {
			return true
		}
	}
	return false
}

// verbs are those of Kubernetes (documentation, Authorization: request verbs).
var verbs = strings.Fields("get list watch create update patch delete deletecollection use bind escalate impersonate approve sign attest post put head options *")

// misspeltVerb is the verb that is meant by one that does not exist, "" where it does or resembles none.
func misspeltVerb(verb string) string {
	switch {
	case templated(verb) || slices.Contains(verbs, verb):
		return ""
	case strings.EqualFold(verb, "read"):
		return "get"
	case strings.EqualFold(verb, "write"):
		return "update"
	}
	return Near(verb, verbs[:len(verbs)-1])
}

// account is the ServiceAccount of the EPP.
func (e *epp) account() Ref {
	return Ref{Kind: "ServiceAccount", Namespace: e.pods.Namespace, Name: e.pods.spec.at("serviceAccountName").or("default")}
}

// rights are RBAC rules, each with whether it holds in the whole cluster or else where.
type rights []right

type right struct {
	rule      field
	wide      bool
	namespace string
}

// within are those that hold in a namespace.
func (rs rights) within(namespace string) rights {
	return slices.DeleteFunc(slices.Clone(rs), func(r right) bool { return !r.wide && !sameNamespace(r.namespace, namespace) })
}

func (rs rights) cluster() rights {
	return slices.DeleteFunc(slices.Clone(rs), func(r right) bool { return !r.wide })
}

func (rs rights) allow(group, resource, verb string) bool {
	return slices.ContainsFunc(rs, func(r right) bool {
		return anyOf(r.rule.at("apiGroups"), group) && anyOf(r.rule.at("resources"), resource) && anyOf(r.rule.at("verbs"), verb)
	})
}

// openMetrics is the advice to ask for no authentication, where the version has a flag for it.
func (e *epp) openMetrics() string {
	if e.known != nil && !e.known.Takes("metrics-endpoint-auth") {
		return ""
	}
	return "start it with --metrics-endpoint-auth=false, or "
}

func anyOf(list field, want string) bool {
	words := list.words()
	return slices.Contains(words, want) || slices.Contains(words, "*")
}

// rights are what the bindings of the set grant to an account. bound is false when none
// does, or when a role that is bound is not in the set: then nothing can be said.
func (g *G) rights(account Ref) (out rights, bound bool) {
	for _, b := range g.naming(account) {
		ref := b.at("roleRef")
		to := Ref{Kind: ref.at("kind").text(), Name: ref.at("name").text()}
		if to.Kind == "Role" {
			to.Namespace = b.Namespace
		}
		role := g.Object(to)
		if role == nil {
			return nil, false
		}
		bound = true
		for _, rule := range role.at("rules").list() {
			out = append(out, right{rule, b.Kind == "ClusterRoleBinding", b.Namespace})
		}
	}
	return out, bound
}

func binds(binding *Object, account Ref) bool {
	return slices.ContainsFunc(binding.at("subjects").list(), func(s field) bool {
		name := s.at("name").text()
		if s.at("kind").text() != "ServiceAccount" {
			return slices.Contains(subjectsOf(account), name)
		}
		return (name == account.Name || templated(name)) && sameNamespace(s.at("namespace").or(binding.Namespace), account.Namespace)
	})
}

func findRights(g *G, r *report) {
	for _, e := range g.epps {
		rights, bound := g.rights(e.account())
		if !bound {
			findUnbound(g, r, e)
			continue
		}
		if lacking := e.lacking(g, rights.within(e.poolNamespace())); len(lacking) > 0 {
			f := r.add(e.pods.place(e.pods.spec.at("serviceAccountName")), e.account(), "%s may not watch %s%s", e.account(), list(lacking), e.note())
			f.fix("grant get, list and watch on them in a Role of the pool's namespace")
		}
	}
}

// watches are what the endpoint picker lists and watches: where its version is not known,
// what each one does.
func (e *epp) watches() []release.Watch {
	if e.known != nil {
		return e.known.Watched()
	}
	return []release.Watch{{Resource: "pods"}, {Resource: "inferencepools", OfPool: true}}
}

func (e *epp) note() string {
	if e.known == nil {
		return ""
	}
	return e.known.Note()
}

// lacking are the resources that the endpoint picker may not list and watch. Without a pool
// it watches pods only.
func (e *epp) lacking(g *G, have rights) (out []string) {
	_, hasPool := e.given("pool-name")
	for _, w := range e.watches() {
		if !hasPool && w.Resource != "pods" {
			continue
		}
		if w.OfPool {
			w.Group = e.poolGroup(g)
		}
		if have.allow(w.Group, w.Resource, "watch") && have.allow(w.Group, w.Resource, "list") || templated(w.Group) {
			continue
		}
		name := w.Resource
		if w.Group != "" {
			name += "." + w.Group
		}
		out = append(out, name)
	}
	return out
}

// poolGroup is the pool's, or the one that the flag says, or the one by default.
func (e *epp) poolGroup(g *G) string {
	if pool := e.pool(g); pool != nil {
		return pool.Group
	}
	return cmp.Or(e.flag("pool-group"), poolGroup)
}
