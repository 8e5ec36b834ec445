package wiring

import (
	"fmt"
	"strings"
	"testing"
)

// TestMonitorPorts has pods of two workloads under one PodMonitor: it may name ports that only
// some of them have, and each must have one.
func TestMonitorPorts(t *testing.T) {
	const base = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: a, namespace: n}
spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a, of: s}}, spec: {containers: [{name: c, image: c, ports: [%s]}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: b, namespace: n}
spec: {selector: {matchLabels: {app: b}}, template: {metadata: {labels: {app: b, of: s}}, spec: {containers: [{name: c, image: c, ports: [%s]}]}}}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: m, namespace: n}
spec: {selector: {matchLabels: {of: s}}, podMetricsEndpoints: [%s]}
`
	const one, two = "{name: http, containerPort: 1}", "{name: http, containerPort: 1}, {name: http-1, containerPort: 2}"
	for _, tc := range []struct{ name, a, b, ports, want string }{
		{"unequal numbers of ports", two, one, "{port: http}, {port: http-1}", ""},
		{"the one with more comes last", one, two, "{port: http}, {port: http-1}", ""},
		{"different ports", one, "{name: metrics, containerPort: 1}", "{port: http}, {port: metrics}", ""},
		{"a port of nobody", two, one, "{port: http}, {port: http-2}", "the pods of Deployment n/a have no port http-2"},
		{"pods without any", two, "{name: grpc, containerPort: 1}", "{port: http}, {port: http-1}", "the pods of Deployment n/b have no port http"},
		{"an endpoint by number", two, "{name: grpc, containerPort: 1}", "{port: http}, {portNumber: 1}", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var found []string
			for _, f := range checked(t, fmt.Sprintf(base, tc.a, tc.b, tc.ports), nil) {
				if f.Rule == "monitor-port" {
					found = append(found, f.Message)
				}
			}
			if got := strings.Join(found, "\n"); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
