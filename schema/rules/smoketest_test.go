package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSmokeTestRules(t *testing.T) {
	const unplain = "spec.delivery.smokeTest.url: is required: no rule of the route takes a chat completion by exact matches and hands it on as /v1/chat/completions"
	for _, tc := range []struct{ name, spec, want string }{
		{"the gateway's way", `gateway: {class: istio}`, ``},
		{"a route of many", `
gateway: {class: kgateway}
route: {rules: [{matches: [{path: {type: RegularExpression, value: "/a.*"}}]}, {matches: [{path: {value: /b}}], filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}]}]}`, ``},
		{"a path that nobody knows", `
gateway: {class: kgateway}
route: {matches: [{path: {value: /qwen}}, {path: {type: RegularExpression, value: "/v1.*"}}, {method: GET}, {queryParams: [{name: a, value: b}]}]}`, unplain},
		{"others' servers", `
gateway: {class: kgateway}
route: {rules: [{matches: [{path: {value: /v1}}], backendRefs: [{name: p}]}, {matches: [{path: {value: /metrics}}]}]}`, unplain},
		{"a gateway outside", `gateway: {class: gke}`, `spec.delivery.smokeTest.url: is required: a gateway of class gke has an address once it runs`},
		{"no way in", ``, `spec.delivery.smokeTest.url: is required: without a gateway the endpoint picker is asked by no one; or set server.service.enabled, and the plain Service is asked`},
		{"the plain Service", `server: {service: {enabled: true}}`, ``},
		{"routes elsewhere", `
gateway: {class: kgateway, existing: true, name: g}
route: {enabled: false}`, `spec.delivery.smokeTest.url: is required: the routes to this stack are made elsewhere`},
		{"a key in clear", `
gateway: {class: istio}
delivery: {smokeTest: {headers: {Authorization: "Bearer x", x-tier: gold}}}`, `spec.delivery.smokeTest.headers.Authorization: would stand in the manifest in clear; let the test in by another way, such as a url behind the check`},
		{"no servers", `
gateway: {class: istio}
decode: {replicas: 0}`, `warning spec.delivery.smokeTest: fails while spec.decode.replicas is 0: no server answers`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			spec := "model: {name: m}\n" + strings.TrimSpace(tc.spec)
			if !strings.Contains(spec, "smokeTest") {
				spec += "\ndelivery: {smokeTest: {}}"
			}
			var got []string
			for _, line := range strings.Split(said(t, spec), "\n") {
				if strings.Contains(line, "smokeTest") {
					got = append(got, line)
				}
			}
			if d := cmp.Diff(tc.want, strings.Join(got, "\n")); d != "" {
				t.Error(d)
			}
		})
	}
}
