package monitoring

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"

	"github.com/inferstack/inferstack/generators/envoyproxy"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/generators/network"
)

func TestMonitoringMakesWhatIsAskedFor(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"nothing", "", ""},
		{"all", "monitoring: {}", "PodMonitor ServiceMonitor PrometheusRule ConfigMap"},
		{"no EPP", "monitoring: {}\nscheduler: {enabled: false}\n", "PodMonitor PrometheusRule ConfigMap"},
		{"one", "monitoring: {podMonitor: false, alerts: false, dashboard: false}", "ServiceMonitor"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var kinds []string
			for _, o := range Objects(stacktest.StackOf(t, tc.spec)) {
				kinds = append(kinds, manifest.KindOf(o))
			}
			if got := strings.Join(kinds, " "); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestServiceMonitorPresentsTheToken(t *testing.T) {
	plain := serviceMonitor(stacktest.StackOf(t, "monitoring: {}"))
	if plain.Spec.Endpoints[0].Authorization != nil {
		t.Error("a token although none is asked for")
	}
	s := stacktest.StackOf(t, "monitoring: {}\nscheduler: {metricsAuth: true}")
	got := serviceMonitor(s).Spec.Endpoints[0].Authorization.Credentials
	if got.Name != "demo-epp-metrics-token" || got.Key != "token" {
		t.Errorf("got %v", got)
	}
}

// Every alert and panel names only metrics that the release line and engine have, and
// says what it is about.
func TestAlertsAndDashboardOfEveryLine(t *testing.T) {
	for _, tc := range []struct{ name, spec, metric, not string }{
		{"newest", "monitoring: {}", "llm_d_epp_request_error_total", "inference_objective"},
		{"older", "monitoring: {}\nrelease: \"0.4\"", "inference_objective_request_error_total", "llm_d_epp"},
		{"older simulator", "monitoring: {}\nrelease: \"0.4\"\nserver: {engine: simulator}", "vllm:gpu_cache_usage_perc", "vllm:kv_cache_usage_perc"},
		{"simulator", "monitoring: {}\nserver: {engine: simulator}", "vllm:prefix_cache_hits{", "vllm:prefix_cache_hits_total"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := stacktest.StackOf(t, tc.spec)
			var texts strings.Builder
			texts.WriteString(strings.ReplaceAll(dashboardJSON(s), `\"`, `"`))
			for _, r := range prometheusRule(s).Spec.Groups[0].Rules {
				texts.WriteString(r.Expr.String() + "\n")
				if r.Annotations["summary"] == "" || r.Annotations["description"] == "" || r.Labels["severity"] == "" {
					t.Errorf("%s says too little", r.Alert)
				}
			}
			got := texts.String()
			if !strings.Contains(got, tc.metric) || strings.Contains(got, tc.not) {
				t.Errorf("want %q and not %q in\n%s", tc.metric, tc.not, got)
			}
			if strings.Contains(got, "${") || strings.Contains(got, `expr": "{`) {
				t.Error("a variable in braces, or a query without a metric")
			}
		})
	}
}

func TestPrefixAlertNeedsPrefixRouting(t *testing.T) {
	for preset, want := range map[string]bool{"queue": false, "prefix-aware": true} {
		s := stacktest.StackOf(t, "monitoring: {}\nscheduler: {preset: "+preset+"}")
		if got := hasAlert(prometheusRule(s), "InferencePrefixCacheIneffective"); got != want {
			t.Errorf("%s: %t", preset, got)
		}
	}
}

func TestNoReadyServersIsNoAlarmWhenScaledToZero(t *testing.T) {
	idle := stacktest.StackOf(t, "monitoring: {}\ndecode: {replicas: 0}")
	if hasAlert(prometheusRule(idle), "InferenceNoReadyServers") {
		t.Error("the alert would fire all the time")
	}
	if !hasAlert(prometheusRule(stacktest.StackOf(t, "monitoring: {}")), "InferenceNoReadyServers") {
		t.Error("no alert")
	}
}

func hasAlert(rule *monitoringv1.PrometheusRule, name string) bool {
	for _, r := range rule.Spec.Groups[0].Rules {
		if r.Alert == name {
			return true
		}
	}
	return false
}

func TestDashboardIsValidJSONWithUniquePanels(t *testing.T) {
	var board struct {
		UID    string
		Panels []struct {
			ID      int
			GridPos struct{ X, Y int }
		}
	}
	if err := json.Unmarshal([]byte(dashboardJSON(stacktest.StackOf(t, "monitoring: {}\nprefill: {}"))), &board); err != nil {
		t.Fatal(err)
	}
	if len(board.UID) == 0 || len(board.UID) > 40 {
		t.Errorf("Grafana takes an uid of at most 40 characters: %q", board.UID)
	}
	ids, places := map[int]bool{}, map[struct{ X, Y int }]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] || places[p.GridPos] {
			t.Errorf("panel %d lies on another", p.ID)
		}
		ids[p.ID], places[p.GridPos] = true, true
	}
}

// TestProxyIsScraped holds that the standalone proxy has a monitor of its own, and that a
// policy lets the scrapes through.
func TestProxyIsScraped(t *testing.T) {
	s := stacktest.Parse(t, `
model: {name: m}
gateway: {class: envoy, envoy: {adminPort: 9999}}
monitoring: {}
networkPolicy: {monitoringNamespaces: [mon]}`)
	monitors := stacktest.OfType[*monitoringv1.PodMonitor](proxyMonitors(s))
	pod := stacktest.OfType[*appsv1.Deployment](envoyproxy.Objects(s))[0].Spec.Template
	if len(monitors) != 1 || !stacktest.Has(pod.Labels, monitors[0].Spec.Selector.MatchLabels) {
		t.Fatalf("%v does not select the proxy", monitors)
	}
	named := slices.ContainsFunc(pod.Spec.Containers[0].Ports, func(p corev1.ContainerPort) bool {
		return p.Name == *monitors[0].Spec.PodMetricsEndpoints[0].Port && p.ContainerPort == 9999
	})
	if !named {
		t.Error("the monitor names no port of the proxy")
	}
	for _, p := range stacktest.OfType[*networkingv1.NetworkPolicy](network.Policies(s)) {
		if p.Name == "demo-gateway" {
			stacktest.AsYAML(t, `
- from:
  - namespaceSelector:
      matchLabels:
        kubernetes.io/metadata.name: mon
  ports:
  - port: 9999
    protocol: TCP`, p.Spec.Ingress[1:])
			return
		}
	}
	t.Error("no policy covers the proxy")
}
