package convert

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/convert/helm"
)

// TestHelmChartRelease judges values by the release of the chart, as conformance/helm does with all of them.
func TestHelmChartRelease(t *testing.T) {
	const servers = "inferencePool: {modelServers: {matchLabels: {app: a}}}\n"
	for name, tc := range map[string]struct{ chart, values, stack, says, not string }{
		"read since":              {"inferencepool-v1.4.0", servers + "inferenceExtension: {resources: {requests: {cpu: 3}}}\n", "resources:", "", "no effect"},
		"not read yet":            {"inferencepool-v1.3.0", servers + "inferenceExtension: {resources: {requests: {cpu: 3}}}\n", "", "resources: left out: it has had no effect, since inferencepool 1.3.0 does not read it", ""},
		"not read any more":       {"inferencepool-v1.5.0", servers + "inferencePool: {targetPortNumber: 8001}\n", "", "targetPortNumber: left out", ""},
		"a release nobody names":  {"inferencepool", servers + "inferenceExtension: {resources: {requests: {cpu: 3}}}\n", "resources:", "", "no effect"},
		"no release reads it":     {"", servers + "inferenceExtension: {nodeSelector: {a: b}}\n", "nodeSelector:", "no release of the chart inferencepool from 1.0 on reads nodeSelector", ""},
		"a release to come":       {"inferencepool-v9.9.9", servers, "", "release 9.9.9 of the chart inferencepool is not known here", ""},
		"a known release":         {"inferencepool-v1.5.0", servers, "", "", "release 1.5.0"},
		"an empty list":           {"standalone-v1.5.0", servers + "inferenceExtension: {sidecar: {args: []}}\n", "class: envoy", "sidecar.args: the empty list is left out", ""},
		"selected without a pool": {"inferencepool-v1.5.0", "inferenceExtension: {endpointsServer: {endpointSelector: app=a}}\n", "create: false", "", "no effect"},
	} {
		t.Run(name, func(t *testing.T) {
			v := HelmValues{Postfix: "p", Namespace: "ns", PoolChart: tc.chart}
			for _, text := range strings.SplitAfter(tc.values, "\n") {
				v.Pool.Add(helm.File{Name: "values", Data: []byte(text)})
			}
			r := checked(Helm(v))
			said := string(results(r.Problems))
			if !strings.Contains(string(stacksYAML(r)), tc.stack) || !strings.Contains(said, tc.says) || tc.not != "" && strings.Contains(said, tc.not) {
				t.Errorf("%s\n%s", stacksYAML(r), said)
			}
		})
	}
}
