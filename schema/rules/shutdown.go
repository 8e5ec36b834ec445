package rules

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/schema"
)

// leaveSeconds is how long a server that is being stopped goes on serving, until no
// request is sent to it any more.
const leaveSeconds = 15

// shutdownFits reports a grace period that ends before what it is for.
func shutdownFits(s stack) []schema.Problem {
	const at = "spec.server.terminationGracePeriodSeconds"
	grace := int64(s.Spec.Server.TerminationGracePeriodSeconds)
	if own := s.Spec.Server.Lifecycle; own != nil && own.PreStop != nil {
		if out := s.preStopFits(own.PreStop, grace); len(out) > 0 {
			return out
		}
	}
	if s.Simulated() || s.Spec.Server.Launch == "custom" {
		return nil
	}
	for _, r := range s.Workloads() {
		seconds, written := shutdownTimeout(slices.Concat(s.Spec.Server.Args, r.Args))
		if need := seconds + leaveSeconds; written && grace < need {
			return []schema.Problem{s.Problem(schema.Warning, at, "is over before --shutdown-timeout=%d of %s, which begins after a pause of %d s: set at least %d (got %d)", seconds, schema.Path(r.Path), leaveSeconds, need, grace)}
		}
	}
	if s.Has(at) && grace < 2*leaveSeconds {
		return []schema.Problem{s.Problem(schema.Warning, at, "leaves running requests no time: a server that is being stopped is sent requests for up to %d s more (got %d)", leaveSeconds, grace)}
	}
	return nil
}

// preStopFits reports a hook that the kubelet cuts off, with what comes after it.
func (s stack) preStopFits(hook *corev1.LifecycleHandler, grace int64) []schema.Problem {
	const at = "spec.server.lifecycle.preStop"
	if hook.Sleep != nil && (hook.Sleep.Seconds < 1 || hook.Sleep.Seconds > grace) {
		return []schema.Problem{s.Problem(schema.Error, at+".sleep.seconds", "must be between 1 and terminationGracePeriodSeconds, %d (got %d)", grace, hook.Sleep.Seconds)}
	}
	if hook.Exec == nil {
		return nil
	}
	if seconds := slept(strings.Join(hook.Exec.Command, " ")); seconds >= grace {
		return []schema.Problem{s.Problem(schema.Error, at+".exec.command", "sleeps as long as terminationGracePeriodSeconds, %d, allows or longer: the server is killed with its running requests (got %d)", grace, seconds)}
	}
	return nil
}

// slept is for how many seconds the sleeps in a command line last.
func slept(command string) (seconds int64) {
	words := strings.FieldsFunc(command, func(r rune) bool { return unicode.IsSpace(r) || r == ';' || r == '&' })
	for i, word := range words {
		if i > 0 && (words[i-1] == "sleep" || strings.HasSuffix(words[i-1], "/sleep")) {
			n, err := strconv.ParseInt(strings.TrimSuffix(word, "s"), 10, 64)
			if err == nil {
				seconds += n
			}
		}
	}
	return seconds
}

// shutdownTimeout is the value of vLLM's --shutdown-timeout among arguments.
func shutdownTimeout(args []string) (seconds int64, written bool) {
	for w := range argv.Of(args) {
		name, _ := flagName(w.Name)
		if n, err := strconv.ParseInt(w.Value, 10, 64); err == nil && name == "shutdown-timeout" {
			seconds, written = n, true
		}
	}
	return seconds, written
}
