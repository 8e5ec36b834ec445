package monitoring

import (
	"cmp"
	"slices"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/series"
)

// Severities of alerts, as Alertmanager configurations know them.
const (
	critical = "critical"
	warning  = "warning"
	info     = "info"
)

// An alert fires when its expression holds for a time. A needed metric that is "" does
// not exist on this release line or engine, and the alert is left out.
type alert struct {
	name, severity string
	needs          []string
	expr           string
	holds          string
	summary        string
	description    string
}

// prometheusRule holds the alerts that say users are about to notice, or have noticed.
func prometheusRule(s *base.Stack) *monitoringv1.PrometheusRule {
	var rules []monitoringv1.Rule
	for _, a := range append(eppAlerts(s), serverAlerts(s)...) {
		if a.possible() {
			rules = append(rules, a.rule(s))
		}
	}
	return &monitoringv1.PrometheusRule{
		TypeMeta:   metav1.TypeMeta{APIVersion: monitoringv1.SchemeGroupVersion.String(), Kind: monitoringv1.PrometheusRuleKind},
		ObjectMeta: monitorMeta(s, s.Namespace(), s.Name("alerts")),
		Spec: monitoringv1.PrometheusRuleSpec{
			Groups: []monitoringv1.RuleGroup{{Name: s.Metadata.Name, Rules: rules}},
		},
	}
}

func eppAlerts(s *base.Stack) []alert {
	if !s.Spec.Scheduler.Enabled {
		return nil
	}
	ready, errors, requests := series.OfEPP(s, "readyServers"), series.OfEPP(s, "errors"), series.OfEPP(s, "requests")
	up := series.Here(s, "up", `endpoint="`+base.MetricsPortName+`"`)
	alerts := []alert{{
		name: "InferenceEPPDown", severity: critical, holds: "5m",
		expr:        "sum by (namespace) (" + up + ") == 0 or absent(" + up + ")",
		summary:     "No endpoint picker answers",
		description: "Prometheus reaches no pod of the endpoint picker. " + withoutEPP(s),
	}, {
		name: "InferenceEPPErrors", severity: warning, holds: "10m", needs: []string{errors, requests},
		expr:        series.PerSecond(series.Here(s, errors)) + " / " + series.PerSecond(series.Here(s, requests)) + " > 0.05",
		summary:     "More than 5 % of the requests fail",
		description: "The endpoint picker counts {{ $value | humanizePercentage }} of the requests as failed.",
	}, {
		// The histogram of older lines ends at 100 ms, so the threshold lies below.
		name: "InferenceSchedulingSlow", severity: warning, holds: "10m", needs: []string{series.OfEPP(s, "schedulingDuration")},
		expr:        series.Quantile("0.95", series.Here(s, series.OfEPP(s, "schedulingDuration"))) + " > 0.05",
		summary:     "The endpoint picker takes long to choose",
		description: "Choosing a server takes {{ $value | humanizeDuration }} for one request in twenty. Give the endpoint picker more CPU, or look for a slow plugin in the dashboard.",
	}}
	if !scalesToZero(s) {
		alerts = append(alerts, alert{
			name: "InferenceNoReadyServers", severity: critical, holds: "5m", needs: []string{ready},
			expr:        "max by (namespace) (" + series.Here(s, ready) + ") == 0",
			summary:     "No model server is ready",
			description: "The endpoint picker knows no ready server; every request fails.",
		})
	}
	return alerts
}

func serverAlerts(s *base.Stack) []alert {
	waiting, kv := series.OfServer(s, "waitingRequests"), series.OfServer(s, "kvCacheUsage")
	alerts := []alert{{
		// 5 is from where the EPP's saturation detector calls a server full.
		name: "InferenceQueueGrowing", severity: warning, holds: "10m", needs: []string{waiting},
		expr:        "avg by (namespace) (" + series.Here(s, waiting) + ") > 5 and sum by (namespace) (deriv(" + series.Here(s, waiting) + "[10m])) > 0",
		summary:     "Requests queue up in the model servers",
		description: "{{ $value | humanize }} requests wait in each server and the queues grow. Add servers.",
	}, {
		name: "InferenceKVCacheFull", severity: warning, holds: "10m", needs: []string{kv},
		expr:        "avg by (namespace, " + series.RoleLabel + ") (" + series.Here(s, kv) + ") > 0.9",
		summary:     "The KV cache is almost full",
		description: "The {{ $labels." + series.RoleLabel + " }} servers use {{ $value | humanizePercentage }} of their KV cache; requests will be preempted. Add servers, or allow fewer sequences.",
	}, {
		name: "InferenceFirstTokenSlow", severity: warning, holds: "10m", needs: []string{firstTokenMetric(s)},
		expr:        series.Quantile("0.95", series.Here(s, firstTokenMetric(s))) + " > 5",
		summary:     "The first token takes long",
		description: "One request in twenty waits {{ $value | humanizeDuration }} or longer for its first token.",
	}}
	if routesByPrefix(s) {
		hits, queries := series.OfServer(s, "prefixHits"), series.OfServer(s, "prefixQueries")
		alerts = append(alerts, alert{
			name: "InferencePrefixCacheIneffective", severity: info, holds: "30m", needs: []string{hits, queries},
			expr:        series.PerSecond(series.Here(s, hits)) + " / (" + series.PerSecond(series.Here(s, queries)) + " > 0) < 0.1",
			summary:     "Prefix caching hardly helps",
			description: "{{ $value | humanizePercentage }} of the prompt tokens come from the prefix cache, although requests are routed by prefix. Compare block size and hash seed of servers and endpoint picker, or choose another preset.",
		})
	}
	return alerts
}

func (a alert) possible() bool {
	return !slices.ContainsFunc(a.needs, func(metric string) bool { return metric == "" })
}

func (a alert) rule(s *base.Stack) monitoringv1.Rule {
	return monitoringv1.Rule{
		Alert:       a.name,
		Expr:        intstr.FromString(a.expr),
		For:         new(monitoringv1.Duration(a.holds)),
		Labels:      map[string]string{"severity": a.severity, series.StackLabel: s.Metadata.Name},
		Annotations: map[string]string{"summary": a.summary, "description": a.description},
	}
}

// firstTokenMetric prefers what the EPP sees, which is what clients see: with prefill
// servers, a decode server's own first token leaves the prefill out.
func firstTokenMetric(s *base.Stack) string {
	return cmp.Or(series.OfEPP(s, "timeToFirstToken"), series.OfServer(s, "timeToFirstToken"))
}

func withoutEPP(s *base.Stack) string {
	if s.Spec.Scheduler.FailureMode == "FailOpen" {
		return "The gateway sends requests to any server, without scoring."
	}
	return "The gateway refuses every request."
}

// routesByPrefix reports whether the preset in force is chosen for its prefix cache.
func routesByPrefix(s *base.Stack) bool {
	return s.Spec.Scheduler.Enabled && (s.Preset() == "prefix-aware" || s.Preset() == "precise-prefix")
}

// scalesToZero reports whether no server at all may be the wanted state.
func scalesToZero(s *base.Stack) bool {
	for _, server := range s.Servers() {
		a, least := server.Own.Autoscaling, server.Own.Replicas
		if a != nil {
			least = a.Min
		}
		if server.Role == base.ComponentDecode && least > 0 {
			return false
		}
	}
	return true
}
