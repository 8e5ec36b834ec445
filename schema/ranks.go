package schema

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/release"
)

// LocalRanks returns the data-parallel ranks that run on one node.
func (p *Parallelism) LocalRanks() int32 {
	if p.DataLocal != nil {
		return *p.DataLocal
	}
	return max(1, p.Data/max(1, p.Nodes)) // 0 nodes is refused, and rules run all the same
}

// SpansNodes reports whether one copy of the model is spread over several nodes, so that
// only the first of them serves requests.
func (p *Parallelism) SpansNodes() bool { return p.Nodes > 1 && p.Data == 1 }

// Devices returns the accelerators that vLLM uses on one node.
func (p *Parallelism) Devices() int32 { return int32(p.UncheckedDevices()) }

// UncheckedDevices is Devices where the product may be too large for an accepted stack.
func (p *Parallelism) UncheckedDevices() int64 {
	devices := int64(p.Tensor) * int64(p.Pipeline) * int64(p.LocalRanks())
	if p.SpansNodes() {
		return max(1, devices/int64(p.Nodes))
	}
	return devices
}

// RankPorts returns the number of consecutive ports on which one pod of the role serves:
// one for each data-parallel rank, where each rank has a server of its own. The
// simulator always does that. vLLM does it for mixture-of-experts models alone, with a
// flag that its line and image must have; otherwise it spreads the requests over the
// ranks itself, behind one port (vllm v0.30 entrypoints/openai/dp_supervisor.py and
// engine/arg_utils.py, which refuses the flag for dense models). Of a command of the
// user's own nothing is known but its first port; pool.targetPorts names others.
func (s *Stack) RankPorts(r *Role, line *release.Line) int32 {
	p := &r.Parallelism
	experts := (p.Expert || p.Nodes > 1) && s.RunsVLLM() && s.Spec.Server.Launch != "custom"
	if s.Simulated() || experts && line != nil && s.servesRanks(r, line) {
		return p.LocalRanks()
	}
	return 1
}

// servesRanks reports whether the role's vLLM can run a server for each rank.
func (s *Stack) servesRanks(r *Role, line *release.Line) bool {
	flag := line.VLLM.Flags["dataParallelExternalLB"]
	return flag != "" && !release.ModelServer(s.ServerImage(r, line)).Lacks(flag)
}

// ServerImage returns the image that the role's servers run on the release line.
func (s *Stack) ServerImage(r *Role, line *release.Line) string {
	image := cmp.Or(r.Image, s.Spec.Server.Image)
	switch {
	case image != "" || line == nil:
		return image
	case s.Simulated():
		return line.Images.Simulator
	case s.RunsVLLM():
		return line.Images.VLLM[s.AcceleratorOf(r).Type]
	default:
		return line.Engines[s.Spec.Server.Engine].Images[s.AcceleratorOf(r).Type]
	}
}

// AcceleratorResources are the extended resources of the vendors' device plugins, as in
// the llm-d-modelservice chart 0.4.12 (values.yaml, accelerator). cpu has none.
var AcceleratorResources = map[string]string{
	"nvidia":      "nvidia.com/gpu",
	"amd":         "amd.com/gpu",
	"intel-gaudi": "habana.ai/gaudi",
	"intel-xpu":   "gpu.intel.com/xe",
	"google-tpu":  "google.com/tpu",
}

// AcceleratorResource returns the extended resource of the role's accelerators, or "" where
// there is none: on the CPU, in the simulator, and where the devices come by claim.
func (s *Stack) AcceleratorResource(r *Role) string {
	a := s.AcceleratorOf(r)
	if s.Simulated() || a.DRA != nil {
		return ""
	}
	return cmp.Or(a.ResourceName, AcceleratorResources[a.Type])
}

// AcceleratorCount returns the accelerators of one pod, if it has any. A pod on a TPU
// slice must ask for all chips of its node, however many vLLM calls its tensor parallelism.
func (s *Stack) AcceleratorCount(r *Role) int32 {
	switch a := s.AcceleratorOf(r); {
	case a.Count != nil:
		return *a.Count
	case a.TPU != nil:
		return Chips(a.TPU.Topology) / r.Parallelism.Nodes
	default:
		return r.Parallelism.Devices()
	}
}

// AcceleratorOf returns the accelerator section in force for the role.
func (s *Stack) AcceleratorOf(r *Role) *Accelerator {
	if r.Accelerator != nil {
		return r.Accelerator
	}
	return &s.Spec.Server.Accelerator
}

// Chips multiplies a topology such as 2x4 out.
func Chips(topology string) int32 {
	product := 1
	for side := range strings.SplitSeq(topology, "x") {
		n, _ := strconv.Atoi(side)
		product *= n
	}
	return int32(product)
}

// UsualDevices is what nodes of clouds and vendors have at most: DGX-2, a2-megagpu-16g of Google Cloud,
// p2.16xlarge of AWS.
const UsualDevices = 16
