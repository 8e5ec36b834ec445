package server

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/release"
)

// shutdownFlag has vLLM end the requests that are running after SIGTERM, for so many
// seconds; without it they are aborted at once (vllm entrypoints/openai/cli_args.py).
const shutdownFlag = "shutdown-timeout"

const (
	// leaveSeconds is for the pod to leave the pool, the Services and the gateway's
	// connections before the server is told to end (llm-d guides, recipes/modelserver
	// graceful-shutdown).
	leaveSeconds = 15
	// endSeconds is for the server to end by itself after its last request.
	endSeconds = 15
)

// workerLifecycle keeps a pod that lends its accelerators for as long as its leader may
// still answer: the pods of a group are told to end at the same time.
func (s server) workerLifecycle() *corev1.Lifecycle {
	return s.lifecycle(leaveSeconds + int64(s.shutdownSeconds()))
}

// lifecycle keeps a pod that is being stopped running for as long as it is needed.
func (s server) lifecycle(sleep int64) *corev1.Lifecycle {
	if s.ownLifecycle() {
		return s.Spec.Server.Lifecycle.DeepCopy()
	}
	// The API server wants the pause to be within the grace period.
	sleep = min(sleep, int64(s.Spec.Server.TerminationGracePeriodSeconds)-endSeconds)
	if sleep <= 0 {
		return nil
	}
	return &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: sleep}}}
}

// ownLifecycle reports whether the user says what happens when a server is stopped, by the
// field or by a patch, with whose hook a generated one would be merged.
func (s server) ownLifecycle() bool {
	return s.Spec.Server.Lifecycle != nil || patchesLifecycle(s.Spec.Server.PodTemplatePatch) || patchesLifecycle(s.Own.PodTemplatePatch)
}

func patchesLifecycle(patch map[string]any) bool {
	pod, _ := patch["spec"].(map[string]any)
	containers, _ := pod["containers"].([]any)
	return slices.ContainsFunc(containers, func(entry any) bool {
		c, _ := entry.(map[string]any)
		return c["name"] == containerName && c["lifecycle"] != nil
	})
}

// shutdownSeconds is what is left of the grace period for running requests, or 0 where
// the engine does not wait for them.
func (s server) shutdownSeconds() int32 {
	if s.Simulated() || s.ownLifecycle() || s.Spec.Server.Launch == "custom" || !release.ModelServer(s.image()).Takes(shutdownFlag) {
		return 0
	}
	return max(0, s.Spec.Server.TerminationGracePeriodSeconds-leaveSeconds-endSeconds)
}
