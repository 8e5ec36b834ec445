package wiring

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/schema"
)

var serverTLSRules = []Rule{
	{
		ID: "server-tls-probe", Severity: Error,
		Doc: "A model server speaks TLS, and a probe asks it by plain HTTP, or the other way round. The probe fails however well the server is: " +
			"the pod never gets ready, or is restarted for ever.",
		each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
			if c := p.server(); c != nil {
				p.judgeProbes(r, c)
			}
		}},
	},
	{
		ID: "sidecar-tls", Severity: Error,
		Doc: "The routing sidecar speaks TLS to a model server that serves plain HTTP, or plain HTTP to one that serves TLS: the one of its pod, " +
			"or the prefill servers of its pool.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			pods := g.servers(e)
			for _, p := range pods {
				if c := p.sidecar(); c != nil {
					p.judgeStages(r, c, pods)
				}
			}
		}},
	},
	{
		ID: "epp-metrics-scheme", Severity: Error,
		Doc: "The endpoint picker asks the servers of its pool for their metrics by plain HTTP, and they serve TLS, or the other way round. It " +
			"reads none, and scores all servers alike.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			scheme, at := e.metricsScheme()
			for _, p := range g.servers(e) {
				if secure, known := p.entryTLS(); known && scheme != "" && secure != (scheme == "https") {
					r.add(at, p.Ref, "the endpoint picker reads metrics by %s, and %s serves %s", scheme, p.Ref, speaks(secure)).
						fix("%s", e.schemeFix(secure))
					break
				}
			}
		}},
	},
	{
		ID: "pool-tls", Severity: Error,
		Doc: "The servers of a pool speak TLS, and Istio speaks plain HTTP to them, since no DestinationRule is for the Service that it makes of " +
			"the pool. The appProtocol of a pool cannot say https.",
		each: ofKinds{[]string{"InferencePool"}, func(g *G, r *report, pool *Object) {
			if !g.istioServes(pool) || g.poolSecured(pool) {
				return
			}
			for _, p := range g.selected(pool, poolSelector(pool)) {
				if secure, known := p.entryTLS(); known && secure {
					r.add(pool.in("spec", "targetPorts"), p.Ref, "%s serves TLS, and Istio speaks plain HTTP to the pool", p.Ref).
						fix("add a DestinationRule with tls.mode SIMPLE for host %s", istioHost(pool))
					break
				}
			}
		}},
	},
	{
		ID: "monitor-scheme", Severity: Warning,
		Doc: "A PodMonitor scrapes a model server that serves TLS by plain HTTP, or the other way round. Nothing of it is recorded.",
		each: ofKinds{[]string{"PodMonitor"}, func(g *G, r *report, o *Object) {
			for _, e := range o.at("spec", "podMetricsEndpoints").list() {
				for _, p := range first(g, seen(o, g.pods, selecting(o.at("spec", "selector")))) {
					c := p.server()
					if c == nil || !c.hasPort(e.at("port").text()) {
						continue
					}
					secure, known := c.servesTLS()
					if https := strings.EqualFold(e.at("scheme").text(), "https"); known && secure != https {
						r.add(place{o, e}, p.Ref, "scrapes %s by the wrong scheme: it serves %s", p.Ref, speaks(secure)).fix("set scheme: %s", strings.ToLower(scheme(secure)))
					}
				}
			}
		}},
	},
}

func speaks(secure bool) string {
	if secure {
		return "TLS"
	}
	return "plain HTTP"
}

func scheme(secure bool) string {
	if secure {
		return "HTTPS"
	}
	return "HTTP"
}

// servesTLS reports whether a model server speaks TLS; known says that it can be told.
func (c *container) servesTLS() (secure, known bool) {
	f, given := c.given("ssl-certfile", "ssl-keyfile")
	if c.at("envFrom").is() || strings.Contains(f.value, "$") || templated(f.value) {
		return false, false
	}
	return given && f.value != "" || c.on("self-signed-certs", false), true
}

// entryTLS reports whether the port of the pool speaks TLS: the sidecar's where there is one,
// which does unless it is told otherwise.
func (p *Pods) entryTLS() (secure, known bool) {
	if c := p.sidecar(); c != nil {
		f, _ := c.given("secure-proxy", "secure-serving")
		return c.on("secure-proxy", c.on("secure-serving", true)), !templated(f.value) && !c.has("configuration")
	}
	c := p.server()
	if c == nil || c.isScript() {
		return false, false
	}
	return c.servesTLS()
}

// isScript reports whether what the container starts is hidden in a script of its own.
func (c *container) isScript() bool { return len(c.words) == 0 }

func (p *Pods) judgeProbes(r *report, c *container) {
	secure, known := c.servesTLS()
	if !known || c.isScript() {
		return
	}
	for _, name := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
		get := c.at(name, "httpGet")
		if https := get.at("scheme").text() == "HTTPS"; get.is() && https != secure && c.asksItself(get.at("port").text()) && !templated(get.at("scheme").text()) {
			r.add(p.place(get), Ref{}, "%s of %s asks by %s, and it serves %s", name, c.name, scheme(https), speaks(secure)).fix("set scheme: %s", scheme(secure))
		}
	}
}

// asksItself reports whether a probe's port is one of the container's own.
func (c *container) asksItself(port string) bool {
	own, known := c.port(8000, "port")
	return c.hasPort(port) || known && port == itoa(own)
}

// judgeStages compares what the sidecar speaks with what its servers do.
func (p *Pods) judgeStages(r *report, c *container, pods []*Pods) {
	stages := c.flag("enable-tls")
	if templated(stages) || c.has("configuration") || c.has("configuration-file") {
		return
	}
	judge := func(stage string, to *Pods) {
		server := to.server()
		if server == nil || server.isScript() {
			return
		}
		asks := slices.Contains(strings.Split(stages, ","), stage) || c.on(stage+"-use-tls", false)
		if secure, known := server.servesTLS(); known && asks != secure {
			f, _ := c.given("enable-tls", stage+"-use-tls")
			r.add(p.place(f.at), to.Ref, "the sidecar speaks %s to the %s, and %s serves %s", speaks(asks), stage, to.Ref, speaks(secure)).
				fix("start the sidecar with --enable-tls=prefiller,decoder,encoder where servers serve TLS, and without it where they do not")
		}
	}
	judge("decoder", p)
	for _, other := range pods {
		if other != p && other.prefills() && other.sidecar() == nil {
			judge("prefiller", other)
			break
		}
	}
	for _, other := range pods {
		if other != p && other.encodes() && !other.prefills() && !other.decodes() {
			judge("encoder", other)
			break
		}
	}
}

// metricsScheme is how the endpoint picker asks for metrics, "" where that cannot be told.
func (e *epp) metricsScheme() (string, place) {
	if f, given := e.given("model-server-metrics-scheme", "modelServerMetricsScheme"); given && f.value != "" {
		if templated(f.value) {
			return "", place{}
		}
		return f.value, e.pods.place(f.at)
	}
	source := e.plugin("metrics-data-source", "model-server-protocol-metrics")
	if e.configAt == nil || templated(source.at("parameters", "scheme").text()) {
		return "", place{}
	}
	at := place{e.configAt, source}
	if !source.is() {
		at = place{e.configAt, e.config}
	}
	return source.at("parameters", "scheme").or("http"), at
}

func (e *epp) schemeFix(secure bool) string {
	to := strings.ToLower(scheme(secure))
	if e.known != nil && e.known.Takes("model-server-metrics-scheme") {
		return "start it with --model-server-metrics-scheme=" + to
	}
	return "declare metrics-data-source with scheme: " + to + " in its configuration"
}

// istioHost is the host by which Istio knows the servers of a pool.
func istioHost(pool *Object) string {
	return schema.IstioPoolService(pool.Name) + "." + pool.Namespace + ".svc.cluster.local"
}

// poolSecured reports whether a DestinationRule has Istio speak TLS to the pool.
func (g *G) poolSecured(pool *Object) bool {
	return slices.ContainsFunc(g.Kinds("DestinationRule"), func(o *Object) bool {
		to, ok := serviceOf(o.at("spec", "host").text(), o.Namespace)
		mode := o.at("spec", "trafficPolicy", "tls", "mode").text()
		return ok && g.poolBehind(to) == pool && mode != "" && mode != "DISABLE"
	})
}
