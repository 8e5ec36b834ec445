package manifests

import (
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/wiring"
)

// proxies are Deployments of the group that run Envoy.
func (s *sources) proxies() []member {
	others := s.g.workloads(func(t wiring.Traits) bool { return !t.Picker && !t.Server && !t.Renderer })
	return lists.Where(others, func(m member) bool {
		return m.ref.Kind == "Deployment" && strings.Contains(text(main(templates(m.what)[0]), "image"), "envoy")
	})
}

// envoy are the fields of an Envoy that is a stack's own gateway.
func (s *sources) envoy(m member) [][]proposal {
	c := main(templates(m.what)[0])
	r := role{}
	for _, w := range append(list(c["command"]), list(c["args"])...) {
		r.words = append(r.words, text(w))
	}
	out := [][]proposal{
		one("spec.gateway.replicas", at(m.what, "spec", "replicas")),
		one("spec.gateway.resources", at(c, "resources")),
		one("spec.gateway.envoy.image", at(c, "image")),
		one("spec.gateway.envoy.concurrency", r.number("concurrency")),
		one("spec.gateway.envoy.logLevel", anys(r.flag("log-level", "l"))...),
		one("spec.gateway.envoy.listenPort", at(c, "ports", "", "containerPort")),
	}
	for _, service := range s.g.of("Service") {
		if service.ref.Name == m.ref.Name {
			out = append(out, one("spec.gateway.envoy.servicePort", at(service.what, "spec", "ports", "", "port")))
		}
	}
	return out
}
