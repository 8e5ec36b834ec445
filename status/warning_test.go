package status

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestWarnings: a pod that is ready may have been restarted.
func TestWarnings(t *testing.T) {
	ready := "phase: Running, conditions: [" + is("Ready", "True", "a", "") + "], "
	for _, tt := range []struct{ name, status, want string }{
		{"never", ready + "containerStatuses: [{name: vllm, restartCount: 0, state: {running: {}}}]", ""},
		{"memory", ready + "containerStatuses: [{name: vllm, restartCount: 40, state: {running: {}}, lastState: {terminated: {reason: OOMKilled, exitCode: 137, finishedAt: \"2020-01-01T00:00:00Z\"}}}]",
			"container vllm restarted 40 times; it ended with OOMKilled, exit code 137, at 2020-01-01T00:00:00Z"},
		{"without an error", ready + "containerStatuses: [{name: vllm, restartCount: 1, state: {running: {}}, lastState: {terminated: {reason: Completed, exitCode: 0}}}]", "container vllm restarted once"},
		{"a sidecar too", ready + "initContainerStatuses: [{name: proxy, restartCount: 2, state: {running: {}}}], containerStatuses: [{name: vllm, restartCount: 3, state: {running: {}}}]",
			"container proxy restarted 2 times; container vllm restarted 3 times"},
		{"a first container", ready + "initContainerStatuses: [{name: load, restartCount: 2, state: {terminated: {reason: Completed, exitCode: 0}}}]", ""},
		{"not ready", "phase: Pending, containerStatuses: [{name: vllm, restartCount: 2, state: {running: {}}}]", ""},
	} {
		r := Of([]*unstructured.Unstructured{object(t, of("v1", "Pod", "{}", "{"+tt.status+"}"))}, nil)
		if got := r.Components[0].Objects[0].Warning; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		var b strings.Builder
		if err := Text(&b, r); err != nil || strings.Contains(b.String(), "Pod ns/a is ready, but\n  ") != (tt.want != "") {
			t.Errorf("%s: %v %s", tt.name, err, b.String())
		}
	}
}
