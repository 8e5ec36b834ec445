package wiring

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/release"
)

var disaggregationRules = []Rule{
	{
		ID: "pd-role-label", Severity: Error,
		Doc: "The endpoint picker is configured for prefill and decode, and pods of its pool have no label " + roleLabel + ". Without it a pod " +
			"counts as decode and is never given a prefill.",
		each: of[*epp]{(*G).disaggregated, func(g *G, r *report, e *epp) {
			for _, p := range g.servers(e) {
				if p.labels[roleLabel] == "" && p.server() != nil {
					r.add(p.place(p.template.at("metadata", "labels")), e.pods.Ref, "pods of a pool with prefill and decode have no label %s", roleLabel).fix("label them %s: prefill or decode", roleLabel)
				}
			}
		}},
	},
	{
		ID: "pd-role-unknown", Severity: Warning,
		Doc: "Model servers of a pool have a value of " + roleLabel + " that no filter takes, such as encoder for encode. An endpoint picker that " +
			"is configured for prefill and decode passes them over, and they get no requests.",
		find: findUnknownRoles,
	},
	{
		ID: "pd-role-absent", Severity: Error,
		Doc: "The endpoint picker is configured for prefill and decode, and its pool has no pods of one of the two. Without decode pods every " +
			"request fails; without prefill pods nothing is disaggregated. Pods of that role which the pool's selector misses, by a label or the " +
			"namespace, are named.",
		each: of[*epp]{(*G).disaggregated, func(g *G, r *report, e *epp) {
			pods := g.servers(e)
			for role, has := range e.roles() {
				if len(pods) == 0 || slices.ContainsFunc(pods, has) {
					continue
				}
				if missed, why := g.missedBy(e.pool(g), has); missed != nil {
					r.add(missed.place(missed.template.at("metadata", "labels")), e.pods.Ref, "the pods do %s, and are not of the pool: %s", role, why).fix("give the pods what the pool selects by, in its namespace")
					continue
				}
				r.add(place{e.configAt, e.plugin(disaggregators...)}, pods[0].Ref, "no pods of the pool do %s", role).fix("add pods labelled %s: %s, or use a single profile", roleLabel, role)
			}
		}},
	},
	{
		ID: "pd-sidecar-missing", Severity: Error,
		Doc: "The endpoint picker is configured for prefill and decode, and decode pods have no routing sidecar. It is the sidecar that sends " +
			"the prompt to the prefill pod that was chosen; without it the header is ignored.",
		each: of[*epp]{(*G).disaggregated, func(g *G, r *report, e *epp) {
			for _, p := range g.servers(e) {
				if p.server() != nil && p.decodes() && p.sidecar() == nil {
					r.add(p.place(p.spec.at("containers")), e.pods.Ref, "decode pods have no routing sidecar").fix("add %s as an init container with restartPolicy Always", sidecarImage())
				}
			}
		}},
	},
	{
		ID: "sidecar-flag", Severity: Error,
		Doc: "The routing sidecar is started with a flag that its version does not have. 0.10 dropped --connector, --prefiller-use-tls and " +
			"--decoder-use-tls; before, --kv-connector and --model-server-port did not exist. It ends at start.",
		each: inContainers{eachSidecar, func(g *G, r *report, p *Pods, c *container) {
			if c.known != nil && c.known.Kind == "sidecar" {
				p.unknownFlags(r, c)
			}
		}},
	},
	{
		ID: "sidecar-port", Severity: Error,
		Doc: "The routing sidecar forwards to a port on which the model server of the pod does not listen.",
		each: inContainers{eachSidecar, func(g *G, r *report, p *Pods, c *container) {
			server := p.server()
			if server == nil {
				return
			}
			to, known := c.port(c.forwardsTo(), "model-server-port", "vllm-port")
			port, ok := server.port(8000, "port")
			if known && ok && to != port {
				f, _ := c.given("model-server-port", "vllm-port")
				r.add(p.place(f.at), Ref{}, "the sidecar forwards to %d, and %s listens on %d", to, server.name, port).fix("make the two ports one")
			}
		}},
	},
	{
		ID: "sidecar-restart-policy", Severity: Error,
		Doc: "The routing sidecar is an init container without restartPolicy Always. The pod waits for it to end, which it never does.",
		each: inContainers{eachSidecar, func(g *G, r *report, p *Pods, c *container) {
			if c.init && c.at("restartPolicy").text() != "Always" {
				r.add(p.place(c.field), Ref{}, "init container %s never ends, and the pod waits for it", c.name).fix("set restartPolicy: Always")
			}
		}},
	},
	{
		ID: "nixl-host", Severity: Error,
		Doc: "vLLM transfers the KV cache through NIXL, and VLLM_NIXL_SIDE_CHANNEL_HOST is not the pod's address: it is localhost where it " +
			"is not set. The other side connects to that, and every transfer fails (llm-d/llm-d#650).",
		each: inContainers{eachNIXL, func(g *G, r *report, p *Pods, c *container) {
			p.wantsOwnAddress(r, c, "VLLM_NIXL_SIDE_CHANNEL_HOST", "uses NIXL")
		}},
	},
	{
		ID: "nixl-keep-alive", Severity: Warning,
		Doc: "A prefill server closes idle connections after 5 seconds unless VLLM_HTTP_TIMEOUT_KEEP_ALIVE says otherwise, and the sidecar " +
			"keeps them for 90. Now and then a request is sent into a connection that is just being closed.",
		each: inContainers{eachNIXL, func(g *G, r *report, p *Pods, c *container) {
			if _, ok := c.env["VLLM_HTTP_TIMEOUT_KEEP_ALIVE"]; !ok && p.labels[roleLabel] == "prefill" {
				r.add(p.place(c.at("env")), Ref{}, "prefill server %s keeps idle connections shorter than the sidecar", c.name).fix("set VLLM_HTTP_TIMEOUT_KEEP_ALIVE to 120")
			}
		}},
	},
}

// disaggregators are the plugins that run a prefill and a decode profile.
var disaggregators = []string{"disagg-profile-handler", "pd-profile-handler"}

// roles are those that the configuration needs, with what tells their pods: one that asks for
// encode alone has decode pods do the prefill.
func (e *epp) roles() map[string]func(*Pods) bool {
	roles := map[string]func(*Pods) bool{"prefill": (*Pods).prefills, "decode": (*Pods).decodes}
	parameters := e.plugin(disaggregators...).at("parameters")
	deciders := parameters.at("deciders")
	encodes := deciders.at("encode").is() || parameters.at("encodeDeciderPluginName").is()
	prefills := deciders.at("prefill").is() || parameters.at("prefillDeciderPluginName").is() || parameters.at("deciderPluginName").is()
	if encodes && !prefills {
		delete(roles, "prefill")
	}
	return roles
}

// disaggregated are the EPPs that are configured for prefill and decode.
func (g *G) disaggregated() []*epp {
	return slices.DeleteFunc(slices.Clone(g.epps), func(e *epp) bool { return e.configAt == nil || !e.plugin(disaggregators...).is() })
}

// sidecarImage is the name of the sidecar's image today.
func sidecarImage() string {
	images := release.ComponentNamed("sidecar").Images
	return path.Base(images[len(images)-1].Path)
}

// forwardsTo is the port that a sidecar without a flag for it forwards to. A version that is
// not known is judged by the name of its image.
func (c *container) forwardsTo() int {
	known := c.known
	if known == nil {
		known = release.ComponentNamed("sidecar").Named(c.image)
	}
	port, _ := strconv.Atoi(known.Value("model-server-port"))
	return port
}

// advice is what takes the place of a flag that a version does not have.
func advice(known *release.Known, f release.ComponentFlag) string {
	if spelling := known.Spelling(f.Name); spelling != "" {
		return "use --" + spelling
	}
	if f.Advice != "" {
		return f.Advice
	}
	return "leave it out"
}

func eachSidecar(g *G, visit func(p *Pods, c *container)) {
	eachContainer(g, func(p *Pods, c *container) {
		if c.isSidecar() {
			visit(p, c)
		}
	})
}

func eachNIXL(g *G, visit func(p *Pods, c *container)) {
	eachContainer(g, func(p *Pods, c *container) {
		if strings.Contains(c.flag("kv-transfer-config"), "NixlConnector") && c.isVLLM() {
			visit(p, c)
		}
	})
}
