package helm

import (
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/internal/argv"
)

// generatedArgs are arguments of the proxy that a stack writes itself or has no use for:
// its node, where its configuration is, and how long listeners drain, which Envoy does in
// a hot restart only, or when asked to (Envoy docs, operations/cli, v1.33).
var generatedArgs = []string{"service-node", "service-cluster", "drain-strategy", "drain-time-s", "parent-shutdown-time-s", "disable-hot-restart", "c", "config-path", "cpuset-threads"}

// proxyArgs are the flags of the proxy's Envoy. Those of agentgateway say where its
// configuration is, which an Envoy in its place does not read.
func (r *release) proxyArgs(p *draft.Part, to string, x *proxy) {
	from := x.section + ".args"
	if strings.EqualFold(x.ProxyType, "agentgateway") {
		if len(x.Args) > 0 {
			p.On(to, from).Dropped().Note("left out: they are agentgateway's, in whose place an Envoy runs")
		}
		return
	}
	var generated []string
	for f := range argv.Of(x.Args) {
		switch name := f.Flag(); {
		case name == "log-level" || name == "l":
			p.Set(to+".envoy.logLevel", draft.Unless(f.Value, "info"), from)
		case name == "concurrency":
			n, err := strconv.ParseInt(f.Value, 10, 32)
			if err != nil || n < 1 {
				p.Lost(from, "--concurrency %s; gateway.envoy.concurrency is a number from 1 on", f.Value)
				continue
			}
			p.Set(to+".envoy.concurrency", int32(n), from)
		case name == "f":
			p.On(to, from).Dropped().Warn("%s: left out: agentgateway is started so, and %s.proxyType does not say that the proxy is one; an Envoy runs", strings.Join(f.Words, " "), x.section)
		case slices.Contains(generatedArgs, name):
			generated = append(generated, f.Name)
		default:
			p.Lost(from, "%s: the stack starts Envoy with arguments of its own", strings.Join(f.Words, " "))
		}
	}
	if len(generated) > 0 {
		p.On(to, from).Dropped().Note("%s: left out, since the stack starts Envoy with its own", strings.Join(slices.Compact(generated), ", "))
	}
}
