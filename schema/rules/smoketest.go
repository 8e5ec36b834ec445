package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// credentialHeaders carry what must not stand in a manifest.
var credentialHeaders = []string{"authorization", "cookie", "proxy-authorization", "x-api-key", "api-key"}

// smokeTestFits checks that the smoke test can find its way to the servers.
func smokeTestFits(s stack) (out []schema.Problem) {
	test := s.Spec.Delivery.SmokeTest
	if test == nil {
		return nil
	}
	const at = "spec.delivery.smokeTest"
	if why := s.untestable(); why != "" && test.URL == "" {
		out = append(out, s.Problem(schema.Error, at+".url", "is required: %s", why))
	}
	for _, name := range slices.Sorted(maps.Keys(test.Headers)) {
		if slices.Contains(credentialHeaders, strings.ToLower(name)) {
			out = append(out, s.Problem(schema.Error, finding.Join(at+".headers", name, 0), "would stand in the manifest in clear; let the test in by another way, such as a url behind the check"))
		}
	}
	if s.Spec.Server.Create && !slices.ContainsFunc(s.decodes(), func(r schema.Workload) bool { return r.Replicas > 0 || r.Autoscaling != nil }) {
		out = append(out, s.Problem(schema.Warning, at, "fails while %s is 0: no server answers", schema.Path("spec.decode.replicas")))
	}
	return out
}

// untestable says why the way in cannot be told from the stack, or "".
func (s stack) untestable() string {
	g := s.Spec.Gateway
	_, plain := s.TestRequest()
	switch {
	case g == nil && !s.HasPlainService():
		return "without a gateway the endpoint picker is asked by no one; or set server.service.enabled, and the plain Service is asked"
	case g == nil:
		return ""
	case g.Row().Outside:
		return "a gateway of class " + g.Class + " has an address once it runs"
	case !s.Routed() && !g.Standalone():
		return "the routes to this stack are made elsewhere"
	case !plain:
		return "no rule of the route takes a chat completion by exact matches and hands it on as " + schema.ChatCompletions
	}
	return ""
}
