package wiring

import (
	"slices"
	"strconv"

	"github.com/inferstack/inferstack/internal/lists"
)

var serviceRules = []Rule{
	{
		ID: "service-selects-nothing", Severity: Warning,
		Doc: "A Service's selector takes no pods, though there are pods in its namespace. Clients get connection refused. Services for " +
			"pods that a gateway controller makes are left out, and those for a pool's servers where the set has none of them.",
		each: ofKinds{[]string{"Service"}, func(g *G, r *report, s *Object) {
			selector := s.at("spec", "selector")
			if len(selector.keys()) == 0 || selector.at(gatewayLabel).is() || templated(pairs(selector)) {
				return
			}
			if len(g.selected(s, selector)) > 0 || g.lostPicker(s) != nil || g.absentServers(s, selector) {
				return // epp-service-selects-nothing or pool-selects-nothing says so
			}
			if g.hasPods(s.Namespace) {
				r.add(place{s, selector}, Ref{}, "no pods have the labels %s", pairs(selector)).fix("select by labels of the pod template, not of the workload")
			}
		}},
	},
	{
		ID: "epp-service-selects-nothing", Severity: Error,
		Doc: "The Service that a pool names as its endpoint picker selects no pods, though the pool's endpoint picker is in the set. With " +
			"failureMode FailClose, which the API server sets where none is written, every request is refused; with FailOpen the picker is never asked, " +
			"and requests go to any server.",
		each: ofKinds{[]string{"Service"}, func(g *G, r *report, s *Object) {
			if e := g.lostPicker(s); e != nil {
				selector := s.at("spec", "selector")
				r.add(place{s, selector}, e.pods.Ref, "no pods have the labels %s", pairs(selector)).
					fix("the pods of %s have %s", e.pods.Ref, pairs(e.pods.template.at("metadata", "labels")))
			}
		}},
	},
	{
		ID: "service-target-port", Severity: Error,
		Doc: "A Service's targetPort is a name that no container of its pods has: the Service has no endpoints for that port. Or it is a number " +
			"on which the model server and its sidecar do not listen.",
		each: ofKinds{[]string{"Service"}, func(g *G, r *report, s *Object) {
			for _, port := range s.at("spec", "ports").list() {
				target := port.at("targetPort")
				n, number := target.number()
				if !target.is() || templated(target.text()) {
					continue
				}
				for _, p := range g.selected(s, s.at("spec", "selector")) {
					if number && s.at("spec", "clusterIP").text() != "None" && p.deaf(n) {
						r.add(place{s, target}, p.Ref, "the pods of %s do not listen on targetPort %d", p.Ref, n).fix("set it to the port of the server or its sidecar")
					}
					if !number && !p.hasPort(target.text()) {
						r.add(place{s, target}, p.Ref, "targetPort %s is not a port of the pods of %s", target.text(), p.Ref).fix("name a containerPort %s, or use a number", target.text())
					}
				}
			}
		}},
	},
	{
		ID: "service-port-missing", Severity: Error,
		Doc: "A route, a pool, an EnvoyFilter or a flag names a port that the Service does not have, or a route or pool names none. Istio " +
			"does not report it: it says that all is well and sends requests to a cluster that does not exist.",
		find: findServicePorts,
	},
	{
		ID: "epp-grpc-port", Severity: Error,
		Doc: "The Service port by which the pool or the gateway asks the endpoint picker leads to another port than the one that " +
			"--grpc-port opens.",
		each: of[portUse]{(*G).pickerPorts, func(g *G, r *report, u portUse) {
			target := targetOf(u.service, u.port)
			for _, e := range g.eppsBehind(u.service) {
				want, known := e.port(9002, "grpc-port")
				number := e.pods.numberOf(target.text())
				if known && number != 0 && number != want {
					r.add(place{u.service, target}, e.pods.Ref, "port %s leads to %d, but the endpoint picker listens on %d", u.port, number, want).fix("set targetPort to %d", want)
				}
			}
		}},
	},
	{
		ID: "epp-service-wrong-pods", Severity: Error,
		Doc: "The Service that a pool names as its endpoint picker selects pods, but none of them runs an endpoint picker: they serve a model, " +
			"or the port is not gRPC. Pods that are not known and serve gRPC are information only, since any ext_proc server that speaks the " +
			"endpoint picker protocol will do.",
		find: findWrongPickers,
	},
	{
		ID: "port-conflict", Severity: Error,
		Doc: "Two containers of a pod listen on the same port. They share one network, so the second does not start: the classic are a " +
			"routing sidecar and a model server both on 8000, and a render sidecar beside the latency predictor.",
		each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
			taken := map[string]string{}
			for _, c := range p.containers {
				if c.init && c.at("restartPolicy").text() != "Always" {
					continue
				}
				for _, port := range c.at("ports").list() {
					n := port.at("containerPort").text() + port.at("protocol").or("TCP")
					if other, ok := taken[n]; ok && other != c.name {
						r.add(p.place(port), Ref{}, "containers %s and %s both listen on %s", other, c.name, port.at("containerPort").text()).fix("give one of them another port")
					}
					taken[n] = c.name
				}
			}
		}},
	},
	{
		ID: "probe-port", Severity: Error,
		Doc: "A probe, or a hook such as preStop, asks a port by a name that its container does not have, or a number on which a model server does not listen. The container never becomes ready, or is restarted for ever.",
		each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
			for _, c := range p.containers {
				c.namedPorts(r, p)
				for _, probe := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
					port := c.at(probe, "httpGet", "port")
					n, number := port.number()
					if number && c.isServer() && p.deaf(n) {
						r.add(p.place(port), Ref{}, "%s of %s asks port %d, and the server listens on %s", probe, c.name, n, c.flag("port")).fix("set it to %s", c.flag("port"))
					}
					if port.is() && !number && !c.hasPort(port.text()) && !templated(port.text()) {
						r.add(p.place(port), Ref{}, "%s of %s asks port %s, which the container does not have", probe, c.name, port.text()).fix("name the containerPort, or use its number")
					}
				}
			}
		}},
	},
}

// namedPorts wants the ports that hooks and TCP probes name; probe-port itself looks at the
// probes over HTTP.
func (c *container) namedPorts(r *report, p *Pods) {
	for _, path := range [][]any{
		{"startupProbe", "tcpSocket"}, {"readinessProbe", "tcpSocket"}, {"livenessProbe", "tcpSocket"},
		{"lifecycle", "preStop", "httpGet"}, {"lifecycle", "preStop", "tcpSocket"}, {"lifecycle", "postStart", "httpGet"},
	} {
		port := c.at(path...).at("port")
		if _, number := port.number(); port.is() && !number && !templated(port.text()) && !c.hasPort(port.text()) {
			r.add(p.place(port), Ref{}, "%s of %s asks port %s, which the container does not have", path[len(path)-2], c.name, port.text()).fix("name the containerPort, or use its number")
		}
	}
}

// findServicePorts holds every port that is named against the Service.
func findServicePorts(g *G, r *report) {
	uses := append(g.pickerPorts(), g.addresses...)
	for _, route := range g.Kinds("HTTPRoute", "GRPCRoute") {
		for _, b := range backends(route) {
			if s := g.Object(b.Ref); s != nil && s.Kind == "Service" {
				uses = append(uses, portUse{place{route, b.port}, s, b.port.text(), true})
			}
		}
	}
	for _, u := range uses {
		if u.port == "" && u.asks {
			r.add(u.at, u.service.Ref, "names no port of %s", u.service.Ref).fix("it has %s", list(portsOf(u.service)))
			continue
		}
		if u.port == "" || templated(u.port) || portOf(u.service, u.port).is() {
			continue
		}
		r.add(u.at, u.service.Ref, "%s has no port %s", u.service.Ref, u.port).fix("it has %s", list(portsOf(u.service)))
	}
}

func findWrongPickers(g *G, r *report) {
	for _, pool := range g.Kinds("InferencePool") {
		name := pool.at("spec", "endpointPickerRef", "name")
		s := g.Object(Ref{Kind: "Service", Namespace: pool.Namespace, Name: name.text()})
		if s == nil || len(g.eppsBehind(s)) > 0 {
			continue
		}
		for _, p := range g.selected(s, s.at("spec", "selector")) {
			if templated(p.image()) {
				continue
			}
			if port := portOf(s, eppPort(pool.at("spec", "endpointPickerRef")).text()); p.unlikelyPicker() || port.is() && !isGRPC(port) {
				r.add(place{pool, name}, s.Ref, "the pods of %s run no endpoint picker", s.Ref).fix("name the endpoint picker's Service")
			} else {
				r.add(place{pool, name}, s.Ref, "the pods of %s run no endpoint picker that is known (%s)", s.Ref, p.image()).Severity = Info
			}
			break
		}
	}
}

// unlikelyPicker reports whether the pods are known to be something else.
func (p *Pods) unlikelyPicker() bool {
	return slices.ContainsFunc(p.containers, func(c *container) bool {
		return c.isServer() || c.isRender() || c.isSidecar() || c.isProxy()
	})
}

// image is the first container's.
func (p *Pods) image() string {
	for _, c := range p.containers {
		return c.image
	}
	return ""
}

// portOf is the port of a Service that has the number or name.
func portOf(s *Object, port string) field {
	return lists.First(s.at("spec", "ports").list(), func(p field) bool {
		return p.at("port").text() == port || p.at("name").text() == port
	})
}

// targetOf is the targetPort of a Service's port, which is the port itself by default.
func targetOf(s *Object, port string) field {
	p := portOf(s, port)
	if t := p.at("targetPort"); t.is() {
		return t
	}
	return p.at("port")
}

func portsOf(s *Object) (out []string) {
	for _, p := range s.at("spec", "ports").list() {
		text := p.at("port").text()
		if name := p.at("name").text(); name != "" && name != strconv.Quote(text) {
			text += " (" + name + ")"
		}
		out = append(out, text)
	}
	return out
}
