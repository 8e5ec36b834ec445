package wiring

import "slices"

// bindings finds the RoleBindings and ClusterRoleBindings by whom they name.
type bindings struct {
	all []*Object
	// of are the bindings, by their places in all, that name an account, a user or a group.
	// Those that name an account by a template are in that of the empty name.
	of map[subject][]int
	// granting is the first binding of a role, naming the first one that names an account.
	granting map[Ref]int
	naming   map[string]int
}

// A subject of a binding. Users and groups are in the namespace of everybody, and all accounts
// of a name besides in that of everySpace.
type subject struct{ namespace, name string }

const everybody = "*everybody"

func (g *G) findBindings() *bindings {
	all := &bindings{all: g.Kinds("RoleBinding", "ClusterRoleBinding"), of: map[subject][]int{}, granting: map[Ref]int{}, naming: map[string]int{}}
	for i, b := range all.all {
		if _, known := all.granting[granted(b)]; !known {
			all.granting[granted(b)] = i
		}
		for _, s := range b.at("subjects").list() {
			name := s.at("name").text()
			if _, known := all.naming[name]; !known {
				all.naming[name] = i
			}
			at := subject{everybody, name}
			if s.at("kind").text() == "ServiceAccount" {
				at.namespace = spaceOf(s.at("namespace").or(b.Namespace))
				if templated(name) {
					at = subject{}
				}
				every := subject{everySpace, name}
				all.of[every] = append(all.of[every], i)
			}
			all.of[at] = append(all.of[at], i)
		}
	}
	return all
}

// naming are the bindings that give an account rights, itself or by a group.
func (g *G) naming(account Ref) []*Object {
	all := g.bindings()
	space := spaceOf(account.Namespace)
	places := slices.Concat(all.of[subject{}], all.of[subject{"", account.Name}], all.of[subject{space, account.Name}])
	if space == "" {
		places = append(places, all.of[subject{everySpace, account.Name}]...)
	}
	for _, name := range subjectsOf(account) {
		places = append(places, all.of[subject{everybody, name}]...)
	}
	slices.Sort(places)
	var out []*Object
	for _, i := range slices.Compact(places) {
		if binds(all.all[i], account) {
			out = append(out, all.all[i])
		}
	}
	return out
}

// subjectsOf are an account's name and groups as the API server has them (Kubernetes, "Using
// RBAC Authorization").
func subjectsOf(account Ref) []string {
	return []string{
		"system:serviceaccounts", "system:authenticated", "system:serviceaccounts:" + account.Namespace,
		"system:serviceaccount:" + account.Namespace + ":" + account.Name,
	}
}
