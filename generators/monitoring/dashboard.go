package monitoring

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/series"
	"github.com/inferstack/inferstack/internal/lazyjson"
)

// grafanaSchema is the version of Grafana's dashboard schema that the panels are written
// in (Grafana 10, public/app/features/dashboard/state/DashboardMigrator.ts); newer
// Grafanas migrate it.
const grafanaSchema = 39

// dashboardConfigMap holds the dashboard where Grafana's sidecar looks for it. The file
// name carries the namespace, since the sidecar puts all files into one folder.
func dashboardConfigMap(s *base.Stack) *corev1.ConfigMap {
	meta := s.Meta(componentMonitoring, s.Name("dashboard"))
	found := s.Spec.Monitoring.DashboardLabels
	if len(found) == 0 {
		found = map[string]string{"grafana_dashboard": "1"}
	}
	meta.Labels = base.Joined(found, meta.Labels)
	file := s.Metadata.Name
	if ns := s.Namespace(); ns != "" {
		file = ns + "-" + file
	}
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: meta,
		Data:       map[string]string{file + ".json": dashboardJSON(s)},
	}
}

// The part of Grafana's dashboard model that the dashboard uses.
type (
	dashboardModel struct {
		UID           string     `json:"uid"`
		Title         string     `json:"title"`
		Tags          []string   `json:"tags"`
		SchemaVersion int        `json:"schemaVersion"`
		Editable      bool       `json:"editable"`
		Refresh       string     `json:"refresh"`
		Time          timeRange  `json:"time"`
		Templating    templating `json:"templating"`
		Panels        []panel    `json:"panels"`
	}
	timeRange struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	templating struct {
		List []variable `json:"list"`
	}
	variable struct {
		Name       string      `json:"name"`
		Label      string      `json:"label"`
		Type       string      `json:"type"`
		Query      string      `json:"query"`
		Datasource *datasource `json:"datasource,omitempty"`
		Refresh    int         `json:"refresh,omitempty"`
		Multi      bool        `json:"multi,omitempty"`
		IncludeAll bool        `json:"includeAll,omitempty"`
		AllValue   string      `json:"allValue,omitempty"`
	}
	datasource struct {
		Type string `json:"type"`
		UID  string `json:"uid"`
	}
)

// prometheusSource refers to the variable without braces: ${…} is what Flux replaces.
var prometheusSource = datasource{Type: "prometheus", UID: "$datasource"}

func dashboardJSON(s *base.Stack) string {
	sum := sha256.Sum256([]byte(s.Namespace() + "/" + s.Metadata.Name))
	board := dashboardModel{
		UID:           "inferencestack-" + hex.EncodeToString(sum[:])[:16],
		Title:         "Inference stack " + s.Metadata.Name,
		Tags:          []string{"llm-d", "inference"},
		SchemaVersion: grafanaSchema,
		Editable:      true,
		Refresh:       "30s",
		Time:          timeRange{From: "now-1h", To: "now"},
		Templating:    templating{List: variables(s)},
		Panels:        arrange(append(serverPanels(s), eppPanels(s)...)),
	}
	var out bytes.Buffer
	if err := lazyjson.NewEncoder(&out, "  ").Encode(board); err != nil {
		panic(err) // the model is plain data
	}
	return out.String()
}

// variables let the reader choose the Prometheus, the namespace, where stacks of one name
// live in several, and the pods.
func variables(s *base.Stack) []variable {
	running := series.OfServer(s, "runningRequests")
	return []variable{
		{Name: "datasource", Label: "Prometheus", Type: "datasource", Query: "prometheus"},
		labelVariable("namespace", "Namespace", series.Of(s, running)),
		labelVariable("pod", "Server", series.Of(s, running, inNamespace)),
	}
}

func labelVariable(label, title, series string) variable {
	return variable{
		Name: label, Label: title, Type: "query", Query: "label_values(" + series + ", " + label + ")",
		Datasource: &prometheusSource,
		Refresh:    2, // when the time range changes
		Multi:      true,
		IncludeAll: true,
		AllValue:   ".*",
	}
}
