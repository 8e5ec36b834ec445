package rules

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/schema"
)

const certPath = "spec.server.certSecret"

// serverTLSFits checks that the servers can speak TLS, and that all that ask them can.
func serverTLSFits(s stack) []schema.Problem {
	line, server := s.line(), &s.Spec.Server
	var out []schema.Problem
	if secure := s.Spec.KVTransfer.Sidecar.SecureProxy; secure != nil && *secure != (server.CertSecret != "") {
		out = append(out, s.Problem(schema.Error, "spec.kvTransfer.sidecar.secureProxy", "must be %t, as %s says: gateways, monitors and Services speak the same to all servers of a stack; leave it out", !*secure, schema.Path(certPath)))
	}
	if server.CertSecret == "" || line == nil {
		return out
	}
	if !server.Create {
		out = append(out, s.Problem(schema.Error, certPath, "is for servers that are made here, and %s is false", schema.Path("spec.server.create")))
	}
	if engine, other := s.EngineOf(line); other && engine.Flags["certFile"] == "" {
		out = append(out, s.Problem(schema.Error, certPath, "cannot be used with %s, which serves plain HTTP only; let the mesh encrypt", engine.Title))
	}
	out = append(out, s.customTLS()...)
	for _, g := range s.gatewaysAt() {
		out = append(out, s.gatewayTLS(g)...)
	}
	return append(out, s.scrapedTLS()...)
}

// customTLS warns of a command of the user's own that seems to know nothing of the certificate.
func (s stack) customTLS() []schema.Problem {
	if s.Spec.Server.Launch != "custom" {
		return nil
	}
	for _, r := range s.Workloads() {
		words := slices.Concat(s.Spec.Server.Command, s.Spec.Server.Args, r.Command, r.Args)
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, schema.CertDirectory) }) {
			return []schema.Problem{s.Problem(schema.Warning, certPath, "is mounted at %s, and the command of the %s servers does not name a file there", schema.CertDirectory, r.Path[len("spec."):])}
		}
	}
	return nil
}

// gatewayTLS says why a gateway cannot speak TLS to the servers.
func (s stack) gatewayTLS(g gatewayAt) []schema.Problem {
	row := g.Row()
	toPool := s.Scored() && !g.Standalone() && !g.UsesEnvoyFilter() && (s.Routed() && s.Leads(schema.BackendPool) || !s.Spec.Route.Enabled && g.Existing)
	switch {
	case toPool && row.PoolTLS != "":
		return []schema.Problem{s.Problem(schema.Error, certPath, "cannot be used with %s: %s: %s", schema.Path(g.path+".class"), g.Class, row.PoolTLS)}
	case s.ToService(g.Gateway) && row.ServiceTLS != "":
		return []schema.Problem{s.Problem(schema.Error, certPath, "cannot be used with %s: %s: %s", schema.Path(g.path+".class"), g.Class, row.ServiceTLS)}
	}
	return nil
}

// scrapedTLS wants a whole configuration to ask the servers for their metrics over TLS.
func (s stack) scrapedTLS() []schema.Problem {
	line, config := s.line(), s.Spec.Scheduler.Config
	if config == nil || line.EPP.Flags["serverMetricsScheme"] != "" {
		return nil
	}
	source := line.EPP.Speaks().Loader.DefaultSource
	plugins, _ := config["plugins"].([]any)
	for _, p := range plugins {
		plugin, _ := p.(map[string]any)
		parameters, _ := plugin["parameters"].(map[string]any)
		if plugin["type"] == source && parameters["scheme"] == "https" {
			return nil
		}
	}
	return []schema.Problem{s.Problem(schema.Error, schedulerPath+".config", "has no plugin %s with scheme: https, so the EPP would ask the servers for their metrics by plain HTTP, which they do not speak with %s", source, schema.Path(certPath))}
}
