package schema

import (
	"slices"
	"strconv"
	"strings"
)

// leaveSeconds is how long a server that is being stopped goes on serving, until no
// request is sent to it any more.
const leaveSeconds = 15

// shutdownFits reports a grace period that ends before what it is for.
func shutdownFits(s *Stack) []Problem {
	const at = "spec.server.terminationGracePeriodSeconds"
	grace := int64(s.Spec.Server.TerminationGracePeriodSeconds)
	if own := s.Spec.Server.Lifecycle; own != nil && own.PreStop != nil && own.PreStop.Sleep != nil {
		if seconds := own.PreStop.Sleep.Seconds; seconds < 1 || seconds > grace {
			return []Problem{s.Problem(Error, "spec.server.lifecycle.preStop.sleep.seconds", "must be between 1 and terminationGracePeriodSeconds, %d (got %d)", grace, seconds)}
		}
	}
	if s.Simulated() || s.Spec.Server.Launch == "custom" {
		return nil
	}
	for _, r := range s.sections() {
		seconds, written := shutdownTimeout(slices.Concat(s.Spec.Server.Args, r.Args))
		if need := seconds + leaveSeconds; written && grace < need {
			return []Problem{s.Problem(Warning, at, "is over before --shutdown-timeout=%d of %s, which begins after a pause of %d s: set at least %d (got %d)", seconds, Path(r.path), leaveSeconds, need, grace)}
		}
	}
	if s.Has(at) && grace < 2*leaveSeconds {
		return []Problem{s.Problem(Warning, at, "leaves running requests no time: a server that is being stopped is sent requests for up to %d s more (got %d)", leaveSeconds, grace)}
	}
	return nil
}

// shutdownTimeout is the value of vLLM's --shutdown-timeout among arguments.
func shutdownTimeout(args []string) (seconds int64, written bool) {
	for i, arg := range args {
		name, found := flagName(arg)
		if !found || name != "shutdown-timeout" {
			continue
		}
		_, value, joined := strings.Cut(arg, "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			seconds, written = n, true
		}
	}
	return seconds, written
}
