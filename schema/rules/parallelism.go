package rules

import (
	"github.com/inferstack/inferstack/schema"
)

// maxRankPorts is the number of target ports that an InferencePool may have
// (gateway-api-inference-extension v1.5 api/v1/inferencepool_types.go).
const maxRankPorts = 8

// maxDevices is the bound of accelerator.count: no node has more.
const maxDevices = 64

// parallelismFits checks that each role's ranks can be spread as asked.
func parallelismFits(s stack) []schema.Problem {
	var out []schema.Problem
	for _, r := range s.Workloads() {
		out = append(out, s.ranksFit(r)...)
		if r.Parallelism.Nodes > 1 {
			out = append(out, s.nodesFit(r)...)
		}
	}
	return append(out, s.portsAgree()...)
}

func (s stack) ranksFit(r schema.Workload) (out []schema.Problem) {
	p, at := &r.Parallelism, r.Path+".parallelism"
	switch {
	case p.SpansNodes() && p.DataLocal == nil:
	case p.LocalRanks()*p.Nodes != p.Data && p.DataLocal != nil:
		out = append(out, s.Problem(schema.Error, at+".data", "must be dataLocal × nodes, %d × %d = %d (got %d)",
			p.LocalRanks(), p.Nodes, p.LocalRanks()*p.Nodes, p.Data))
	case p.LocalRanks()*p.Nodes != p.Data:
		out = append(out, s.Problem(schema.Error, at+".data", "must be a multiple of nodes, %d (got %d)", p.Nodes, p.Data))
	}
	if ports := s.rankPorts(r.Role); ports > maxRankPorts {
		out = append(out, s.Problem(schema.Error, at+".data", "makes %d ranks on one node, and an InferencePool has at most %d ports; spread them over more nodes",
			ports, maxRankPorts))
	}
	if devices := p.UncheckedDevices(); devices > maxDevices && !s.Simulated() {
		out = append(out, s.Problem(schema.Error, at+".tensor", "makes %d accelerators in a pod, with pipeline and data, and a pod has at most %d; spread the server over more nodes", devices, maxDevices))
	}
	if devices := p.UncheckedDevices(); devices > schema.UsualDevices && devices <= maxDevices && !s.Simulated() && s.AcceleratorOf(r.Role).Type != "cpu" {
		out = append(out, s.Problem(schema.Warning, at, "makes %d accelerators in a pod, and nodes have 8, or 16 at most: the pods stay Pending; spread the server by nodes", devices))
	}
	if s.precisePrefix() && p.Data > 1 {
		out = append(out, s.Problem(schema.Error, at+".data", "must be 1 with the precise-prefix preset: the events of several ranks cannot be told apart; use the prefix-aware preset, or more replicas"))
	}
	return out
}

// nodesFit checks a role whose servers are groups of pods.
func (s stack) nodesFit(r schema.Workload) []schema.Problem {
	p, at := &r.Parallelism, r.Path+".parallelism.nodes"
	line := s.line()
	switch {
	case s.Simulated():
		return []schema.Problem{s.Problem(schema.Error, at, "must be 1 with the simulator, which runs in one pod (got %d)", p.Nodes)}
	case p.SpansNodes() && p.Tensor*p.Pipeline%p.Nodes != 0:
		return []schema.Problem{s.Problem(schema.Error, at, "must divide tensor × pipeline, %d × %d = %d (got %d); for copies of the model on the nodes set data",
			p.Tensor, p.Pipeline, p.Tensor*p.Pipeline, p.Nodes)}
	case !s.RunsVLLM():
		return nil
	case p.SpansNodes() && line != nil && line.VLLM.Flags["nodes"] == "":
		return []schema.Problem{s.Problem(schema.Error, at, "spreads one copy of the model over nodes, which the vLLM of release %s cannot do without Ray; set data for copies on the nodes, or move to a later release", s.Spec.Release)}
	case s.Spec.Server.Launch == "image" && p.Data > 1 && p.LocalRanks() > 1:
		return []schema.Problem{s.Problem(schema.Error, at, "needs %s: serve, since the first rank of a node is worked out at start", schema.Path("spec.server.launch"))}
	case p.Data > 1 && !p.Expert:
		return []schema.Problem{s.Problem(schema.Warning, at, "vLLM spreads ranks over nodes for mixture-of-experts models only, usually with expert: true; a dense model needs replicas instead")}
	}
	return nil
}

// portsAgree refuses roles with different numbers of ports where the EPP takes all pods
// to serve all ports of the pool.
func (s stack) portsAgree() []schema.Problem {
	line := s.line()
	if line == nil || line.EPP.ActivePortsAnnotation != "" {
		return nil
	}
	all := s.Workloads()
	for _, r := range all[1:] {
		if first, own := s.rankPorts(all[0].Role), s.rankPorts(r.Role); first != own {
			return []schema.Problem{s.Problem(schema.Error, r.Path+".parallelism.data", "makes %d ports on a pod, and %s makes %d; the EPP of release %s needs as many on both",
				own, all[0].Path[len("spec."):], first, s.Spec.Release)}
		}
	}
	return nil
}
