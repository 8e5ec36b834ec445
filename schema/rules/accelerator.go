package rules

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// acceleratorFits checks each accelerator section, and the role that uses it.
func acceleratorFits(s stack) (out []schema.Problem) {
	if s.Simulated() {
		fields := []string{"spec.server.accelerator", "spec.decode.accelerator", "spec.prefill.accelerator", "spec.encode.accelerator"}
		for _, r := range s.Workloads() {
			if r.Variant != nil {
				fields = append(fields, r.Path+".accelerator")
			}
		}
		for _, at := range fields {
			if s.Has(at) {
				out = append(out, s.Problem(schema.Error, at, "the simulator uses no accelerator; remove the section, or set %s: vllm", schema.Path("spec.server.engine")))
			}
		}
		return out
	}
	out = append(out, s.acceleratorSection("spec.server.accelerator", &s.Spec.Server.Accelerator)...)
	out = append(out, s.eachAccelerator(s.acceleratorTaken)...)
	for _, r := range s.Workloads() {
		if r.Accelerator != nil {
			out = append(out, s.acceleratorSection(r.Path+".accelerator", r.Accelerator)...)
		}
		out = append(out, s.acceleratorCount(r)...)
		out = append(out, s.nowhere(r)...)
	}
	return out
}

// acceleratorSection checks the fields of one section against each other.
func (s stack) acceleratorSection(at string, a *schema.Accelerator) (out []schema.Problem) {
	if a.Type == "google-tpu" && a.TPU == nil && a.DRA == nil {
		out = append(out, s.Problem(schema.Error, at+".tpu", "is required for google-tpu: GKE picks the nodes by accelerator and topology"))
	}
	if a.Type != "google-tpu" && a.TPU != nil {
		out = append(out, s.Problem(schema.Error, at+".tpu", "goes with type: google-tpu only (type is %s)", a.Type))
	}
	if a.DRA != nil && a.ResourceName != "" {
		out = append(out, s.Problem(schema.Error, at+".resourceName", "cannot be combined with dra: the devices come by claim or by extended resource, not by both"))
	}
	if a.ResourceName != "" && !strings.Contains(a.ResourceName, "/") {
		out = append(out, s.Problem(schema.Error, at+".resourceName", "must be the extended resource of a device plugin, with its domain, such as nvidia.com/gpu (got %q)", a.ResourceName))
	}
	if a.DRA != nil && a.DRA.ClaimTemplateName != "" && (a.DRA.DeviceClassName != "" || len(a.DRA.Selectors) > 0) {
		out = append(out, s.Problem(schema.Error, at+".dra.claimTemplateName", "names a template that already exists; deviceClassName and selectors belong into that one"))
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
				out = append(out, s.Problem(schema.Error, at+"."+f.name, "goes with an accelerator; type: cpu uses none"))
			}
		}
	}
	return out
}

// eachAccelerator judges the accelerator sections of the servers and of each role, with all the
// roles and variants that take theirs unless they have one of their own.
func (s stack) eachAccelerator(judge func(from *schema.Accelerator, path string, all []schema.Workload) []schema.Problem) []schema.Problem {
	out := judge(&s.Spec.Server.Accelerator, "spec.server.accelerator", s.Workloads())
	for _, r := range s.Roles() {
		if r.Accelerator != nil {
			out = append(out, judge(r.Accelerator, r.Path+".accelerator", s.WorkloadsOf(r.RoleName))...)
		}
	}
	return out
}

// acceleratorTaken warns of fields of an accelerator section that do not count for a role or variant
// with one of its own, and names the sections among all that leave them out: sections win as a whole.
// Of another vendor's accelerators they say nothing.
func (s stack) acceleratorTaken(from *schema.Accelerator, path string, all []schema.Workload) (out []schema.Problem) {
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
				out = append(out, s.Problem(schema.Warning, path+"."+field, "does not count for %s, which takes the place of this section as a whole; write %s there too", schema.Path(at), field))
			}
		}
	}
	return out
}

// nowhere refuses a selector and a label of which no node has both.
func (s stack) nowhere(r schema.Workload) []schema.Problem {
	label := s.AcceleratorOf(r.Role).NodeLabel
	if label == nil {
		return nil
	}
	at, selector := r.Path+".nodeSelector", r.NodeSelector
	if _, own := selector[label.Key]; !own {
		at, selector = "spec.server.nodeSelector", s.Spec.Server.NodeSelector
	}
	if value, set := selector[label.Key]; set && !slices.Contains(label.Values, value) {
		return []schema.Problem{s.Problem(schema.Error, finding.Join(at, label.Key, 0), "is %s, and %s allows %s: no node has both, and the pods stay Pending", value, schema.Path(s.acceleratorPath(r)+".nodeLabel"), strings.Join(label.Values, ", "))}
	}
	return nil
}

// acceleratorCount checks the number of accelerators of a pod against what vLLM will use.
// A TPU chip may hold two of what vLLM calls a device, so there it only must not be less
// than half.
func (s stack) acceleratorCount(r schema.Workload) []schema.Problem {
	a, need := s.AcceleratorOf(r.Role), r.Parallelism.Devices()
	at := "spec.server.accelerator"
	if r.Accelerator != nil {
		at = r.Path + ".accelerator"
	}
	have := need
	switch {
	case a.Type == "cpu":
		return nil
	case a.Count != nil:
		at, have = at+".count", *a.Count
	case a.TPU != nil:
		at = at + ".tpu.topology"
		total := schema.Chips(a.TPU.Topology)
		if total%r.Parallelism.Nodes != 0 {
			return []schema.Problem{s.Problem(schema.Error, at, "has %d chips, which %s, %d, does not divide", total, schema.Path(r.Path+".parallelism.nodes"), r.Parallelism.Nodes)}
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
		return []schema.Problem{s.Problem(schema.Warning, at, "is 0: the servers get no accelerator, and vLLM for %s exits without one; type: cpu needs none", a.Type)}
	case a.Count != nil && have > need && a.Type != "google-tpu":
		return []schema.Problem{s.Problem(schema.Warning, at, "gives a pod %d accelerators, and %s uses %d: the rest is idle", have, schema.Path(r.Path+".parallelism"), need)}
	case have == 0 || have >= need:
		return nil
	}
	return []schema.Problem{s.Problem(schema.Error, at, "gives a pod %d accelerators, and %s needs at least %d", have, schema.Path(r.Path+".parallelism"), need)}
}

// tpuRanks checks what llm-d does on TPUs otherwise than on GPUs: it spreads a server over
// hosts by Ray (TPU_MULTIHOST_BACKEND), and every data-parallel rank has a chip of its own.
func (s stack) tpuRanks(r schema.Workload, at string, have int32) []schema.Problem {
	p := &r.Parallelism
	switch {
	case p.Nodes > 1 && s.Spec.Server.Launch != "custom":
		return []schema.Problem{s.Problem(schema.Error, r.Path+".parallelism.nodes", "must be 1 on google-tpu, whose vLLM spreads over hosts by Ray and not by the generated flags; start it by server.launch: custom (got %d)", p.Nodes)}
	case have > hostChips(s.AcceleratorOf(r.Role)):
		return []schema.Problem{s.Problem(schema.Error, at, "gives a pod %d chips, and a host of this kind has %d: the pod would stay Pending", have, hostChips(s.AcceleratorOf(r.Role)))}
	case p.LocalRanks() > 1 && have < p.LocalRanks():
		return []schema.Problem{s.Problem(schema.Error, at, "gives a pod %d chips, and %s wants one for each of its %d ranks", have, schema.Path(r.Path+".parallelism.data"), p.LocalRanks())}
	}
	return nil
}

// hostChips is how many chips a host has at most: 4 of the TPUs whose slices have three sides
// (v4, v5p and Ironwood), 8 of the others (Google Cloud, "About TPUs in GKE", machine types).
func hostChips(a *schema.Accelerator) int32 {
	if a.TPU != nil && strings.Count(a.TPU.Topology, "x") == 2 {
		return 4
	}
	return 8
}
