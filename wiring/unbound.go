package wiring

import "slices"

// findUnbound reports an endpoint picker whose account no binding names, where the set
// shows that it is the one to say so: it has the account, or rights that nobody of it gets.
func findUnbound(g *G, r *report, e *epp) {
	account := e.account()
	bindings := g.Kinds("RoleBinding", "ClusterRoleBinding")
	if templated(account.Name) || slices.ContainsFunc(bindings, func(b *Object) bool { return binds(b, account) }) {
		return // to a role that is not in the set
	}
	role := g.idleRole(e)
	if role == nil && g.Object(account) == nil {
		return
	}
	f := r.add(e.pods.place(e.pods.spec.at("serviceAccountName")), account, "no binding names %s, so it may watch nothing", account)
	for _, b := range bindings {
		for _, s := range b.at("subjects").list() {
			if named := s.at("name").text(); role != nil && granted(b) == role.Ref || named == account.Name {
				to := Ref{Kind: s.at("kind").text(), Namespace: s.at("namespace").text(), Name: named}
				f.mend("%s names %s: make the two one", b.Ref, to)
				return
			}
		}
	}
	f.mend("add a RoleBinding for it to a Role with get, list and watch on pods and inferencepools")
}

// idleRole is a role for an endpoint picker in the namespace of this one that no endpoint
// picker of the set has.
func (g *G) idleRole(e *epp) *Object {
	for _, role := range g.Kinds("Role") {
		var all rights
		for _, rule := range role.at("rules").list() {
			all = append(all, right{rule: rule})
		}
		pools := all.allow(poolGroup, "inferencepools", "watch") || all.allow(poolGroupOld, "inferencepools", "watch")
		if pools && sameNamespace(role.Namespace, e.pods.Namespace) && !g.had(role) {
			return role
		}
	}
	return nil
}

// had says whether an endpoint picker of the set has the role.
func (g *G) had(role *Object) bool {
	return slices.ContainsFunc(g.Kinds("RoleBinding"), func(b *Object) bool {
		return granted(b) == role.Ref && slices.ContainsFunc(g.epps, func(e *epp) bool { return binds(b, e.account()) })
	})
}

// granted is the role of a binding.
func granted(binding *Object) Ref {
	ref := binding.at("roleRef")
	to := Ref{Group: ref.at("apiGroup").or("rbac.authorization.k8s.io"), Kind: ref.at("kind").text(), Name: ref.at("name").text()}
	if to.Kind == "Role" {
		to.Namespace = binding.Namespace
	}
	return to
}
