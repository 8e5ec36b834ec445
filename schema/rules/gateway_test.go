package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// gatewayRules are those on gateways, routes and load balancing.
var gatewayRules = only(
	gatewayClass, gatewayNames, gatewayNamespaces, listenersFit, extProcFits, bypass, splitFits,
	standaloneRoute, standaloneProxy, routeTimeouts, routeRules, severalRules, loadBalancingFits, connectionTimes,
)

// TestGatewayRules holds the exact words of each problem, and that what is meant to work
// is not refused.
func TestGatewayRules(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"no gateway", "", ""},
		{"plain", `
gateway: {class: istio}`, ""},
		{"Istio with an EnvoyFilter", `
gateway: {class: istio, istio: {inferenceExtension: false}, envoyFilter: {name: f}}`, ""},
		{"sections of other classes", `
gateway: {class: istio, kgateway: {version: "2.1"}, gke: {logging: true}, envoy: {listenPort: 1}}`, `
spec.gateway.envoy: belongs to class envoy, and class is istio; remove it
spec.gateway.gke: belongs to class gke, and class is istio; remove it
spec.gateway.kgateway: belongs to class kgateway, and class is istio; remove it`},
		{"section of Istio", `
gateway: {class: gke, istio: {version: "1.29"}, envoyFilter: {name: f}}`, `
spec.gateway.envoyFilter: belongs to class istio, and class is gke; remove it
spec.gateway.istio: belongs to class istio, and class is gke; remove it`},
		{"extra gateway without a first", `
extraGateways: [{class: istio}]`, `
spec.extraGateways: are further ones; write the first as gateway`},
		{"section in an extra gateway", `
gateway: {class: istio}
extraGateways: [{class: kgateway, gke: {}}]`, `
spec.extraGateways[0].gke: belongs to class gke, and class is kgateway; remove it`},
		{"EnvoyFilter elsewhere", `
gateway: {class: agentgateway, extProc: envoyFilter}`, `
spec.gateway.extProc: an EnvoyFilter works with class istio only; leave it out for class agentgateway, which understands InferencePool`},
		{"native on an old Istio", `
gateway: {class: istio, extProc: native, istio: {version: "1.27"}}`, `
spec.gateway.extProc: native needs Istio 1.28 or later with ENABLE_GATEWAY_API_INFERENCE_EXTENSION=true; use envoyFilter, or correct istio (version 1.27, inferenceExtension true)`},
		{"native without the feature", `
gateway: {class: istio, extProc: native, istio: {inferenceExtension: false}}`, `
spec.gateway.extProc: native needs Istio 1.28 or later with ENABLE_GATEWAY_API_INFERENCE_EXTENSION=true; use envoyFilter, or correct istio (version 1.29, inferenceExtension false)`},
		{"unused EnvoyFilter section", `
gateway: {class: istio, envoyFilter: {name: f}}`, `
spec.gateway.envoyFilter: is not used, for this Istio understands InferencePool; remove it, or set extProc: envoyFilter`},
		{"EnvoyFilter without namespace", `# no namespace
gateway: {class: istio, extProc: envoyFilter}`, `
metadata.namespace: is required because spec.gateway is wired by an EnvoyFilter, which names the EPP with its namespace`},
		{"EnvoyFilter and split", `
gateway: {class: istio, extProc: envoyFilter}
route: {split: [{pool: p, weight: 1}]}`, `
spec.route.split: does not work with an EnvoyFilter, which sends all of the route's requests to one pool; tell the pools apart by route.matches, a stack for each`},
		{"EnvoyFilter on an ancient Istio", `
gateway: {class: istio, istio: {version: "1.24"}}`, `
spec.gateway.istio.version: must be 1.25 or later: the proxy of Istio 1.24 does not know ext_proc's body mode FULL_DUPLEX_STREAMED, which the EPP needs`},
		{"EnvoyFilter fails closed", `
gateway: {class: istio, extProc: envoyFilter}
scheduler: {failureMode: FailOpen}`, `
spec.scheduler.failureMode: FailOpen has no effect with an EnvoyFilter: without the EPP's choice there is no server to go to, and the gateway answers 503`},
		{"kgateway without pools", `
gateway: {class: kgateway, kgateway: {version: "2.2"}}`, `
spec.gateway.kgateway.version: kgateway 2.2 leaves InferencePool to agentgateway; use class agentgateway, or class envoy`},
		{"kgateway to a Service", `
gateway: {class: kgateway, kgateway: {version: "2.2"}}
route: {backend: service}`, `
spec.route.backend: is service: requests bypass the EPP, and scoring is off`},
		{"split on Istio", `
gateway: {class: istio}
route: {split: [{pool: p, weight: 1}]}`, `
spec.route.split: is served by Istio from 1.29.9, 1.30.6, 1.31.2 on; before, it asks one EPP for all pools of a split: the others' servers are chosen without scoring, and while the pool of that EPP is empty the gateway answers 503 for all (istio.version is 1.29)`},
		{"split on an Istio that is too old", `
gateway: {class: istio, istio: {version: "1.30.5"}}
route: {split: [{pool: p, weight: 1}]}`, `
spec.route.split: is served by Istio from 1.29.9, 1.30.6, 1.31.2 on; before, it asks one EPP for all pools of a split: the others' servers are chosen without scoring, and while the pool of that EPP is empty the gateway answers 503 for all (istio.version is 1.30.5)`},
		{"split on an Istio that can", `
gateway: {class: istio, istio: {version: "1.30.6"}}
route: {split: [{pool: p, weight: 1}]}`, ""},
		{"split on a newer Istio", `
gateway: {class: istio, istio: {version: "1.32"}}
route: {split: [{pool: p, weight: 1}]}`, ""},
		{"a second route on Istio", `
gateway: {class: istio, istio: {version: "1.28"}, name: gw, existing: true}`, `
spec.gateway.existing: is served by Istio from 1.28.5, 1.29.0 on; before, it asks an EPP for the first route with a pool only: with another stack on this Gateway scoring is off for one (istio.version is 1.28)`},
		{"split elsewhere", `
gateway: {class: agentgateway}
route: {weight: 0, split: [{pool: p, weight: 1}]}`, ""},
		{"no weight", `
gateway: {class: gke}
route: {weight: 0, split: [{pool: p, weight: 0}]}`, `
spec.route.weight: is 0, and so is every other weight: no request would be answered`},
		{"existing without name", `
gateway: {class: istio, existing: true, listeners: [{name: a, port: 80}], serviceType: NodePort, labels: {a: b}}`, `
spec.gateway.labels: belongs to a Gateway that is made, and existing is true; set it where that Gateway is made
spec.gateway.listeners: belongs to a Gateway that is made, and existing is true; set it where that Gateway is made
spec.gateway.name: is required with existing: true: it is the Gateway to attach to
spec.gateway.serviceType: belongs to a Gateway that is made, and existing is true; set it where that Gateway is made`},
		{"existing: false", `
gateway: {class: envoy, existing: false}`, ""},
		{"GKE has no proxies", `
gateway: {class: gke, replicas: 2, serviceType: NodePort}`, `
spec.gateway.replicas: is not used with class gke, whose proxies are not in the cluster
spec.gateway.serviceType: is not used with class gke, whose proxies are not in the cluster`},
		{"GKE timeouts", `
gateway: {class: gke}
route: {timeouts: {request: 5m}}`, `
spec.route.timeouts: are left out, for GKE refuses them; spec.gateway.gke.backendTimeoutSeconds holds instead`},
		{"Istio without options", `
gateway: {class: istio, istio: {version: "1.25"}, serviceType: NodePort, replicas: 2}`, `
spec.gateway.replicas: needs Istio 1.26 or later (istio.version is 1.25), which reads a Gateway's options`},
		{"too many labels", `
gateway: {class: kgateway, labels: {a: x, b: x, c: x, d: x, e: x, f: x, g: x, h: x, i: x}}`, `
spec.gateway.labels: must be at most 8 (got 9)`},
		{"too many annotations", `
gateway: {class: agentgateway, annotations: {a: x, b: x, c: x, d: x, e: x, f: x, g: x, h: x, i: x}}`, `
spec.gateway.annotations: must be at most 8 (got 9)`},
		{"long name", `
gateway: {class: istio, name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}`, `
spec.gateway.name: must have at most 57 characters, for Istio makes a Service <name>-istio (got 58)`},
		{"longest name", `
gateway: {class: istio, name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}`, ""},
		{"one name twice", `
gateway: {class: istio, name: g}
extraGateways: [{class: istio, name: g}, {class: istio, name: g, namespace: other}]`, `
spec.extraGateways[0].name: g is the name of another gateway of this stack`},
		{"proxy and Gateway of one name", `
gateway: {class: envoy, name: g}
extraGateways: [{class: istio, name: g}, {class: kgateway, name: g}]`, `
spec.extraGateways[1].name: g is the name of another gateway of this stack`},
		{"listener twice", `
gateway: {class: istio, listeners: [{name: a, port: 80}, {name: a, port: 80}]}`, `
spec.gateway.listeners[1].name: a is the name of another listener
spec.gateway.listeners[1].port: 80 is taken by another listener; give each a hostname of its own`},
		{"two hosts", `
gateway: {class: istio, listeners: [{name: a, port: 80, hostname: a.b}, {name: b, port: 80}]}`, ""},
		{"HTTPS without secret", `
gateway: {class: istio, listeners: [{name: a, port: 443, protocol: HTTPS}]}`, `
spec.gateway.listeners[0].tlsSecret: is required for protocol HTTPS`},
		{"HTTP with secret", `
gateway: {class: istio, listeners: [{name: a, port: 80, tlsSecret: s}]}`, `
spec.gateway.listeners[0].tlsSecret: needs protocol: HTTPS`},
		{"secret namespace alone", `
gateway: {class: istio, listeners: [{name: a, port: 80, tlsSecretNamespace: s}]}`, `
spec.gateway.listeners[0].tlsSecretNamespace: needs tlsSecret`},
		{"secret elsewhere", `# no namespace
gateway: {class: istio, listeners: [{name: a, port: 443, protocol: HTTPS, tlsSecret: s, tlsSecretNamespace: certs}]}`, `
metadata.namespace: is required because spec.gateway.listeners[0].tlsSecretNamespace is set: a ReferenceGrant names the namespace of the Gateway`},
		{"one port, two protocols", `
gateway: {class: istio, listeners: [{name: a, port: 80}, {name: b, port: 80, protocol: HTTPS, tlsSecret: s, hostname: a.b}]}`, `
spec.gateway.listeners[0].protocol: HTTP and HTTPS cannot share port 80
spec.gateway.listeners[1].protocol: HTTPS and HTTP cannot share port 80`},
		{"unknown listener", `
gateway: {class: istio, listeners: [{name: http, port: 80}, {name: https, port: 443, protocol: HTTPS, tlsSecret: s}]}
route: {sectionName: htps}`, `
spec.route.sectionName: there is no such listener in spec.gateway; did you mean "https"?`},
		{"unknown default listener", `
gateway: {class: istio}
route: {sectionName: web-internal}`, `
spec.route.sectionName: there is no such listener in spec.gateway, only default`},
		{"listener of somebody else", `
gateway: {class: istio, existing: true, name: g}
route: {sectionName: web}`, ""},
		{"route not allowed", `
gateway: {class: istio, allowedNamespaces: [apps]}`, `
spec.gateway.allowedNamespaces: must hold llm, the namespace of the route`},
		{"all allowed", `
gateway: {class: istio, allowedNamespaces: ["*"]}`, ""},
		{"not a namespace", `
gateway: {class: istio, allowedNamespaces: [llm, Apps]}`, `
spec.gateway.allowedNamespaces[1]: must be the name of a namespace, or "*" for all (got "Apps")`},
		{"gateway elsewhere without namespace", `# no namespace
gateway: {class: kgateway, namespace: edge}`, `
metadata.namespace: is required because spec.gateway.namespace is set: what crosses namespaces names both`},
		{"route elsewhere without namespace", `# no namespace
gateway: {class: kgateway}
route: {namespace: routes}`, `
metadata.namespace: is required because spec.route.namespace is set: what crosses namespaces names both`},
		{"pool elsewhere without namespace", `# no namespace
gateway: {class: kgateway}
route: {split: [{pool: p, weight: 1, namespace: other}]}`, `
metadata.namespace: is required because spec.route.split[0].namespace is set: what crosses namespaces names both`},
		{"bypass", `
gateway: {class: istio}
route: {backend: service}`, `
spec.route.backend: is service: requests bypass the EPP, and scoring is off`},
		{"bypass without EPP", `
gateway: {class: envoy}
scheduler: {enabled: false}
route: {backend: service}`, `
spec.route.backend: is service: there is no EPP, and scoring is off`},
		{"pool without EPP", `
gateway: {class: istio}
scheduler: {enabled: false}`, `
spec.route.backend: pool needs the EPP and scheduler.enabled is false; use backend: service, or enable the scheduler`},
		{"no route to a pool without EPP", `
gateway: {class: istio}
scheduler: {enabled: false}
route: {enabled: false}`, ""},
		{"proxy with Gateway's settings", `
gateway: {class: envoy, className: c, existing: true, name: g, listeners: [{name: a, port: 80}], allowedNamespaces: [llm], extProc: native}`, `
spec.gateway.allowedNamespaces: belongs to a Gateway, and class envoy is a proxy without one; its ports are in the envoy section
spec.gateway.className: belongs to a Gateway, and class envoy is a proxy without one; its ports are in the envoy section
spec.gateway.existing: belongs to a Gateway, and class envoy is a proxy without one; its ports are in the envoy section
spec.gateway.extProc: belongs to a Gateway, and class envoy is a proxy without one; its ports are in the envoy section
spec.gateway.listeners: belongs to a Gateway, and class envoy is a proxy without one; its ports are in the envoy section`},
		{"proxy with HTTPRoute's settings", `
gateway: {class: envoy}
route: {enabled: false, name: rt, namespace: x, hostnames: [a.b], matches: [{}], filters: [], sectionName: s, weight: 1, split: [], timeouts: {request: 5m, backendRequest: 1m}}`, `
spec.route.enabled: must be true for class envoy, whose proxy holds the route itself
spec.route.filters: belongs to an HTTPRoute, and class envoy has none: all requests go to this stack
spec.route.matches: belongs to an HTTPRoute, and class envoy has none: all requests go to this stack
spec.route.name: belongs to an HTTPRoute, and class envoy has none: all requests go to this stack
spec.route.namespace: belongs to an HTTPRoute, and class envoy has none: all requests go to this stack
spec.route.sectionName: belongs to an HTTPRoute, and class envoy has none: all requests go to this stack
spec.route.split: belongs to an HTTPRoute, and class envoy has none: all requests go to this stack
spec.route.timeouts.backendRequest: belongs to an HTTPRoute, and class envoy has none: all requests go to this stack
spec.route.weight: belongs to an HTTPRoute, and class envoy has none: all requests go to this stack`},
		{"proxy beside a Gateway", `
gateway: {class: envoy}
extraGateways: [{class: istio}]
route: {name: rt}`, ""},
		{"ports of the proxy", `
gateway: {class: envoy, envoy: {listenPort: 9901, adminPort: 9901}}`, `
spec.gateway.envoy.adminPort: must differ from listenPort (both are 9901)
spec.gateway.envoy.adminPort: 9901 is used inside the pod; choose another
spec.gateway.envoy.listenPort: 9901 is used inside the pod; choose another`},
		{"proxy fails open", `
gateway: {class: envoy}
scheduler: {failureMode: FailOpen}`, `
spec.scheduler.failureMode: FailOpen holds for requests whose body the proxy has not begun to send to the EPP; others fail with it`},
		{"longer try", `
gateway: {class: istio}
route: {timeouts: {request: 1m, backendRequest: 61s}}`, `
spec.route.timeouts.backendRequest: must not be longer than timeouts.request (61s > 1m)`},
		{"try of a request without end", `
gateway: {class: istio}
route: {timeouts: {backendRequest: 61s}}`, ""},
		{"path", `
gateway: {class: istio}
route: {matches: [{path: {value: v1}}, {path: {type: RegularExpression, value: ".*"}}]}`, `
spec.route.matches[0].path.value: must start with / (got "v1")`},
		{"redirect", `
gateway: {class: istio}
route: {filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]}`, `
spec.route.filters[0].type: RequestRedirect answers by itself and cannot go with a backend; give it a rule without one`},
		{"rules", `
gateway: {class: agentgateway}
route: {rules: [{matches: [{path: {value: /a}}]}, {backendRefs: [{weight: 9}, {name: p, weight: 1}]}, {filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}], name: old, hostnames: [a.b]}]}`, ""},
		{"rules beside the one rule", `
gateway: {class: istio}
route: {matches: [{}], filters: [], weight: 3, split: [], rules: [{}]}`, `
spec.route.filters: is that of the one rule, and rules has others; move it into rules
spec.route.matches: is that of the one rule, and rules has others; move it into rules
spec.route.split: is that of the one rule, and rules has others; move it into rules
spec.route.weight: is that of the one rule, and rules has others; move it into rules`},
		{"mistakes in rules", `
gateway: {class: agentgateway}
route: {rules: [{matches: [{path: {value: a}}, {path: {type: RegularExpression, value: "("}}]}, {filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}], backendRefs: [{}]}, {matches: [{path: {value: /t}}], timeouts: {request: 1m, backendRequest: 61s}}]}`, `
spec.route.rules[0].matches[0].path.value: must start with / (got "a")
spec.route.rules[0].matches[1].path.value: is not a regular expression of RE2: error parsing regexp: missing closing ): ` + "`(`" + `
spec.route.rules[1].filters[0].type: RequestRedirect answers by itself and cannot go with a backend; give it a rule without one
spec.route.rules[2].timeouts.backendRequest: must not be longer than timeouts.request (61s > 1m)`},
		{"backends", `
gateway: {class: agentgateway}
route: {rules: [{backendRefs: [{kind: Service, port: 8001}, {port: 80}, {kind: Service, name: s}, {kind: Service, name: demo, port: 8000}, {name: demo, namespace: llm}]}, {matches: [{path: {value: /z}}], backendRefs: [{weight: 0}, {name: p, weight: 0}]}, {matches: [{path: {value: /y}}], backendRefs: [{namespace: other}]}]}`, `
spec.route.rules[0].backendRefs[0]: leads to the plain Service: requests of this rule bypass the EPP
spec.route.rules[0].backendRefs[0].port: must be that of the stack's Service, 8000; leave it out
spec.route.rules[0].backendRefs[1].port: belongs to a Service: a pool knows the ports of its servers
spec.route.rules[0].backendRefs[2].port: is required for a Service that is not the stack's own
spec.route.rules[0].backendRefs[3]: leads to the plain Service: requests of this rule bypass the EPP
spec.route.rules[0].backendRefs[3]: has a share already; give each backend one weight
spec.route.rules[0].backendRefs[4]: has a share already; give each backend one weight
spec.route.rules[1].backendRefs[0].weight: is 0, and so is every other weight of the rule: no request would be answered
spec.route.rules[2].backendRefs[0].namespace: needs name: the stack's own backend is in its own namespace`},
		{"host names of rules", `
gateway: {class: istio, listeners: [{name: l, port: 80, hostname: "*.x"}]}
route: {hostnames: [a.x], rules: [{hostnames: [b.x]}, {hostnames: [f.x]}, {hostnames: [c.x], name: c}, {hostnames: [d.y], name: c}]}`, `
spec.route.rules[0].name: is required beside hostnames: the HTTPRoute of these host names is named after it
spec.route.rules[1].name: is required beside hostnames: the HTTPRoute of these host names is named after it
spec.route.rules[3].name: c is the name of a rule with other host names`},
		{"name without host names", `
gateway: {class: istio}
route: {hostnames: [a.x], rules: [{name: unused}, {name: a, hostnames: [b.x]}]}`, `
spec.route.rules[0].name: has no effect: only the first rule of other host names than the route's names their HTTPRoute`},
		{"rules that never apply", `
gateway: {class: istio}
route: {rules: [{matches: [{path: {value: /a}}, {path: {type: Exact, value: /b}}]}, {matches: [{path: {type: PathPrefix, value: /a}}]}, {matches: [{path: {value: /a}}, {path: {value: /c}}]}]}`, `
spec.route.rules[1]: never applies: spec.route.rules[0] has the same matches, and comes first`},
		{"rules to others only", `
gateway: {class: istio}
route: {rules: [{backendRefs: [{name: p}]}]}`, `
spec.route.rules: lead to others only: no request comes to this stack's servers`},
		{"rules without EPP", `
gateway: {class: istio}
scheduler: {enabled: false}
route: {rules: [{}, {matches: [{path: {value: /a}}], backendRefs: [{kind: Service}]}]}`, `
spec.route.rules[0]: leads to the pool, which needs the EPP, and scheduler.enabled is false; write kind: Service, or enable the scheduler`},
		{"rules and an EnvoyFilter", `
gateway: {class: istio, extProc: envoyFilter}
route: {rules: [{backendRefs: [{}, {kind: Service, name: s, port: 80}]}, {matches: [{path: {value: /a}}], backendRefs: [{name: p}]}, {matches: [{path: {value: /b}}]}]}`, `
spec.route.rules[0].backendRefs[0]: cannot share the requests of a rule with others where an EnvoyFilter asks the EPP: it takes them all; give it a rule of its own
spec.route.rules[1].backendRefs[0]: is a pool, which spec.gateway does not lead to by itself; write the rule into the stack of that pool`},
		{"rules and Istio", `
gateway: {class: istio}
route: {rules: [{backendRefs: [{}, {name: p}]}, {matches: [{path: {value: /a}}], filters: [{type: CORS, cors: {allowOrigins: ["*"]}}]}]}`, `
spec.route.rules[0].backendRefs: is served by Istio from 1.29.9, 1.30.6, 1.31.2 on; before, it asks one EPP for all pools of a split: the others' servers are chosen without scoring, and while the pool of that EPP is empty the gateway answers 503 for all (istio.version is 1.29)
spec.route.rules[1].filters[0].type: CORS on a route to an InferencePool turns scoring off on Istio, and prefill servers are sent plain requests; answer CORS before the gateway, or set gateway.extProc: envoyFilter`},
		{"rules on GKE and on a proxy", `
gateway: {class: gke}
route: {rules: [{timeouts: {request: 5m}}]}`, `
spec.route.rules[0].timeouts: are left out, for GKE refuses them; spec.gateway.gke.backendTimeoutSeconds holds instead`},
		{"rules of a proxy", `
gateway: {class: envoy}
route: {rules: [{}]}`, `
spec.route.rules: belongs to an HTTPRoute, and class envoy has none: all requests go to this stack`},
		{"too many rules of one route", `
gateway: {class: gke}
route: {rules: [` + manyRules(17, "{method: PUT}") + `]}`, "spec.route.rules[16]: is the 17th rule of the same host names, and an HTTPRoute has at most 16"},
		{"too many matches of one route", `
gateway: {class: gke}
route: {rules: [` + manyRules(3, strings.Repeat("{method: GET}, ", 50)) + `]}`, "spec.route.rules[0].matches: are 153 with those of the other rules of the same host names, and an HTTPRoute has at most 128"},
		{"too many host names", `
gateway: {class: istio}
route: {hostnames: [h0.x, h1.x, h2.x, h3.x, h4.x, h5.x, h6.x, h7.x, h8.x, h9.x, h10.x, h11.x, h12.x, h13.x, h14.x, h15.x, h16.x]}`, `
spec.route.hostnames: must be at most 16 (got 17)`},
		{"load balancing without Istio", `
gateway: {class: gke}
loadBalancing: {}`, `
spec.loadBalancing: is a DestinationRule, which only Istio's proxies read; a gateway of class gke does not`},
		{"load balancing beside the EPP", `
gateway: {class: istio}
loadBalancing: {}`, `
spec.loadBalancing: holds for clients of the plain Service; what comes through the gateway goes where the EPP says`},
		{"load balancing alone", `
loadBalancing: {}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: demo, namespace: llm}\nspec:\n  model: {name: m}\n  " +
				strings.ReplaceAll(strings.TrimSpace(tc.spec), "\n", "\n  ") + "\n"
			if strings.HasPrefix(tc.spec, "# no namespace") {
				text = strings.Replace(text, ", namespace: llm", "", 1)
			}
			docs, problems := document.Read("f", []byte(text))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			_, problems = parse(docs[0].Node, schema.Source{}, gatewayRules)
			if d := cmp.Diff(strings.TrimSpace(tc.want), problems.Error()); d != "" {
				t.Error(d)
			}
		})
	}
}

// manyRules writes rules of different paths, with further matches.
func manyRules(n int, matches string) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("{matches: [{path: {value: /%d}}, %s]}", i, strings.TrimSuffix(matches, ", ")))
	}
	return strings.Join(out, ", ")
}
