package wiring

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/release"
)

// ofOldDays reports whether an endpoint picker of no known version may be of the time before
// flags had hyphens and pools were v1 (gateway-api-inference-extension v1.0).
func (g *G) ofOldDays(e *epp) bool {
	pool := g.Object(Ref{Kind: "InferencePool", Namespace: e.pods.Namespace, Name: e.flag("pool-name", "poolName")})
	return e.version() == "" && pool != nil && pool.Group == poolGroupOld
}

var eppRules = []Rule{
	{
		ID: "epp-boolean-flag", Severity: Error,
		Doc: "A boolean flag's value is written as the next word. pflag reads a boolean only after =; --tracing false means --tracing=true and " +
			"a stray argument.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			for _, name := range slices.Sorted(maps.Keys(e.flags)) {
				f := e.flags[name]
				if f.detached && (f.value == "true" || f.value == "false") && e.boolean(name) {
					r.add(e.pods.place(f.at), Ref{}, "--%s %s is read as --%s=true", name, f.value, name).fix("write --%s=%s", name, f.value)
				}
			}
		}},
	},
	{
		ID: "epp-flag", Severity: Error,
		Doc: "A flag that the endpoint picker of this image does not take: one of 2025's spelling (-poolName), a newer one, a misspelt one, or " +
			"one that moved into the configuration. It ends at start. An image without a version beside a pool of " + poolGroupOld +
			" is taken to be as old. A version that is not known is judged as the nearest one that is.",
		find: findEPPFlags,
	},
	{
		ID: "epp-image", Severity: Error,
		Doc: "The endpoint picker's image has a tag of the other name's time. Up to 0.8 it is llm-d-inference-scheduler, since 0.9 " +
			"llm-d-router-endpoint-picker; the sidecar was renamed likewise. There is no such image to pull.",
		each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
			for _, c := range p.containers {
				renamed(r, p, c)
			}
		}},
	},
	{
		ID: "epp-pool-choice", Severity: Error,
		Doc: "The endpoint picker needs exactly one of --pool-name and --endpoint-selector, and not both --config-file and --config-text. " +
			"Otherwise it ends at start.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			_, pool := e.given("pool-name")
			selector, hasSelector := e.given("endpoint-selector")
			if pool && hasSelector {
				r.add(e.pods.place(selector.at), Ref{}, "--pool-name and --endpoint-selector exclude each other").fix("keep one")
			}
			if !pool && !hasSelector && e.catalogue != nil && len(e.flags) > 0 {
				r.add(e.pods.place(e.at("args")), Ref{}, "neither --pool-name nor --endpoint-selector is given").fix("name the pool")
			}
			text, hasText := e.given("config-text")
			if _, file := e.given("config-file"); file && hasText {
				r.add(e.pods.place(text.at), Ref{}, "--config-file and --config-text exclude each other").fix("keep one")
			}
		}},
	},
	{
		ID: "epp-probe-service", Severity: Error,
		Doc: "A gRPC probe asks for a health service that the endpoint picker does not serve. With leader election those are liveness and " +
			"readiness, and any other answers SERVICE_UNKNOWN, so that the pod never becomes ready. Readiness is the leader's alone: a " +
			"liveness or startup probe that asks for it restarts every follower (llm-d-router#2900). Without leader election every name is " +
			"answered alike.",
		find: findProbes,
	},
	{
		ID: "epp-probe-port", Severity: Error,
		Doc: "A gRPC probe asks another port than the one that --grpc-health-port opens. The pod never becomes ready.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			want, known := e.port(9003, "grpc-health-port", "grpcHealthPort")
			for _, probe := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
				port := e.at(probe, "grpc", "port")
				if n, ok := port.number(); ok && known && n != want {
					r.add(e.pods.place(port), Ref{}, "%s asks port %d, and health is on %d", probe, n, want).fix("set it to %d", want)
				}
			}
		}},
	},
	{
		ID: "epp-rolling-update", Severity: Warning,
		Doc: "An endpoint picker with leader election is rolled out step by step. A new pod becomes ready only as the leader, and the old " +
			"leader leaves only when a new one is ready: the rollout waits for ever. llm-d's chart uses Recreate.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			if e.pods.Kind == "Deployment" && e.leads() && e.pods.at("spec", "strategy", "type").text() != "Recreate" {
				r.add(e.pods.in("spec", "strategy"), Ref{}, "leader election and a rolling update wait for each other").fix("set strategy.type: Recreate")
			}
		}},
	},
	{
		ID: "epp-stateful-replicas", Severity: Warning,
		Doc: "Several endpoint pickers are active at once, with plugins that remember requests in memory. Each knows only its own share, " +
			"so that prefix and load scores are wrong.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			config, _ := e.config.decoded().(map[string]any)
			if e.pods.replicas() < 2 || e.leads() || config == nil {
				return
			}
			if stateful := e.anyLine().EPP.Stateful(config); len(stateful) > 0 {
				r.add(e.pods.in("spec", "replicas"), Ref{}, "%d replicas are active, and %s keep state in each", e.pods.replicas(), list(stateful)).
					fix("set --ha-enable-leader-election=true, or use plugins without state")
			}
		}},
	},
	{
		ID: "epp-config-checksum", Severity: Warning,
		Doc: "The endpoint picker's ConfigMap has neither a hash in its name nor a checksum on the pod template. A changed configuration " +
			"reaches the pods only when something else restarts them.",
		each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
			m, _ := g.mounted(e.pods, e.container, e.flag("config-file"))
			if m == nil || hashed(m.Name) {
				return
			}
			if !slices.ContainsFunc(slices.Collect(maps.Keys(e.pods.annotations)), func(k string) bool {
				return strings.Contains(k, "checksum") || strings.Contains(k, "hash") || strings.Contains(k, "reloader")
			}) {
				r.add(e.pods.place(e.pods.template), m.Ref, "a change of %s does not restart the pods", m.Ref).fix("annotate the pod template with a checksum, or let kustomize's configMapGenerator name it")
			}
		}},
	},
}

// anyLine is the image's release line, or the default one where it is not known.
func (e *epp) anyLine() *release.Line {
	if e.catalogue != nil {
		return e.catalogue
	}
	line, err := release.Load(release.Default)
	if err != nil {
		panic(err) // the lines are embedded
	}
	return line
}

func findProbes(g *G, r *report) {
	for _, e := range g.epps {
		if !e.leads() {
			continue // every name is answered alike
		}
		health := e.anyLine().EPP.Health
		for _, probe := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
			at := e.at(probe, "grpc", "service")
			switch service := at.text(); {
			case !e.at(probe, "grpc").is() || templated(service):
			case e.leaders(service) && probe != "readinessProbe":
				r.add(e.pods.place(at), Ref{}, "%s asks for the health service %q, which serves on the leader alone: every follower is restarted", probe, service).
					fix("use %s", health.Liveness)
			case !e.leaders(service) && service != health.Liveness:
				r.add(e.pods.place(at), Ref{}, "%s asks for the health service %s", probe, service).fix("use %s or %s", health.Liveness, health.Readiness)
			}
		}
	}
}

// leaders reports whether a health service serves on the leader alone. Without a name it is the
// readiness (llm-d-router cmd/epp/runner/health.go).
func (e *epp) leaders(service string) bool {
	return service == "" || service == e.anyLine().EPP.Health.Readiness || service == extProcService
}

const extProcService = "envoy.service.ext_proc.v3.ExternalProcessor"

// hashed reports whether a name ends in kustomize's hash.
func hashed(name string) bool {
	i := strings.LastIndexByte(name, '-')
	return i > 0 && len(name)-i == 11 && !strings.ContainsAny(name[i+1:], "aeilosu013") // kustomize api/hasher
}
