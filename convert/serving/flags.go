package serving

import (
	"math"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/release"
)

// wired are the EPP's flags that follow from other fields of a stack, in the spelling
// of the current EPP (llm-d-router pkg/epp/server/options.go) and of GIE before 1.0.
var wired = map[string]bool{
	"pool-name": true, "pool-namespace": true, "pool-group": true, "config-file": true, "grpc-port": true,
	"grpc-health-port": true, "metrics-port": true, "zap-encoder": true, "allow-experimental-plugins": true,
	"poolName": true, "poolNamespace": true, "configFile": true, "grpcPort": true, "grpcHealthPort": true, "metricsPort": true,
}

// Wired reports whether a flag of the EPP follows from other fields of a stack.
func Wired(name string) bool { return wired[name] }

// EPPFlags takes over arguments of the EPP: those with a field of their own into it,
// the others into scheduler.flags.
func EPPFlags(p *draft.Part, args []string, from string) {
	const port = "spec.scheduler.port"
	flags := map[string]any{}
	var follow []string
	for f := range argv.Of(args) {
		name := f.Flag()
		switch {
		case !f.IsFlag():
			p.On("spec.scheduler", from).Dropped().Warn("%q is left out: it is not a flag, and the EPP reads no flag after it", f.Name)
		case (name == "grpc-port" || name == "grpcPort") && f.Value != draft.Unless(p.Text(port), "9002"):
			p.Set(port, Scalar(f.Value), from)
			p.On(port, from).Note("%s=%s: the EPP's port, which the pool and the gateway use as well", f.Name, f.Value)
		case wired[name]:
			follow = append(follow, f.Name)
		case name == "v":
			p.Set("spec.scheduler.verbosity", Scalar(f.Value), from)
		case name == "secure-serving" || name == "secureServing":
			p.Set("spec.scheduler.secureServing", boolean(f.Value), from)
		case name == "ha-enable-leader-election":
			leaderElection(p, boolean(f.Value), from)
		case name == "metrics-endpoint-auth":
			p.Set("spec.scheduler.metricsAuth", boolean(f.Value), from)
		default:
			if !refused(p, f, from) {
				flags[name] = Scalar(f.Value)
			}
		}
	}
	if len(flags) > 0 {
		p.Set("spec.scheduler.flags", flags, from)
	}
	if len(follow) > 0 {
		p.On("spec.scheduler", from).Dropped().Note("%s: left out, since they follow from other fields", strings.Join(follow, ", "))
	}
}

// usualMetrics are what flags that newer EPPs refuse were set to most often, which is what
// those read without them (llm-d-router pkg/epp/framework/plugins/datalayer, v0.10.0).
var usualMetrics = map[string]string{
	"total-queued-requests-metric": "vllm:num_requests_waiting", "total-running-requests-metric": "vllm:num_requests_running",
	"kv-cache-usage-percentage-metric": "vllm:kv_cache_usage_perc", "lora-info-metric": "vllm:lora_requests_info",
	"cache-info-metric": "vllm:cache_config_info", "model-server-metrics-port": "0", "model-server-metrics-path": "/metrics",
	"model-server-metrics-scheme": "http", "model-server-metrics-https-insecure-skip-verify": "true",
}

// refused reports whether the EPP of the stack's release line refuses a flag. One that says
// what that EPP does anyway is left out.
func refused(p *draft.Part, f argv.Word, from string) bool {
	name := f.Flag()
	line, _ := release.Load(draft.Unless(p.Text("spec.release"), release.Default))
	if line == nil {
		return false
	}
	instead, ok := line.EPP.RefusedFlags[name]
	switch {
	case !ok:
		return false
	case f.Value == usualMetrics[name]:
		p.On("spec.scheduler", from).Dropped().Note("%s=%s: left out, since the EPP of release line %s does so anyway, and refuses the flag", f.Name, f.Value, line.Name)
	default:
		p.Lost(from, "%s=%s, which the EPP of release line %s refuses: %s", f.Name, f.Value, line.Name, instead)
	}
	return true
}

// leaderElection of the EPP is what several replicas have by default; a single one has no
// use for it.
func leaderElection(p *draft.Part, on any, from string) {
	const to = "spec.scheduler.highAvailability"
	replicas, err := strconv.Atoi(draft.Unless(p.Text("spec.scheduler.replicas"), "1"))
	switch {
	case on == true:
		p.On("spec.scheduler", from).Dropped().Note("ha-enable-leader-election: left out, since several replicas of an EPP elect a leader anyway, and a single one has no use for it")
	case on != false:
		p.On("", from).Fail("ha-enable-leader-election must be true or false (got %q)", on)
	case err == nil && replicas < 2:
		p.On("spec.scheduler", from).Dropped().Note("ha-enable-leader-election: left out, since a single EPP elects no leader")
	default:
		p.Set(to, "active-active", from)
	}
}

// boolean is the value of a switch as Go's flags read it; another word is left for the
// schema to refuse.
func boolean(word string) any {
	if b, err := strconv.ParseBool(word); err == nil {
		return b
	}
	return Scalar(word)
}

// Scalar is the value a word stands for: a switch is true.
func Scalar(word string) any {
	if word == "" {
		return true
	}
	if b, err := strconv.ParseBool(word); err == nil && len(word) > 1 {
		return b
	}
	if i, err := strconv.ParseInt(word, 10, 64); err == nil {
		return i
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
		return f
	}
	return word
}
