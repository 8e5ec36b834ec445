package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/imageref"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// flagFields maps the meaning of a flag that is generated to the field that sets it. What
// is not here may be written as well: the last of two wins.
var flagFields = map[string]string{
	"poolName":                 "pool.name",
	"poolNamespace":            "metadata.namespace",
	"poolGroup":                "the release line",
	"endpointSelector":         "pool.selector with pool.create: false",
	"endpointTargetPorts":      "pool.targetPorts with pool.create: false",
	"configFile":               "scheduler.configMap",
	"grpcPort":                 "nothing: the pod's ports are fixed, scheduler.port is the Service's",
	"grpcHealthPort":           "nothing: the pod's ports are fixed",
	"metricsPort":              "nothing: the pod's ports are fixed",
	"secureServing":            "scheduler.secureServing",
	"certPath":                 "scheduler.certSecret",
	"enableCertReload":         "scheduler.certSecret",
	"metricsEndpointAuth":      "scheduler.metricsAuth",
	"leaderElection":           "scheduler.replicas and highAvailability",
	"tracing":                  "monitoring.tracing",
	"verbosity":                "scheduler.verbosity",
	"allowExperimentalPlugins": "the plugins that need it",
}

const eppFlagName = `^[a-z][a-z0-9]*(-[a-z0-9]+)*$`

// eppFlags refuses flags that the compiler writes itself or that end the EPP's start.
func eppFlags(s stack) (out []schema.Problem) {
	line := s.line()
	if line == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.Spec.Scheduler.Flags)) {
		at := finding.Join(schedulerPath+".flags", name, 0)
		if why := flagProblem(line, name); why != "" {
			out = append(out, s.Problem(schema.Error, at, "%s", why))
		} else if why := s.unknownFlag(line, name); why != "" {
			severity := schema.Error
			if s.ownEPP() {
				severity = schema.Warning
			}
			out = append(out, s.Problem(severity, at, "%s", why))
		}
	}
	return out
}

// unknownFlag says why the EPP's version has no such flag, or "". An image of the user's own
// is judged as that of the release line.
func (s stack) unknownFlag(line *release.Line, name string) string {
	known := program(s.Spec.Scheduler.Image, line.Images.EPP)
	if known == nil || known.Takes(name) {
		return ""
	}
	names, complete := known.FlagNames()
	flag, _, ever := known.Flag(name)
	if !complete && !ever {
		return ""
	}
	why := "the EPP of " + known.Version + " has no such flag, and ends at it"
	switch spelling := known.Spelling(name); {
	case spelling != "":
		why += "; use " + spelling
	case flag.Advice != "":
		why += ": " + flag.Advice
	case near.Of(name, names) != "":
		why += "; did you mean " + near.Of(name, names) + "?"
	}
	return why
}

func flagProblem(line *release.Line, name string) string {
	for what, flag := range line.EPP.Flags {
		if field := flagFields[what]; flag == name && field != "" {
			return "is set by " + field
		}
	}
	switch instead, refused := line.EPP.RefusedFlags[name]; {
	case refused:
		return "is refused by the EPP of release line " + line.Name + ": " + instead
	case name == "config-text":
		return "cannot be combined with the generated --config-file; use scheduler.config"
	case strings.HasPrefix(name, "-"):
		return "must be written without the leading dashes"
	case !pattern.Matches(eppFlagName, name):
		return "is not the name of a flag: lower case letters, digits and single dashes"
	default:
		return ""
	}
}

// eppServing checks certificate and ports.
func eppServing(s stack) (out []schema.Problem) {
	sched := &s.Spec.Scheduler
	if sched.CertSecret != "" && !sched.SecureServing {
		out = append(out, s.Problem(schema.Error, schedulerPath+".certSecret", "is not used with secureServing: false"))
	}
	if sched.Port == 9090 {
		out = append(out, s.Problem(schema.Error, schedulerPath+".port", "9090 is the port of the EPP's metrics"))
	}
	return out
}

// eppPatch tries the patch of the EPP's pod template out.
func eppPatch(s stack) []schema.Problem {
	sched := &s.Spec.Scheduler
	target := patchTarget{main: "epp", containers: map[string]bool{"epp": true}}
	_, beside := s.latencyNames()
	for _, name := range beside {
		target.containers[name] = true
	}
	for _, c := range slices.Concat(sched.InitContainers, sched.Containers) {
		target.containers[c.Name] = true
	}
	return s.patchFits(schedulerPath+".podTemplatePatch", sched.PodTemplatePatch, target)
}

// eppPod refuses what would double names of the compiler in the EPP's pod, or move labels
// by which it is found.
func eppPod(s stack) []schema.Problem {
	sched := &s.Spec.Scheduler
	var out []schema.Problem
	for _, key := range slices.Sorted(maps.Keys(sched.PodLabels)) {
		want, selects := sched.Selector[key]
		switch {
		case selects && want != sched.PodLabels[key]:
			out = append(out, s.Problem(schema.Error, finding.Join(schedulerPath+".podLabels", key, 0), "must be %q, as %s says, or be left out (got %q)", want, schema.Path(schedulerPath+".selector"), sched.PodLabels[key]))
		case len(sched.Selector) == 0 && slices.Contains(ownLabels, key):
			out = append(out, s.Problem(schema.Error, finding.Join(schedulerPath+".podLabels", key, 0), "is set by the stack, and selectors rely on it"))
		}
	}
	volumes, containers := s.latencyNames()
	taken := append([]string{"config", "tls", "tokenizers"}, volumes...)
	for i, v := range sched.Volumes {
		if slices.Contains(taken, v.Name) {
			out = append(out, s.Problem(schema.Error, finding.Indexed(schedulerPath+".volumes", i)+".name", "%q is the name of another volume of the EPP's pod", v.Name))
		}
		taken = append(taken, v.Name)
	}
	taken = append([]string{"epp"}, containers...)
	for i, c := range sched.Containers {
		if slices.Contains(taken, c.Name) {
			out = append(out, s.Problem(schema.Error, finding.Indexed(schedulerPath+".containers", i)+".name", "%q is the name of another container of the EPP's pod", c.Name))
		}
		taken = append(taken, c.Name)
	}
	return append(out, s.eppPorts()...)
}

// eppOwnPorts are those of the EPP's container: gRPC, health and metrics (llm-d-router v0.10
// pkg/epp/server/options.go).
var eppOwnPorts = map[int32]string{9002: "grpc", 9003: "grpc-health", 9090: "metrics"}

// eppPorts refuses ports of added containers that the EPP has, by number or by name.
func (s stack) eppPorts() (out []schema.Problem) {
	own := maps.Clone(eppOwnPorts)
	if port := s.Spec.KVCache.Events.CentralPort; s.Spec.KVCache.Events.Mode == "centralized" {
		own[port] = "kv-events"
	}
	maps.Copy(own, s.latencyPorts())
	for i, c := range s.Spec.Scheduler.Containers {
		for j, p := range c.Ports {
			at := finding.Indexed(finding.Indexed(schedulerPath+".containers", i)+".ports", j)
			if who := own[p.ContainerPort]; who != "" {
				out = append(out, s.Problem(schema.Error, at+".containerPort", "%d is taken in the EPP's pod: it is its port %s", p.ContainerPort, who))
			}
			if slices.Contains(slices.Collect(maps.Values(own)), p.Name) {
				out = append(out, s.Problem(schema.Error, at+".name", "%q is the name of a port of the EPP, by which Services and probes find it", p.Name))
			}
		}
	}
	return out
}

// eppImage warns of an image that belongs to another release line: its flags differ.
func eppImage(s stack) []schema.Problem {
	image := s.Spec.Scheduler.Image
	if image == "" {
		return nil
	}
	own := imageref.Parse(image).Base()
	for _, name := range release.Names() {
		line, err := release.Load(name)
		if err == nil && name != s.Spec.Release && imageref.Parse(line.Images.EPP).Base() == own {
			return []schema.Problem{s.Problem(schema.Warning, schedulerPath+".image", "%s is the EPP of release line %s, and flags and configuration are written for %s; set %s: %q", own, name, s.Spec.Release, schema.Path("spec.release"), name)}
		}
	}
	return nil
}
