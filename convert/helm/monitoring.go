package helm

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
)

const monitoringSection = "spec.monitoring"

// monitoring is a PodMonitor for the servers, a ServiceMonitor for the EPP, and
// tracing, where the values turn them on.
func (r *release) monitoring() {
	servers := r.podMonitor()
	epp := r.pool != nil && r.pool.InferenceExtension.Monitoring.Prometheus.Enabled
	switch {
	case epp:
		r.serviceMonitor(r.poolPart)
	case r.pool != nil:
		r.unmonitored(r.poolPart)
	}
	traced := r.tracing()
	if !servers && !epp && !traced {
		return
	}
	p := r.Part(r.anyDoc())
	p.Set(monitoringSection+".podMonitor", servers, "")
	p.Set(monitoringSection+".serviceMonitor", epp, "")
	p.Set(monitoringSection+".alerts", false, "")
	p.Set(monitoringSection+".dashboard", false, "")
}

func (r *release) podMonitor() bool {
	if r.model == nil {
		return false
	}
	enabled := false
	for _, e := range r.monitored() {
		if !e.on {
			continue
		}
		enabled = true
		from := e.name + ".monitoring.podmonitor"
		m := &e.role.Monitoring.PodMonitor
		if m.PortName != "" {
			r.msPart.On(monitoringSection, from+".portName").Dropped().Note("left out: the monitor reads the port that the servers of a stack have")
		}
		r.msPart.Copy(monitoringSection+".interval", from+".interval")
		r.msPart.Copy(monitoringSection+".labels", from+".labels")
		if m.Path != "" && m.Path != "/metrics" || m.ScrapeTimeout != "" || len(m.Annotations) > 0 || len(m.Relabelings) > 0 || len(m.MetricRelabelings) > 0 || len(m.NamespaceSelector) > 0 {
			r.msPart.Lost(from, "path, scrapeTimeout, annotations, relabelings and namespaceSelector of the PodMonitor")
		}
	}
	return enabled
}

// A monitored role is one whose servers a PodMonitor may read.
type monitored struct {
	name string
	role *Role
	on   bool
}

func (r *release) monitored() []monitored {
	if r.model == nil {
		return nil
	}
	out := []monitored{{name: "decode", role: r.model.Decode}, {name: "prefill", role: r.model.Prefill}}
	for i := range out {
		role := out[i].role
		out[i].on = role != nil && role.Monitoring.PodMonitor.Enabled && create(role)
	}
	return out
}

func (r *release) serviceMonitor(p *draft.Part) {
	const from = extensionSection + ".monitoring"
	m := &r.pool.InferenceExtension.Monitoring
	if strings.EqualFold(r.pool.Provider.Name, "gke") {
		p.On(monitoringSection, "provider.name").Warn("the charts make Google's PodMonitoring and ClusterPodMonitoring for gke; the stack makes a ServiceMonitor, which needs the Prometheus operator")
	}
	r.eppInterval(p, from+".interval", m.Interval)
	if len(m.Prometheus.ExtraLabels) > 0 {
		labels := maps.Clone(m.Prometheus.ExtraLabels)
		p.Set(monitoringSection+".labels", labels, from+".prometheus.extraLabels")
	}
	if m.Prometheus.Auth.Enabled == nil || *m.Prometheus.Auth.Enabled {
		p.Set(schedulerSection+".metricsAuth", true, from+".prometheus.auth")
		secret := from + ".prometheus.auth.secretName"
		if m.Secret.Name != "" {
			secret = from + ".secret.name"
		}
		if cmp.Or(m.Prometheus.Auth.SecretName, m.Secret.Name) != "" {
			p.On(schedulerSection+".metricsAuth", secret).Note("the Secret with the token is named after the EPP, and made with it")
		}
	}
}

// unmonitored is an EPP that no ServiceMonitor reads. Its metrics want a token all the same, for
// whose check the charts give it no rights then, unless the values turn that off.
func (r *release) unmonitored(p *draft.Part) {
	const from = extensionSection + ".monitoring.prometheus.auth.enabled"
	if on := r.pool.InferenceExtension.Monitoring.Prometheus.Auth.Enabled; on != nil && !*on {
		p.On(schedulerSection+".metricsAuth", from).Note("the EPP's metrics need no token in a stack, unless scheduler.metricsAuth is true")
	}
}

// eppInterval is how often the EPP is scraped. The charts of the EPP have another default than
// those of the servers, and a stack has one interval: that of the servers, where they are scraped.
func (r *release) eppInterval(p *draft.Part, from, interval string) {
	const to = monitoringSection + ".interval"
	switch {
	case r.Has(to), interval == "" && r.scraped():
		if interval != "" && interval != r.Text(to) {
			p.On(to, from).Dropped().Warn("left out: the servers' metrics are read every %s, and the EPP's with them", r.Text(to))
		}
	default:
		p.Set(to, draft.Unless(interval, eppScrapeInterval), from)
	}
}

// eppScrapeInterval is the charts' default (inferencepool values.yaml, 1.1 to 1.5; llm-d-router
// config/charts/routerlib/values.yaml, 0.9 and 0.10).
const eppScrapeInterval = "10s"

// scraped reports whether a PodMonitor reads the servers' metrics.
func (r *release) scraped() bool {
	return slices.ContainsFunc(r.monitored(), func(role monitored) bool { return role.on })
}

// tracing of either chart.
func (r *release) tracing() bool {
	on := false
	for _, e := range []struct {
		here  bool
		part  *draft.Part
		from  string
		trace func() (*Tracing, string, string)
	}{
		{r.model != nil, r.msPart, "tracing", func() (*Tracing, string, string) { return &r.model.Tracing, "http://otel-collector:4317", "1.0" }},
		{r.pool != nil, r.poolPart, extensionSection + ".tracing", func() (*Tracing, string, string) {
			return &r.pool.InferenceExtension.Tracing, "http://localhost:4317", "0.1"
		}},
	} {
		if !e.here {
			continue
		}
		t, endpoint, ratio := e.trace()
		if !t.Enabled || on {
			continue
		}
		on = true
		e.part.Set(monitoringSection+".tracing.endpoint", cmp.Or(t.OTLPEndpoint, t.OTelExporterEndpoint, endpoint), e.from)
		if share, err := strconv.ParseFloat(cmp.Or(t.Sampling.SamplerArg, ratio), 64); err == nil {
			e.part.Set(monitoringSection+".tracing.ratio", share, e.from+".sampling.samplerArg")
		} else {
			e.part.On("", e.from+".sampling.samplerArg").Fail("must be a number from 0 to 1 (got %q)", t.Sampling.SamplerArg)
		}
		if s := t.Sampling.Sampler; s != "" && s != "parentbased_traceidratio" {
			e.part.Lost(e.from+".sampling.sampler", "another sampler than parentbased_traceidratio")
		}
		r.detailedTraces(e.part, t, e.from)
		if len(t.ServiceNames) > 0 {
			e.part.On(monitoringSection+".tracing", e.from+".serviceNames").Dropped().Warn("left out: the services of a trace are called after the stack and the role")
		}
	}
	return on
}

// detailedTraces are what vLLM traces beside the requests. The chart has all of it traced, which
// slows servers down, and a stack nothing unless its arguments say so.
func (r *release) detailedTraces(p *draft.Part, t *Tracing, from string) {
	level, _ := t.VLLM["collectDetailedTraces"].(string)
	launch := r.Text("spec.server.launch")
	if level == "" || r.model == nil || p != r.msPart || launch == "custom" || r.Text("spec.server.engine") == "simulator" {
		return
	}
	p.Append("spec.server.args", "--collect-detailed-traces="+level, from+".vllm.collectDetailedTraces")
}
