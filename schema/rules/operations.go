package rules

import (
	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/schema"
)

// prometheusDuration is what the Prometheus operator's CRDs accept, of the units that a
// duration of this schema can have.
const prometheusDuration = `^([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$`

// monitoringSense looks for monitoring that could not work.
func monitoringSense(s stack) (out []schema.Problem) {
	m := s.Spec.Monitoring
	if m == nil {
		return nil
	}
	if !pattern.Matches(prometheusDuration, m.Interval) {
		out = append(out, s.Problem(schema.Error, "spec.monitoring.interval",
			"Prometheus wants the units of a duration in the order h, m, s, ms, each once, such as 1m30s"))
	}
	if !m.PodMonitor && (m.Alerts || m.Dashboard) {
		out = append(out, s.Problem(schema.Info, "spec.monitoring.podMonitor",
			"alerts and dashboard find the servers' series by the label inferencestack=%q, which a monitor of your own must add", s.Metadata.Name))
	}
	return out
}

// networkPolicySense looks for traffic that the policies would cut off against the
// intention of the rest of the stack.
func networkPolicySense(s stack) (out []schema.Problem) {
	np := s.Spec.NetworkPolicy
	if np == nil {
		return nil
	}
	if m := s.Spec.Monitoring; m != nil && (m.PodMonitor || m.ServiceMonitor) && len(np.MonitoringNamespaces) == 0 {
		out = append(out, s.Problem(schema.Warning, "spec.networkPolicy.monitoringNamespaces",
			"is empty, so a Prometheus in another namespace cannot scrape; name its namespace"))
	}
	if !np.AllowEgress && s.downloadsWeights() {
		out = append(out, s.Problem(schema.Warning, "spec.networkPolicy.allowEgress",
			"is false, so the servers cannot download the weights; use a pvc:// or oci:// source or model.storage.existingClaim, or allow it"))
	}
	if line := s.line(); !np.AllowEgress && line != nil && line.EPP.Tokenizer == "render" && s.Preset() == "precise-prefix" && s.Spec.Scheduler.Tokenizer.URL == "" {
		out = append(out, s.Problem(schema.Warning, "spec.networkPolicy.allowEgress",
			"is false, so the render service cannot download the tokenizer from Hugging Face; allow it, or name one of your own by scheduler.tokenizer.url"))
	}
	return out
}

// downloadsWeights reports whether the servers fetch weights or adapters from outside of the cluster.
func (s stack) downloadsWeights() bool {
	fetched := s.fetchesModel() || s.Spec.Model.ParsedSource().InBucket()
	return s.Spec.Server.Create && !s.Simulated() && (fetched || s.downloadsAdapters())
}
