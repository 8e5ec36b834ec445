package rules

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// all2AllFits checks the ways in which roles exchange the tokens of experts.
func (s stack) all2AllFits() (out []schema.Problem) {
	line := s.line()
	if line == nil {
		return nil
	}
	for _, r := range s.Workloads() {
		at := r.Path + ".parallelism.all2allBackend"
		switch p := &r.Parallelism; {
		case p.All2allBackend == "":
		case !s.RunsVLLM():
			out = append(out, s.Problem(schema.Error, at, "is vLLM's, and %s is %s", schema.Path(enginePath), s.Spec.Server.Engine))
		case !p.Expert:
			out = append(out, s.Problem(schema.Error, at, "needs parallelism.expert: true; without it no tokens are exchanged"))
		case line.VLLM.Flags["all2allBackend"] == "":
			out = append(out, s.Problem(schema.Error, at, "has no flag in the vLLM of release line %s; set VLLM_ALL2ALL_BACKEND in env", line.Name))
		default:
			out = append(out, s.all2AllWorks(r, at, line)...)
		}
	}
	return out
}

// all2AllWorks holds a backend to the accelerator, the image and the ranks of its role. vLLM
// exchanges tokens between data-parallel ranks only (vllm
// model_executor/layers/fused_moe/config.py, use_all2all_kernels).
func (s stack) all2AllWorks(r schema.Workload, at string, line *release.Line) (out []schema.Problem) {
	backend, vendor, image := r.Parallelism.All2allBackend, s.AcceleratorOf(r.Role).Type, s.ServerImage(r.Role, line)
	value, known := "all2all-"+backend, release.ModelServer(image)
	if vendors := line.VLLM.All2allAccelerators[backend]; !slices.Contains(vendors, vendor) {
		return []schema.Problem{s.Problem(schema.Error, at, "%s does not work on %s; it does on %s", backend, vendor, strings.Join(vendors, ", "))}
	}
	switch {
	case known == nil:
	case known.Since(value) != "" && known.Value(value) == "":
		out = append(out, s.Problem(schema.Error, at, "%s is no value of the vLLM of %s: %s", backend, image, spanOf(known.Component, value)))
	case slices.Contains(line.VLLM.All2allMissing[backend], vendor):
		out = append(out, s.Problem(schema.Warning, at, "needs a library that %s does not have; name an image that has it", image))
	}
	if r.Parallelism.Data == 1 {
		out = append(out, s.Problem(schema.Warning, at, "has no effect with parallelism.data: 1: tokens are exchanged between data-parallel ranks"))
	}
	return out
}

// spanOf says which versions have a value.
func spanOf(c *release.Component, value string) string {
	if end := c.Ends(value); end != "" {
		return "it was one from " + c.Since(value) + " on, before " + end
	}
	return "it came with " + c.Since(value)
}
