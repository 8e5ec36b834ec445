package generators

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// eppCertDirectory is where the certificate for ext_proc is mounted.
const eppCertDirectory = "/etc/epp/tls"

// eppArgs are the flags of the EPP in the spelling of its release line; the user's come
// last, where the last of two wins.
func eppArgs(s *Stack) []string {
	sched := &s.Spec.Scheduler
	a := &args{flags: s.Line.EPP.Flags}
	eppTargetArgs(s, a)
	a.extra(s.Line.EPP.ExtraFlags)
	a.add("configFile", path.Join(sched.ConfigMap.MountPath, sched.ConfigMap.Key))
	a.add("grpcPort", eppGRPCPort)
	a.add("grpcHealthPort", eppHealthPort)
	a.add("metricsPort", eppMetricsPort)
	a.add("secureServing", sched.SecureServing)
	if sched.CertSecret != "" {
		a.add("certPath", eppCertDirectory)
		a.add("enableCertReload", true)
	}
	a.add("metricsEndpointAuth", sched.MetricsAuth)
	a.add("leaderElection", sched.LeaderElection())
	a.add("tracing", s.Spec.Monitoring != nil && s.Spec.Monitoring.Tracing != nil)
	a.add("kvCacheUsageMetric", s.metricOfServer("kvCacheUsage"))
	a.add("verbosity", sched.Verbosity)
	if len(s.Line.EPP.Experimental(s.eppConfig())) > 0 {
		a.add("allowExperimentalPlugins", true)
	}
	for _, name := range slices.Sorted(maps.Keys(sched.Flags)) {
		a.list = append(a.list, "--"+name+"="+text(sched.Flags[name]))
	}
	return a.list
}

// eppTargetArgs say whose servers the EPP picks from. Without a namespace of its own the
// stack is in the one it is applied to, which the pod knows.
func eppTargetArgs(s *Stack, a *args) {
	if s.Spec.Pool.Create {
		a.add("poolName", s.poolName())
		a.add("poolNamespace", cmp.Or(s.namespace(), "$(NAMESPACE)"))
		a.add("poolGroup", poolGroup)
		return
	}
	if s.eppElsewhere() {
		a.add("poolNamespace", s.namespace())
	}
	a.add("endpointSelector", selectorText(s.poolSelector()))
	a.add("endpointTargetPorts", portsText(s.poolPorts()))
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
