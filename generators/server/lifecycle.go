package server

import (
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
	if own := s.Spec.Server.Lifecycle; own != nil {
		return own.DeepCopy()
	}
	// The API server wants the pause to be within the grace period.
	sleep = min(sleep, int64(s.Spec.Server.TerminationGracePeriodSeconds)-endSeconds)
	if sleep <= 0 {
		return nil
	}
	return &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: sleep}}}
}

// shutdownSeconds is what is left of the grace period for running requests, or 0 where
// the engine does not wait for them.
func (s server) shutdownSeconds() int32 {
	if s.Simulated() || s.Spec.Server.Lifecycle != nil || s.Spec.Server.Launch == "custom" || !release.ModelServer(s.image()).Takes(shutdownFlag) {
		return 0
	}
	return max(0, s.Spec.Server.TerminationGracePeriodSeconds-leaveSeconds-endSeconds)
}
