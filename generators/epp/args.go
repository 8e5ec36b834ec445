package epp

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/pool"
	"github.com/inferstack/inferstack/generators/series"
	"github.com/inferstack/inferstack/release"
)

// certDirectory is where the certificate for ext_proc is mounted.
const certDirectory = "/etc/epp/tls"

// arguments are the flags of the EPP in the spelling of its release line; the user's come
// last, where the last of two wins.
func arguments(s *base.Stack) []string {
	sched := &s.Spec.Scheduler
	a := &args.List{Flags: s.Line.EPP.Flags, Image: release.OfImage(image(s))}
	targetArgs(s, a)
	a.Extra(s.Line.EPP.ExtraFlags)
	a.Add("configFile", path.Join(sched.ConfigMap.MountPath, sched.ConfigMap.Key))
	a.Add("grpcPort", base.EPPGRPCPort)
	a.Add("grpcHealthPort", base.EPPHealthPort)
	a.Add("metricsPort", base.EPPMetricsPort)
	a.Add("secureServing", sched.SecureServing)
	if sched.CertSecret != "" {
		a.Add("certPath", certDirectory)
		a.Add("enableCertReload", true)
	}
	a.Add("metricsEndpointAuth", sched.MetricsAuth)
	a.Add("leaderElection", sched.LeaderElection())
	a.Add("tracing", s.Spec.Monitoring != nil && s.Spec.Monitoring.Tracing != nil)
	if s.ServesTLS() {
		a.Add("serverMetricsScheme", s.ServerScheme())
	}
	a.Add("kvCacheUsageMetric", series.OfServer(s, "kvCacheUsage"))
	a.Add("verbosity", sched.Verbosity)
	if len(s.Line.EPP.Experimental(config(s))) > 0 {
		a.Add("allowExperimentalPlugins", true)
	}
	for _, name := range slices.Sorted(maps.Keys(sched.Flags)) {
		a.Items = append(a.Items, "--"+name+"="+args.Text(sched.Flags[name]))
	}
	return a.Items
}

// targetArgs say whose servers the EPP picks from. Without a namespace of its own the
// stack is in the one it is applied to, which the pod knows.
func targetArgs(s *base.Stack, a *args.List) {
	if s.Spec.Pool.Create {
		a.Add("poolName", s.PoolName())
		a.Add("poolNamespace", cmp.Or(s.Namespace(), "$(NAMESPACE)"))
		a.Add("poolGroup", pool.Group)
		return
	}
	if elsewhere(s) {
		a.Add("poolNamespace", s.Namespace())
	}
	a.Add("endpointSelector", selectorText(s.PoolSelector()))
	a.Add("endpointTargetPorts", portsText(pool.Ports(s)))
}

// selectorText writes labels as k=v,k=v.
func selectorText(labels map[string]string) string {
	pairs := make([]string, 0, len(labels))
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		pairs = append(pairs, key+"="+labels[key])
	}
	return strings.Join(pairs, ",")
}

func portsText(ports []int32) string {
	numbers := make([]string, 0, len(ports))
	for _, p := range ports {
		numbers = append(numbers, strconv.Itoa(int(p)))
	}
	return strings.Join(numbers, ",")
}
