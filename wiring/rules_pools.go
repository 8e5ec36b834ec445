package wiring

import (
	"slices"
	"strings"
)

var poolRules = []Rule{
	{
		ID: "pool-failure-mode", Severity: Error,
		Doc: "failureMode is neither FailOpen nor FailClose. The API server refuses it; the chart's README writes FailClosed.",
		each: ofKinds{[]string{"InferencePool"}, func(g *G, r *report, pool *Object) {
			mode := pool.at("spec", "endpointPickerRef", "failureMode")
			if mode.is() && !slices.Contains([]string{"FailOpen", "FailClose"}, mode.text()) && !templated(mode.text()) {
				r.add(place{pool, mode}, Ref{}, "failureMode has no %s", mode.text()).fix("set it to FailClose or FailOpen")
			}
		}},
	},
	{
		ID: "pool-picker-kind", Severity: Error,
		Doc: "A pool's endpointPickerRef names something else than a Service, such as the endpoint picker's Deployment. Gateways resolve only " +
			"a Service: ResolvedRefs=False (gateway-api-inference-extension v1, EndpointPickerRef).",
		each: ofKinds{[]string{"InferencePool"}, func(g *G, r *report, pool *Object) {
			kind := pool.at("spec", "endpointPickerRef", "kind")
			if kind.is() && kind.text() != "Service" && !templated(kind.text()) {
				r.add(place{pool, kind}, Ref{}, "the endpoint picker is a %s, and gateways ask a Service", kind.text()).fix("name the Service of the endpoint picker")
			}
		}},
	},
	{
		ID: "pool-selects-nothing", Severity: Error,
		Doc: "A pool's selector takes none of the model servers that are in its namespace. Every request fails with 503: no ready endpoint.",
		each: ofKinds{[]string{"InferencePool"}, func(g *G, r *report, pool *Object) {
			selector := poolSelector(pool)
			if len(g.selected(pool, selector)) > 0 || templated(pairs(selector)) || len(selector.keys()) == 0 {
				return // unknown-field and invalid-field say what a selector without labels lacks
			}
			made := func(o *Object) bool {
				return sameNamespace(o.Namespace, pool.Namespace) && o.hasTemplateWith(selector.texts())
			}
			if slices.ContainsFunc(g.Objects, made) {
				return // workload-unread says by what
			}
			if near := g.nearestServers(pool, selector.texts()); near != nil {
				r.add(place{pool, selector}, near.Ref, "no pods have the labels %s", pairs(selector)).
					fix("the pods of %s have %s", near.Ref, pairs(near.template.at("metadata", "labels")))
			}
		}},
	},
	{
		ID: "pool-selects-helpers", Severity: Error,
		Doc: "A pool's selector also takes pods that serve no model, such as the endpoint picker or a render service (llm-d/llm-d#2212). They " +
			"get requests.",
		each: ofKinds{[]string{"InferencePool"}, func(g *G, r *report, pool *Object) {
			for _, p := range g.selected(pool, poolSelector(pool)) {
				if slices.ContainsFunc(p.containers, func(c *container) bool { return c.isEPP() || c.isRender() || c.imageIs("envoyproxy/envoy") }) {
					r.add(pool.in("spec", "selector"), p.Ref, "also selects the pods of %s, which serve no model", p.Ref).fix("select by a label that only the servers have")
				}
			}
		}},
	},
	{
		ID: "pools-overlap", Severity: Error,
		Doc: "Two pools select the same pods. Each endpoint picker counts only its own requests, so that both overload the servers; and " +
			"with different models every second request gets the wrong one.",
		each: visit3[*Object, *Object, *Pods]{overlaps, func(g *G, r *report, a, b *Object, p *Pods) {
			r.add(a.in("spec", "selector"), b.Ref, "selects the pods of %s, as %s does", p.Ref, b.Ref).fix("add a label that tells the two apart")
		}},
	},
	{
		ID: "pool-target-port", Severity: Error,
		Doc: "A pool's targetPorts has a port on which the pods do not serve. With prefill and decode the sidecar has the pool's port and the " +
			"server another; with data parallelism each rank has its own.",
		each: ofKinds{[]string{"InferencePool"}, func(g *G, r *report, pool *Object) {
			for _, p := range g.selected(pool, poolSelector(pool)) {
				serves, known := p.serves()
				if p.annotations["llm-d.ai/active-ports"] != "" || !known {
					continue
				}
				for _, target := range poolPorts(pool) {
					if n, ok := target.number(); ok && !slices.Contains(serves, n) {
						r.add(place{pool, target}, p.Ref, "port %d is not served by the pods of %s", n, p.Ref).fix("set it to a port that they serve: %s", list(texts(serves)))
					}
				}
			}
		}},
	},
	{
		ID: "pool-group", Severity: Error,
		Doc: "The endpoint picker is told to watch a pool of another API group (--pool-group) than the pool has. It never finds its pool.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			f, ok := e.given("pool-group")
			pool := e.pool(g)
			if ok && pool != nil && pool.Group != f.value && !templated(f.value) {
				r.add(e.pods.place(f.at), pool.Ref, "--pool-group=%s, and the pool is of %s", f.value, pool.Group).fix("set it to %s", pool.Group)
			}
		}},
	},
	{
		ID: "pool-namespace", Severity: Error,
		Doc: "A route leads to a pool whose endpoint picker is in another namespace. The pool's reference to the Service cannot cross one; only " +
			"an EnvoyFilter can ask an endpoint picker elsewhere. Or a pool names an endpoint picker that is told to watch another namespace " +
			"(--pool-namespace) and never finds it.",
		find: func(g *G, r *report) {
			for _, pool := range g.Kinds("InferencePool") {
				for _, e := range g.pickers(pool) {
					if f, ok := e.given("pool-namespace"); ok && e.pool(g) == nil && !sameNamespace(f.value, pool.Namespace) {
						r.add(e.pods.place(f.at), pool.Ref, "%s asks it, and it watches namespace %s", pool.Ref, f.value).fix("set it to %s", pool.Namespace)
					}
				}
			}
			for _, e := range g.epps {
				if pool := e.pool(g); pool != nil && !sameNamespace(pool.Namespace, e.pods.Namespace) && g.routed(pool) {
					f, _ := e.given("pool-namespace", "pool-name")
					r.add(e.pods.place(f.at), pool.Ref, "%s is in another namespace", pool.Ref).fix("deploy the endpoint picker in %s", pool.Namespace)
				}
			}
		},
	},
}

// overlaps visits the first pods that a pool has in common with each pool before it, of very
// many pools with the first few.
func overlaps(g *G, visit func(a, b *Object, p *Pods)) {
	of := map[*Pods][]*Object{}
	for _, a := range g.Kinds("InferencePool") {
		known := map[Ref]bool{a.Ref: true}
		for _, p := range g.selected(a, poolSelector(a)) {
			for _, b := range first(g, of[p]) {
				if !known[b.Ref] && a.Group == b.Group && sameNamespace(a.Namespace, b.Namespace) {
					known[b.Ref] = true
					visit(a, b, p)
				}
			}
			of[p] = append(of[p], a)
		}
	}
}

// nearestServers are model servers beside the pool, those first that have one of its labels.
func (g *G) nearestServers(pool *Object, selector map[string]string) *Pods {
	worn := map[string]string{} // what nothing has makes no difference
	for k, v := range selector {
		if g.pods.count(spaceOf(pool.Namespace), []label{{"", k, v}}) > 0 {
			worn[k] = v
		}
	}
	question := matchingPairs(worn)
	return g.nearest.of(spaceOf(pool.Namespace)+"\x00"+question.text, func() *Pods { return g.wearing(pool.Namespace, worn) })
}

// wearing are the model servers of a namespace that have most of some labels.
func (g *G) wearing(namespace string, selector map[string]string) (best *Pods) {
	most := -1
	for _, p := range g.Pods {
		if p.server() == nil || !sameNamespace(namespace, p.Namespace) {
			continue
		}
		same := 0
		for k, v := range selector {
			if p.labels[k] == v {
				same++
			}
		}
		if same > most {
			best, most = p, same
		}
	}
	return best
}

// routed reports whether a route leads to the pool.
func (g *G) routed(pool *Object) bool {
	return len(g.routing().to[pool]) > 0
}

func poolPorts(pool *Object) (out []field) {
	for _, t := range pool.at("spec", "targetPorts").list() {
		out = append(out, t.at("number"))
	}
	if old := pool.at("spec", "targetPortNumber"); old.is() {
		out = append(out, old)
	}
	return out
}

// serves are the ports on which requests reach the model: the sidecar's, the server's, and
// those of the further ranks. known is false when a flag's value cannot be told.
func (p *Pods) serves() (ports []int, known bool) {
	for _, c := range p.containers {
		// A request past the sidecar is never disaggregated.
		if !c.isSidecar() && (!c.isServer() || p.sidecar() != nil) {
			continue
		}
		port, ok := c.port(8000, "port")
		ranks, ok2 := c.port(1, "data-parallel-size-local", "data-parallel-size")
		if !ok || !ok2 {
			return nil, false
		}
		if c.isVLLM() && !c.rankPorts() {
			ranks = 1
		}
		for i := range max(1, ranks) {
			ports = append(ports, port+i)
		}
		ports = append(ports, c.declared()...)
	}
	return ports, len(ports) > 0
}

// rankPorts reports whether each rank of a vLLM server listens for itself.
func (c *container) rankPorts() bool {
	_, ok := c.given("data-parallel-multi-port-external-lb", "data-parallel-external-lb")
	return ok
}

// declared are further containerPorts that look like a rank's: named for HTTP.
func (c *container) declared() (out []int) {
	for _, p := range c.at("ports").list() {
		name := p.at("name").text()
		if n, ok := p.at("containerPort").number(); ok && (strings.Contains(name, "http") || strings.Contains(name, "rank")) && !c.isServer() {
			out = append(out, n)
		}
	}
	return out
}

func texts(numbers []int) (out []string) {
	for _, n := range numbers {
		if s := itoa(n); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
