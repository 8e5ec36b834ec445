package wiring

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Why a finding about a manifest of upstream's is right. What the charts' own notes or
// README tell people to add by hand is right to be missed here.
const (
	noChecksum  = "a changed plugin configuration does nothing until somebody restarts the pods"
	noReader    = "metrics ask for a token that nobody can present until a reader is bound"
	keepAlive   = "vLLM closes idle connections after 5 s, the sidecar after 90 s (llm-d guides set 120)"
	oldGroup    = "the pool's group left with gateway-api-inference-extension v1.0"
	oldGateway  = "Gateway API v1.0 made v1 of it"
	clusterWide = "pod-read is one name in the cluster, and of each installation"
	noResources = "whoever copies it gets an endpoint picker without a share of the node"
	placeholder = "my-pool is to be replaced by the reader"
)

// copies are trimmed manifests of upstream's under testdata/upstream, and what is rightly
// found in them. Whatever else is found is a false alarm.
var copies = map[string]map[string]string{
	"inferencepool-chart":       {"epp-config-checksum": noChecksum, "metrics-auth": noReader},
	"inferencepool-chart-istio": {"epp-config-checksum": noChecksum},
	"inferencepool-chart-gke":   {"epp-config-unused": "the chart lists the scorers of its default configuration beside those of its profile", "epp-config-checksum": noChecksum},
	"standalone-chart":          {"epp-config-checksum": noChecksum, "metrics-auth": noReader, "epp-resources": noResources},
	"infra-chart":               {},
	"modelservice-chart-cpu":    {},
	"modelservice-chart-dra":    {},
	"modelservice-chart-gaudi":  {},
	"modelservice-chart-pd":     {"nixl-keep-alive": keepAlive},
	"modelservice-chart-xpu":    {},
	"guide-baselines":           {},
	"guide-context-length-pd":   {},
	"guide-wide-ep":             {},
	"gie-latency-predictor":     {"api-version-deprecated": oldGroup, "cluster-name-collision": clusterWide, "epp-resources": noResources},
	"gie-routes":                {"api-version-deprecated": oldGateway},
	"router-envoy":              {},
	"router-agentic":            {"epp-config-checksum": noChecksum, "metrics-auth": noReader, "epp-resources": noResources},
}

func TestUpstreamCopies(t *testing.T) {
	files, err := filepath.Glob("testdata/upstream/*.yaml")
	if err != nil || len(files) != len(copies) {
		t.Errorf("%d files and %d expectations (%v)", len(files), len(copies), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			objects, err := Read(file, data)
			if err != nil || len(objects) == 0 {
				t.Fatal(len(objects), err)
			}
			found(t, objects, copies[name])
		})
	}
}

// found wants the findings that have a reason, and no other. What is to be there
// beforehand is not a finding about a manifest.
func found(t *testing.T, objects []*Object, reasons map[string]string) {
	t.Helper()
	hit := map[string]bool{}
	for _, f := range Check(objects, Options{}) {
		if hit[f.Rule] = true; f.Rule != "prerequisite" && reasons[f.Rule] == "" {
			t.Error(f)
		}
	}
	for rule, reason := range reasons {
		if !hit[rule] {
			t.Errorf("%s is not found: %s", rule, reason)
		}
	}
}

// TestUpstreamExtension reads the manifests of the version of
// gateway-api-inference-extension that this module is built with.
func TestUpstreamExtension(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/gateway-api-inference-extension").Output()
	if err != nil {
		t.Skip(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "config", "manifests")
	for _, test := range []struct {
		folders []string
		reasons map[string]string
	}{
		{[]string{"gateway/istio", "."}, nil},
		{[]string{"gateway/gke", "."}, nil},
		{[]string{"gateway/agentgateway"}, nil},
		{[]string{"gateway/envoyaigateway"}, nil},
		{[]string{"gateway/nginxgatewayfabric"}, nil},
		{[]string{"sglang", "bbr"}, nil},
		{[]string{"benchmark", "vllm"}, map[string]string{"service-selects-nothing": placeholder, "duplicate-object": "the files are alternatives"}},
		{[]string{"regression-testing", "regression-testing/vllm"}, map[string]string{"duplicate-object": "the files are alternatives"}},
	} {
		t.Run(strings.Join(test.folders, "+"), func(t *testing.T) {
			var objects []*Object
			for _, folder := range test.folders {
				objects = append(objects, readFolder(t, filepath.Join(root, folder))...)
			}
			if len(objects) == 0 {
				t.Fatal("no objects")
			}
			found(t, objects, test.reasons)
		})
	}
}
