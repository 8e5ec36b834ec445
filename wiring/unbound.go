package wiring

// findUnbound reports an endpoint picker whose account no binding names, where the set
// shows that it is the one to say so: it has the account, or rights that nobody of it gets.
func findUnbound(g *G, r *report, e *epp) {
	account := e.account()
	if templated(account.Name) || len(g.naming(account)) > 0 {
		return // to a role that is not in the set
	}
	role := g.idleRole(e)
	if role == nil && g.Object(account) == nil {
		return
	}
	f := r.add(e.pods.place(e.pods.spec.at("serviceAccountName")), account, "no binding names %s, so it may watch nothing", account)
	if b := g.bindings().meant(account, role); b != nil {
		for _, s := range b.at("subjects").list() {
			if named := s.at("name").text(); role != nil && granted(b) == role.Ref || named == account.Name {
				to := Ref{Kind: s.at("kind").text(), Namespace: s.at("namespace").text(), Name: named}
				f.fix("%s names %s: make the two one", b.Ref, to)
				return
			}
		}
	}
	f.fix("add a RoleBinding for it to a Role with get, list and watch on pods and inferencepools")
}

// meant is the first binding of the role, or that names somebody as the account is named.
func (all *bindings) meant(account Ref, role *Object) *Object {
	best := len(all.all)
	if i, ok := all.naming[account.Name]; ok {
		best = i
	}
	if role != nil {
		if i, ok := all.granting[role.Ref]; ok {
			best = min(best, i)
		}
	}
	if best == len(all.all) {
		return nil
	}
	return all.all[best]
}

// idleRole is a role for an endpoint picker in the namespace of this one that no endpoint
// picker of the set has.
func (g *G) idleRole(e *epp) (role *Object) {
	idle := g.idleRoles()
	idle.in(e.pods.Namespace, func(i int) bool { role = idle.all[i]; return false })
	return role
}

// findIdleRoles finds the roles for endpoint pickers that none of the set has.
func (g *G) findIdleRoles() *spread[*Object] {
	had := map[Ref]bool{}
	for _, e := range g.epps {
		for _, b := range g.naming(e.account()) {
			if b.Kind == "RoleBinding" {
				had[granted(b)] = true
			}
		}
	}
	idle := &spread[*Object]{}
	for _, role := range g.Kinds("Role") {
		var all rights
		for _, rule := range role.at("rules").list() {
			all = append(all, right{rule: rule})
		}
		pools := all.allow(poolGroup, "inferencepools", "watch") || all.allow(poolGroupOld, "inferencepools", "watch")
		if pools && !had[role.Ref] {
			idle.add(role.Namespace, role)
		}
	}
	return idle
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
