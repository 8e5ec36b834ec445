package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// flagValues holds the values of flags to what the program that reads them takes, and the
// flags of the simulator and of the sidecar to those that they have.
func flagValues(s stack) []schema.Problem {
	line := s.line()
	if line == nil {
		return nil
	}
	var out []schema.Problem
	if s.Spec.Server.Launch != "custom" {
		out = append(out, s.argumentValues("spec.server.args", s.Spec.Server.Args, s.Spec.Server.Image)...)
		for _, r := range s.Workloads() {
			out = append(out, s.argumentValues(r.Path+".args", r.Args, cmp.Or(r.Image, s.Spec.Server.Image))...)
		}
	}
	sidecar := &s.Spec.KVTransfer.Sidecar
	out = append(out, s.commandLine("spec.kvTransfer.sidecar.args", sidecar.Args, sidecar.Image, line.Images.Sidecar)...)
	return append(out, s.eppFlagValues(line)...)
}

// program is what the catalogue knows of an image, or of the one that it stands for.
func program(image, usual string) *release.Known {
	return cmp.Or(release.OfImage(image), release.OfImage(usual))
}

func (s stack) argumentValues(at string, args []string, image string) []schema.Problem {
	switch {
	case s.Simulated():
		return s.commandLine(at, args, image, s.line().Images.Simulator)
	case s.RunsVLLM():
		return s.commandLine(at, args, image, s.line().Images.VLLM["nvidia"])
	}
	return nil
}

// commandLine judges arguments as flags of the program in an image of the user's own, or in
// the usual one. What is not known to be the program is given warnings.
func (s stack) commandLine(at string, args []string, image, usual string) []schema.Problem {
	if len(args) == 0 {
		return nil
	}
	known := program(image, usual)
	if known == nil {
		return nil
	}
	severity := schema.Error
	if image != "" && known.Kind != "model-server" {
		severity = schema.Warning
	}
	var out []schema.Problem
	for i, arg := range args {
		name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !strings.HasPrefix(arg, "-") || name == "" || strings.ContainsAny(name, " \t\n$") {
			continue
		}
		if known.Kind == "model-server" {
			name = argv.Hyphened(name)
		}
		flag, _, listed := known.Flag(name)
		if !listed {
			if why := noSuchFlag(known, name); why != "" {
				out = append(out, s.Problem(severity, finding.Indexed(at, i), "%s", why))
			}
			continue
		}
		where := i
		if !joined && !flag.Boolean && !flag.Switch && i+1 < len(args) {
			value, joined, where = args[i+1], true, i+1
		}
		if why := flag.Flaw(value); joined && why != "" {
			out = append(out, s.Problem(severity, finding.Indexed(at, where), "--%s %s (got %q)", name, why, value))
		}
	}
	return out
}

// noSuchFlag says that a program whose flags are all known has none of that name.
func noSuchFlag(known *release.Known, name string) string {
	names, complete := known.FlagNames()
	if !complete || name == "help" || name == "h" {
		return ""
	}
	why := fmt.Sprintf("the %s of %s has no flag --%s, and exits at startup", known.Kind, known.Version, name)
	if near := near.Of(name, names); near != "" {
		why += "; did you mean --" + near + "?"
	}
	return why
}

// eppFlagValues judges spec.scheduler.flags.
func (s stack) eppFlagValues(line *release.Line) []schema.Problem {
	flags := s.Spec.Scheduler.Flags
	if len(flags) == 0 {
		return nil
	}
	known := program(s.Spec.Scheduler.Image, line.Images.EPP)
	if known == nil {
		return nil
	}
	var out []schema.Problem
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		flag, has, _ := known.Flag(name)
		value := fmt.Sprint(flags[name])
		if why := flag.Flaw(value); has && why != "" {
			out = append(out, s.Problem(schema.Error, finding.Join(schedulerPath+".flags", name, 0), "%s (got %q)", why, value))
		}
	}
	return out
}
