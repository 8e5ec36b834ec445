package wiring

var referenceRules = []Rule{
	{
		ID: "dangling-reference", Severity: Error,
		Doc: "An object names another that is not in the set, though it is of a kind that is deployed together with it (Service, " +
			"InferencePool, Role, workload), or though the set has one of nearly that name, a ConfigMap or Gateway of that name in another namespace, or a Role where a ClusterRole is " +
			"named. It is a warning where the set has one whose last word goes on, or is one more, and which nothing else names. What has other names in the cluster than " +
			"in the manifests is silenced with a reason.",
		each: of[Edge]{allEdges, func(g *G, r *report, e Edge) {
			if o := g.elsewhere(e); o != nil {
				found := r.add(e.at, o.Ref, "%s %s, which is in namespace %s", e.Type, e.To, o.Namespace)
				if e.Type == attaches {
					found.fix("set parentRefs.namespace: %s, and let its listeners admit routes of %s", o.Namespace, e.From.Namespace)
				} else {
					found.fix("move one of the two into the other's namespace")
				}
			}
			if o := g.ofOtherKind(e); o != nil {
				r.add(e.at, o.Ref, "%s %s, and the set has a %s of that name", e.Type, e.To, o.Kind).fix("set kind: %s", o.Kind)
				return
			}
			if o := g.resembling(e); o != nil {
				r.add(e.at, o.Ref, "%s %s, which is not in the set, and nothing names %s", e.Type, e.To, o.Ref).warn().
					fix("did you mean %s?", o.Name)
			}
			if e.State != Missing {
				return
			}
			if o := g.ofOtherGroup(e.To); o != nil {
				r.add(e.at, e.To, "%s %s of group %q, and the one of the set is of %q", e.Type, e.To, e.To.Group, o.Group).fix("set group: %s", o.Group)
				return
			}
			f := r.add(e.at, e.To, "%s %s, which does not exist", e.Type, e.To)
			if e.near != "" {
				f.fix("%s is near: use it, or rename one of the two", e.near)
			} else {
				f.fix("add the %s, or correct the name", e.To.Kind)
			}
		}},
	},
	{
		ID: "prerequisite", Severity: Info,
		Doc: "An object names another that is usually made by somebody else beforehand: a Secret with a token, an existing Gateway, a " +
			"claim with weights. Nothing is wrong; this is the list of what has to be there.",
		find: func(g *G, r *report) {
			wrong := g.wrongKinds()
			for _, e := range g.Edges {
				if e.State == Prerequisite && !templated(e.To.Name) && e.To.Kind != "GatewayClass" && !wrong[e.To.Kind] &&
					g.elsewhere(e) == nil && g.ofOtherKind(e) == nil && g.resembling(e) == nil {
					r.add(e.at, e.To, "%s %s, which must already exist", e.Type, e.To)
				}
			}
		},
	},
	{
		ID: "key-missing", Severity: Error,
		Doc: "A pod reads a key that its ConfigMap or Secret does not have, or the endpoint picker's --config-file names a file that no " +
			"key of the mounted ConfigMap makes. The pod does not start.",
		find: func(g *G, r *report) {
			for _, l := range g.lacks {
				keys := append(l.in.at("data").keys(), l.in.at("stringData").keys()...)
				r.add(l.at, l.in.Ref, "%s has no key %s", l.in.Ref, l.key).fix("it has %s", list(keys))
			}
		},
	},
	{
		ID: "duplicate-object", Severity: Warning,
		Doc: "The same object is in the set twice. Which of the two is in force depends on the order in which they are applied.",
		find: func(g *G, r *report) {
			seen := map[Ref]*Object{}
			for _, o := range g.Objects {
				if first := seen[o.Ref]; first != nil {
					r.add(o.in(), first.Ref, "is also in %s:%d", first.File, first.Line).fix("keep one")
				} else {
					seen[o.Ref] = o
				}
			}
		},
	},
	{
		ID: "mount-without-volume", Severity: Error,
		Doc: "A container mounts a volume that its pod does not have. The API server refuses the workload.",
		each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
			have := map[string]bool{}
			for _, v := range append(p.spec.at("volumes").list(), p.at("spec", "volumeClaimTemplates").list()...) {
				have[v.at("name").or(v.at("metadata", "name").text())] = true
			}
			for _, c := range p.containers {
				for _, m := range c.at("volumeMounts").list() {
					if name := m.at("name").text(); !have[name] && !templated(name) {
						r.add(p.place(m.at("name")), Ref{}, "container %s mounts %s, which is not a volume of the pod", c.name, name).fix("add the volume")
					}
				}
			}
		}},
	},
}
