package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/admission"
)

// acceleratorFits checks each accelerator section, and the role that uses it.
func acceleratorFits(s *Stack) []Problem {
	var out []Problem
	if s.Simulated() {
		fields := []string{"spec.server.accelerator", "spec.decode.accelerator", "spec.prefill.accelerator", "spec.encode.accelerator"}
		for _, r := range s.sections() {
			if r.variant != nil {
				fields = append(fields, r.path+".accelerator")
			}
		}
		for _, at := range fields {
			if s.Has(at) {
				out = append(out, s.Problem(Error, at, "the simulator uses no accelerator; remove the section, or set %s: vllm", Path("spec.server.engine")))
			}
		}
		return out
	}
	out = append(out, s.acceleratorSection("spec.server.accelerator", &s.Spec.Server.Accelerator)...)
	out = append(out, s.eachAccelerator(s.acceleratorTaken)...)
	for _, r := range s.sections() {
		if r.Accelerator != nil {
			out = append(out, s.acceleratorSection(r.path+".accelerator", r.Accelerator)...)
		}
		out = append(out, s.acceleratorCount(r)...)
		out = append(out, s.nowhere(r)...)
	}
	return out
}

// acceleratorSection checks the fields of one section against each other.
func (s *Stack) acceleratorSection(at string, a *Accelerator) []Problem {
	var out []Problem
	if a.Type == "google-tpu" && a.TPU == nil && a.DRA == nil {
		out = append(out, s.Problem(Error, at+".tpu", "is required for google-tpu: GKE picks the nodes by accelerator and topology"))
	}
	if a.Type != "google-tpu" && a.TPU != nil {
		out = append(out, s.Problem(Error, at+".tpu", "goes with type: google-tpu only (type is %s)", a.Type))
	}
	if a.DRA != nil && a.ResourceName != "" {
		out = append(out, s.Problem(Error, at+".resourceName", "cannot be combined with dra: the devices come by claim or by extended resource, not by both"))
	}
	if a.ResourceName != "" && !strings.Contains(a.ResourceName, "/") {
		out = append(out, s.Problem(Error, at+".resourceName", "must be the extended resource of a device plugin, with its domain, such as nvidia.com/gpu (got %q)", a.ResourceName))
	}
	if a.DRA != nil && a.DRA.ClaimTemplateName != "" && (a.DRA.DeviceClassName != "" || len(a.DRA.Selectors) > 0) {
		out = append(out, s.Problem(Error, at+".dra.claimTemplateName", "names a template that already exists; deviceClassName and selectors belong into that one"))
	}
	if a.DRA != nil {
		out = append(out, s.flaws(at+".dra.selectors", admission.Selectors(a.DRA.Selectors))...)
	}
	if a.Type == "cpu" {
		for _, f := range []struct {
			name string
			set  bool
		}{{"count", a.Count != nil}, {"resourceName", a.ResourceName != ""}, {"dra", a.DRA != nil}} {
			if f.set {
				out = append(out, s.Problem(Error, at+"."+f.name, "goes with an accelerator; type: cpu uses none"))
			}
		}
	}
	return out
}

// eachAccelerator judges the accelerator sections of the servers and of each role, with all the
// roles and variants that take theirs unless they have one of their own.
func (s *Stack) eachAccelerator(judge func(from *Accelerator, path string, all []section) []Problem) []Problem {
	out := judge(&s.Spec.Server.Accelerator, "spec.server.accelerator", s.sections())
	for _, r := range s.roles() {
		if r.Accelerator != nil {
			out = append(out, judge(r.Accelerator, r.path+".accelerator", s.sectionsOf(r.role))...)
		}
	}
	return out
}

// acceleratorTaken warns of fields of an accelerator section that do not count for a role or variant
// with one of its own, and names the sections among all that leave them out: sections win as a whole.
// Of another vendor's accelerators they say nothing.
func (s *Stack) acceleratorTaken(from *Accelerator, path string, all []section) []Problem {
	var out []Problem
	said := map[string]bool{}
	for _, r := range all {
		own, at := s.AcceleratorOf(r.Role), s.acceleratorPath(r)
		if own == from || said[at] {
			continue
		}
		said[at] = true
		for _, field := range []string{"type", "nodeLabel", "resourceName", "dra"} {
			lost := s.Has(path+"."+field) && !s.Has(at+"."+field)
			if lost && (field == "type") == (own.Type != from.Type) {
				out = append(out, s.Problem(Warning, path+"."+field, "does not count for %s, which takes the place of this section as a whole; write %s there too", Path(at), field))
			}
		}
	}
	return out
}

// nowhere refuses a selector and a label of which no node has both.
func (s *Stack) nowhere(r section) []Problem {
	label := s.AcceleratorOf(r.Role).NodeLabel
	if label == nil {
		return nil
	}
	at, selector := r.path+".nodeSelector", r.NodeSelector
	if _, own := selector[label.Key]; !own {
		at, selector = "spec.server.nodeSelector", s.Spec.Server.NodeSelector
	}
	if value, set := selector[label.Key]; set && !slices.Contains(label.Values, value) {
		return []Problem{s.Problem(Error, join(at, label.Key, 0), "is %s, and %s allows %s: no node has both, and the pods stay Pending", value, Path(s.acceleratorPath(r)+".nodeLabel"), strings.Join(label.Values, ", "))}
	}
	return nil
}

// acceleratorCount checks the number of accelerators of a pod against what vLLM will use.
// A TPU chip may hold two of what vLLM calls a device, so there it only must not be less
// than half.
func (s *Stack) acceleratorCount(r section) []Problem {
	a, need := s.AcceleratorOf(r.Role), r.Parallelism.Devices()
	at := "spec.server.accelerator"
	if r.Accelerator != nil {
		at = r.path + ".accelerator"
	}
	have := need
	switch {
	case a.Type == "cpu":
		return nil
	case a.Count != nil:
		at, have = at+".count", *a.Count
	case a.TPU != nil:
		at = at + ".tpu.topology"
		total := chips(a.TPU.Topology)
		if total%r.Parallelism.Nodes != 0 {
			return []Problem{s.Problem(Error, at, "has %d chips, which %s, %d, does not divide", total, Path(r.path+".parallelism.nodes"), r.Parallelism.Nodes)}
		}
		have = total / r.Parallelism.Nodes
	}
	if a.Type == "google-tpu" {
		if over := s.tpuRanks(r, at, have); over != nil {
			return over
		}
		need = (need + 1) / 2
	}
	switch {
	case a.Count != nil && have == 0 && s.Spec.Server.Launch != "custom":
		return []Problem{s.Problem(Warning, at, "is 0: the servers get no accelerator, and vLLM for %s exits without one; type: cpu needs none", a.Type)}
	case a.Count != nil && have > need && a.Type != "google-tpu":
		return []Problem{s.Problem(Warning, at, "gives a pod %d accelerators, and %s uses %d: the rest is idle", have, Path(r.path+".parallelism"), need)}
	case have == 0 || have >= need:
		return nil
	}
	return []Problem{s.Problem(Error, at, "gives a pod %d accelerators, and %s needs at least %d", have, Path(r.path+".parallelism"), need)}
}

// tpuRanks checks what llm-d does on TPUs otherwise than on GPUs: it spreads a server over
// hosts by Ray (TPU_MULTIHOST_BACKEND), and every data-parallel rank has a chip of its own.
func (s *Stack) tpuRanks(r section, at string, have int32) []Problem {
	p := &r.Parallelism
	switch {
	case p.Nodes > 1 && s.Spec.Server.Launch != "custom":
		return []Problem{s.Problem(Error, r.path+".parallelism.nodes", "must be 1 on google-tpu, whose vLLM spreads over hosts by Ray and not by the generated flags; start it by server.launch: custom (got %d)", p.Nodes)}
	case have > hostChips(s.AcceleratorOf(r.Role)):
		return []Problem{s.Problem(Error, at, "gives a pod %d chips, and a host of this kind has %d: the pod would stay Pending", have, hostChips(s.AcceleratorOf(r.Role)))}
	case p.LocalRanks() > 1 && have < p.LocalRanks():
		return []Problem{s.Problem(Error, at, "gives a pod %d chips, and %s wants one for each of its %d ranks", have, Path(r.path+".parallelism.data"), p.LocalRanks())}
	}
	return nil
}

// hostChips is how many chips a host has at most: 4 of the TPUs whose slices have three sides
// (v4, v5p and Ironwood), 8 of the others (Google Cloud, "About TPUs in GKE", machine types).
func hostChips(a *Accelerator) int32 {
	if a.TPU != nil && strings.Count(a.TPU.Topology, "x") == 2 {
		return 4
	}
	return 8
}

// chips multiplies a topology such as 2x4 out.
func chips(topology string) int32 {
	product := 1
	for side := range strings.SplitSeq(topology, "x") {
		n, _ := strconv.Atoi(side)
		product *= n
	}
	return int32(product)
}
