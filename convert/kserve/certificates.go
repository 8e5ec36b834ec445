package kserve

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/schema"
)

// certificates is where the presets mount the certificate of a service (kserve
// config/llmisvcconfig, v0.20.0).
const certificates = "/var/run/kserve/tls/"

// certified takes the flags for that certificate off a command line: a stack writes them by
// itself. Servers that the presets start have them where the cluster says so.
func (s *service) certified(r *pods.Role, c *corev1.Container) {
	line := serving.ReadLine(c.Args)
	own := 0
	for _, flag := range []string{"ssl-certfile", "ssl-keyfile"} {
		if value, ok := line.Value(flag); ok && strings.HasPrefix(value, certificates) {
			own++
		}
	}
	if own == 2 {
		for _, flag := range []string{"ssl-certfile", "ssl-keyfile", "enable-ssl-refresh"} {
			line.Take(flag)
		}
		c.Args = line.Words()
	}
	s.encrypted = s.encrypted || own == 2 || s.settings.tls && r.Launch == pods.LaunchServe
}

// certificate has the servers speak TLS with the certificate that KServe made for them, if
// they do so now and the gateway can.
func (s *service) certificate() {
	if !s.encrypted {
		return
	}
	to, from := "spec.server.certSecret", s.at("spec.template")
	class := schema.ClassNamed(s.Text("spec.gateway.class"))
	reason := class.PoolTLS
	if s.Text("spec.route.backend") == "service" {
		reason = class.ServiceTLS
	}
	if reason != "" {
		s.On("spec.server", from).Warn("the servers of the stack speak plain HTTP behind the gateway: %s; a service mesh encrypts that", reason)
		return
	}
	s.Set(to, s.child("-kserve-self-signed-certs"), from)
	s.On(to, from).Warn("the servers speak TLS with the certificate that KServe made: its Secret is deleted with the service and no longer renewed, so have cert-manager, say, make one of this name")
	s.askedOverTLS(from)
}

// askedOverTLS has a configuration that stands in the stack as a whole ask the servers for
// their metrics over TLS, as KServe does by a flag that the EPP no longer has.
func (s *service) askedOverTLS(from string) {
	const source, plugins = "metrics-data-source", schedulerTo + ".config.plugins"
	if !s.Has(plugins) || s.Has("spec.release") {
		return
	}
	for _, n := range s.Get(plugins).Content {
		var p struct{ Type string }
		if n.Decode(&p) == nil && p.Type == source {
			return
		}
	}
	s.Append(plugins, map[string]any{"type": source, "parameters": map[string]any{"scheme": "https"}}, from)
}

// filled drops empty words, which templates leave behind: {{ if .GlobalConfig.EnableTLS }}.
func filled(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "" })
}
