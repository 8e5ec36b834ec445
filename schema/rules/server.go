package rules

import (
	"strconv"

	"github.com/inferstack/inferstack/schema"
)

// engines are those of spec.server.engine, each with a section of its own.
var engines = []string{"vllm", "sglang", "trtllm", "simulator"}

// engineSections refuses settings of the engines that are not used.
func engineSections(s stack) (out []schema.Problem) {
	for _, other := range engines {
		if at := "spec.server." + other; other != s.Spec.Server.Engine && s.Has(at) {
			out = append(out, s.Problem(schema.Error, at, "belongs to engine: %s, and %s is %s", other, schema.Path(enginePath), s.Spec.Server.Engine))
		}
	}
	return out
}

// launchFits checks that a command is there when it is needed, and only then.
func launchFits(s stack) (out []schema.Problem) {
	custom := s.Spec.Server.Launch == "custom"
	if !custom && len(s.Spec.Server.Command) > 0 {
		out = append(out, s.Problem(schema.Error, "spec.server.command", "needs launch: custom (launch is %s)", s.Spec.Server.Launch))
	}
	for _, r := range s.Workloads() {
		if !custom && len(r.Command) > 0 {
			out = append(out, s.Problem(schema.Error, r.Path+".command", "needs %s: custom (launch is %s)", schema.Path("spec.server.launch"), s.Spec.Server.Launch))
		}
		if custom && s.Spec.Server.Create && len(r.Command)+len(s.Spec.Server.Command) == 0 {
			out = append(out, s.Problem(schema.Error, r.Path+".command", "is required with %s: custom, here or as %s", schema.Path("spec.server.launch"), schema.Path("spec.server.command")))
		}
	}
	return out
}

// A claimed range is what a field takes of a pod's ports.
type claimed struct {
	field       string
	first, last int32
}

// serverPorts refuses ports that two listeners of one pod would share.
func serverPorts(s stack) (out []schema.Problem) {
	for _, r := range s.Workloads() {
		ports := s.claimedPorts(r)
		for i, p := range ports {
			if p.last > 65535 {
				out = append(out, s.Problem(schema.Error, p.field, "must leave room for %d ports up to 65535 (got %d)", p.last-p.first+1, p.first))
			}
			for _, earlier := range ports[:i] {
				if p.first <= earlier.last && earlier.first <= p.last {
					out = append(out, s.Problem(schema.Error, p.field, "%d is taken in the %s pods: %s has %s", p.first, r.Path[len("spec."):], earlier.field, earlier.words()))
				}
			}
		}
		out = append(out, s.addedPorts(r, ports)...)
		if len(out) > 0 {
			break // prefill has nearly the same fields
		}
	}
	return out
}

// claimedPorts lists the ports of a role's pods by the field that sets them.
func (s stack) claimedPorts(r schema.Workload) []claimed {
	server, count := &s.Spec.Server, s.rankPorts(r.Role)
	ports := []claimed{{"spec.server.port", server.Port, server.Port + count - 1}}
	if s.HasSidecar(r.RoleName) {
		own := server.SidecarTargetPort
		ports = append(ports, claimed{"spec.server.sidecarTargetPort", own, own + count - 1})
	}
	if count > 1 && !s.Simulated() {
		ports[len(ports)-1].last++ // the supervisor's
	}
	if s.Bootstraps() && r.RoleName == schema.RolePrefill {
		ports = append(ports, claimed{"spec.kvTransfer.bootstrapPort", s.Spec.KVTransfer.BootstrapPort, s.Spec.KVTransfer.BootstrapPort})
	}
	if s.PublishesEmbeddings(r.Role) {
		ports = append(ports, claimed{"spec.ecTransfer.sideChannelPort", s.Spec.ECTransfer.SideChannelPort, s.Spec.ECTransfer.SideChannelPort})
	}
	if s.UsesNIXL(r.Role) {
		ports = append(ports, claimed{"spec.kvTransfer.sideChannelPort", s.Spec.KVTransfer.SideChannelPort, s.Spec.KVTransfer.SideChannelPort})
	}
	return append(ports, s.eventsPorts(r)...)
}

// eventsPorts are those on which the role's servers publish KV-cache events and send them again.
// Each data-parallel rank has its own, from the first on (vllm distributed/kv_events.py,
// offset_endpoint_port).
func (s stack) eventsPorts(r schema.Workload) []claimed {
	line, events := s.line(), &s.Spec.KVCache.Events
	if line == nil || !s.FollowsEvents(line) || s.EventsMode(line) != "discovery" || r.RoleName == schema.RoleEncode || s.Simulated() {
		return nil
	}
	others := max(1, r.Parallelism.Data) - 1
	ports := []claimed{{"spec.kvCache.events.port", events.Port, events.Port + others}}
	if port := events.ReplayPort; port != nil {
		ports = append(ports, claimed{"spec.kvCache.events.replayPort", *port, *port + others})
	}
	return ports
}

func (c claimed) words() string {
	if c.first == c.last {
		return strconv.Itoa(int(c.first))
	}
	return strconv.Itoa(int(c.first)) + " to " + strconv.Itoa(int(c.last))
}
